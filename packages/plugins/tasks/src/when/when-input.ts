import { z } from 'zod'

/** The days of the week, the first one as in cron's 0. */
export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

const timeForm = /^([01]?\d|2[0-4])([:.][0-5]\d)?( ?[aApP][mM])?$/

/** When a task is to run: exactly one of `at`, `inMinutes`, `every` and `cron`. */
export const whenInput = z.object({
  at: z
    .string()
    .max(40)
    .optional()
    .describe("Once: '2026-12-01T07:00', or with an offset")
    .meta({ example: '2026-12-01T07:00' }),
  inMinutes: z.int().min(1).max(527_040).optional().describe('Once, from now'),
  every: z.enum(['hour', 'day', 'weekday', 'week', 'month']).optional(),
  time: z.string().max(10).regex(timeForm).optional().describe("With every: '07:00'; of an hour '00:15'"),
  on: z.enum(weekdays).optional().describe('With week'),
  dayOfMonth: z
    .union([z.int().min(1).max(31), z.literal('last')])
    .optional()
    .describe('With month'),
  cron: z.string().max(100).optional().describe("Else: '0 7 1 */3 *'"),
})

/** What was said about when. */
export type WhenInput = z.output<typeof whenInput>
