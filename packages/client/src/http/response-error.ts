import { parseJson, problemSchema } from '@sibyl/protocol'
import type { ClientError } from '../errors/client-error.ts'
import { ProblemError } from '../errors/problem-error.ts'
import { UnexpectedResponseError } from '../errors/unexpected-response-error.ts'
import { readText } from './read-text.ts'

const maxProblemCharacters = 100_000

/** Makes the typed error of an answer that is not a success, and reads its body to the end. */
export const responseError = async (response: Response): Promise<ClientError> => {
  const { status, url } = response
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel()
    const target = response.headers.get('location')
    return new UnexpectedResponseError(
      url,
      status,
      target ? `it redirects to ${target}; use that address` : 'it redirects to another address',
    )
  }
  const text = await readText(response, maxProblemCharacters)
  const problem = problemSchema.safeParse(parseJson(text))
  if (!problem.success) return new UnexpectedResponseError(url, status, `HTTP ${status} without a problem document`)
  return new ProblemError(problem.data, retryAfterSeconds(response))
}

const retryAfterSeconds = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
