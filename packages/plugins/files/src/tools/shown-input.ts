import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'

/** What a schema says of bounds, which are held when the tool is called. */
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'default'] as const

/** The input of a tool as the model is shown it, in few tokens: JSON Schema without its dialect and without bounds. */
export const shownInput = (input: z.ZodType): JsonObject => {
  const { $schema: _, ...shown } = z.toJSONSchema(input, {
    io: 'input',
    override({ jsonSchema }) {
      for (const bound of bounds) delete jsonSchema[bound]
    },
  })
  return JSON.parse(JSON.stringify(shown))
}
