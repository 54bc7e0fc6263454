import type { PersonQuestion } from '@sibyl/plugin'
import { z } from 'zod'

/** The longest question, and the longest schema of its answer as JSON, in characters. */
const maxText = 1_000
const maxSchema = 8_000

const question = z.object({
  text: z
    .string()
    .max(maxText)
    .refine(text => text.trim() !== ''),
  schema: z
    .object({ type: z.literal('object') })
    .loose()
    .optional(),
  boundToProcess: z.boolean().default(false),
})

/** What a tool asks a person, as a copy that JSON can carry. Throws where it cannot be asked. */
export const readQuestion = (given: PersonQuestion): PersonQuestion => {
  const { text, schema, boundToProcess } = question.parse(given)
  if (schema === undefined) return { text, boundToProcess }
  const json = JSON.stringify(schema)
  if (json.length > maxSchema) throw new RangeError(`The schema of a question has more than ${maxSchema} characters`)
  return { text, schema: JSON.parse(json), boundToProcess }
}
