import type { z } from 'zod'
import { UnexpectedResponseError } from '../errors/request-errors.ts'
import { readText } from './read-text.ts'

/** The most characters of a JSON answer. */
const maxJsonCharacters = 64_000_000

/**
 * Reads a body as JSON of a known shape.
 *
 * @throws UnexpectedResponseError (`unexpected_response`) naming the place where it differs
 */
export const readJson = async <Value>(
  response: Response,
  schema: z.ZodType<Value>,
  limit = maxJsonCharacters,
): Promise<Value> => {
  const text = await readText(response, limit)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UnexpectedResponseError(response.url, response.status, 'the response is not JSON', { cause: error })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const place = issue?.path.join('.') || 'the answer'
  throw new UnexpectedResponseError(response.url, response.status, `${place}: ${issue?.message ?? 'not valid'}`)
}
