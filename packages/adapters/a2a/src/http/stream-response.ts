import { sseResponse } from '@sibyl/plugin'

/** Streams JSON values as server-sent events. A client that disconnects ends the reading, not what is read. */
export const streamResponse = (values: AsyncIterable<object>): Response => {
  const frames = framesOf(values)
  return sseResponse(frames, () => void frames.return(undefined))
}

async function* framesOf(values: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const value of values) yield `data: ${JSON.stringify(value)}\n\n`
}
