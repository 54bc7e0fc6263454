import { envMeta } from '@sibyl/plugin'
import type { z } from 'zod'
import { describeSchema } from './describe-schema.ts'

/** What to write into a variable: its example, or `https://… or embedded:` where a word may take the place of an address. */
export const envRemedy = (variable: string, schema: z.ZodType): string | undefined => {
  const takes = describeSchema(schema)
  return takes.startsWith('URL or ') ? takes.replace('URL', 'https://…') : envMeta(variable, schema).example
}
