import { isObject } from '@sibyl/protocol'

/** Returns the error in an answer with status 200: of the answer, or of its first choice; undefined without one. */
export const errorIn = (answer: unknown, event?: string): unknown => {
  if (!isObject(answer)) return undefined
  const { error, object, choices } = answer
  if (isError(error)) return error
  if (object === 'error' || event === 'error') return answer
  const first = Array.isArray(choices) && isObject(choices[0]) ? choices[0] : {}
  if (isError(first.error)) return first.error
  return first.finish_reason === 'error' ? { message: 'The answer ended with an error.' } : undefined
}

const isError = (value: unknown): boolean =>
  (isObject(value) && Object.keys(value).length > 0) || (typeof value === 'string' && value.trim() !== '')

const statusByWord: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many|exhausted|quota/i, 429],
  [/overload|unavailable/i, 503],
  [/auth|api.?key|permission|forbidden/i, 401],
  [/not.?found/i, 404],
  [/invalid|bad.?request/i, 400],
]

/** Returns the HTTP status that an error in an answer stands for: its number, or what its type says. */
export const statusOf = (error: unknown, otherwise = 500): number => {
  if (!isObject(error)) return otherwise
  const { code, status, status_code, statusCode, type } = error
  const number = [code, status, status_code, statusCode].map(Number).find(one => one >= 400 && one <= 599)
  const words = [type, code, status].filter(one => typeof one === 'string').join(' ')
  return number ?? statusByWord.find(([pattern]) => pattern.test(words))?.[1] ?? otherwise
}

/** Returns the chunk of a stream that stands for an error, as the AI SDK reads it: with its status as the code. */
export const errorChunk = (error: unknown): object => {
  const { message, type, code } = isObject(error) ? error : { message: error, type: undefined, code: undefined }
  const kind = [code, type].find(one => typeof one === 'string' && !/^\d*$/.test(one))
  return { error: { message: typeof message === 'string' ? message : '', type: kind ?? null, code: statusOf(error) } }
}
