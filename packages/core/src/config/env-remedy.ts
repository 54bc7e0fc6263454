import { envMeta } from '@sibyl/plugin/host'
import type { z } from 'zod'
import { describeSchema } from './describe-schema.ts'

/** Returns a suggestion for a variable: its example, or `https://… or embedded:` if it also accepts a keyword. */
export const envRemedy = (variable: string, schema: z.ZodType): string | undefined => {
  const takes = describeSchema(schema)
  return takes.startsWith('URL or ') ? takes.replace('URL', 'https://…') : envMeta(variable, schema).example
}
