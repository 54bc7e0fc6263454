import { z } from 'zod'

const time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform(text => Date.parse(text))
  .optional()

/** A range of time, as a query has it: a day of UTC, or a time of ISO 8601. */
export const timeRange = {
  from: time.meta({ description: 'A day of UTC, or a time; itself included', example: '2026-11-01' }),
  to: time.meta({ description: 'A day of UTC, or a time; itself not included', example: '2026-12-01' }),
}

/** The range without what was not said. */
export const between = ({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }) => ({
  from,
  to,
})

/** An answer that is a table. */
export const csvAnswer = (description: string) => ({
  description,
  content: { 'text/csv': { schema: z.string() } },
})
