import { sseResponse } from '@sibyl/plugin'
import type { StreamedRequest } from '@sibyl/plugin/host'

/**
 * Streams results as server-sent events. A client that disconnects ends the reading, not what is read.
 *
 * @param form Returns the form of a result in the binding.
 */
export const streamResponse = (
  c: StreamedRequest,
  results: AsyncIterable<object>,
  form: (result: object) => object,
): Response => {
  const frames = framesOf(results, form)
  return sseResponse(c, frames, () => void frames.return(undefined))
}

async function* framesOf(results: AsyncIterable<object>, form: (result: object) => object): AsyncGenerator<string> {
  for await (const result of results) yield `data: ${JSON.stringify(form(result))}\n\n`
}
