import { z } from 'zod'

/** Returns the JSON Schema of `oracle.config.json`, which editors read through its `$schema`. */
export const configSchema = (schema: z.ZodType): string => {
  const title = 'oracle.config.json'
  return `${JSON.stringify({ ...z.toJSONSchema(schema, { io: 'input' }), title }, null, 2)}\n`
}
