import * as z from 'zod'

const spendingRow = z.object({
  name: z.string().meta({ description: 'A DID, a UTC day, a model or a tool' }),
  turns: z.int().meta({ description: 'Turns; with `tool`, runs' }),
  inputTokens: z.int(),
  outputTokens: z.int(),
  credits: z.string().meta({ description: 'Credits, with up to 6 decimals', example: '98.5' }),
})

/** Sums of spending by person, day, model or tool. */
export const spendingRecord = z.object({
  rows: z.array(spendingRow),
  isPartial: z.boolean().meta({ description: 'Whether there are more rows, or more turns than were counted' }),
})

export type SpendingRow = z.infer<typeof spendingRow>
export type SpendingRecord = z.infer<typeof spendingRecord>
