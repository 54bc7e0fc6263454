import type { JsonObject } from '@sibyl/protocol'
import { openaiErrors } from '../errors/openai-errors.ts'

/**
 * Returns the schema of an answer by the type of its form; undefined for text.
 *
 * @throws `openai_not_supported`
 */
export const answerForm = (type = 'text', schema?: JsonObject): JsonObject | undefined => {
  if (type === 'text') return undefined
  if (type === 'json_object') return { type: 'object' }
  if (type === 'json_schema' && schema) return schema
  throw openaiErrors.openai_not_supported({ what: `\`${type}\` as the form of the answer` })
}
