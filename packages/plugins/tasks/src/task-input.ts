import { z } from 'zod'
import { maxWhat } from './store/task.ts'
import { whenInput } from './when/when-input.ts'

/** Where results go besides the session. */
export const deliverInput = z.object({
  sms: z
    .union([z.boolean(), z.string().max(40)])
    .optional()
    .describe("true for the person's own phone, or a number"),
  matrix: z
    .union([z.boolean(), z.string().max(300)])
    .optional()
    .describe("true for the person's own room, or a room's id or alias"),
})

/** What a task is made from, for the agent and over HTTP. */
export const taskInput = z.object({
  what: z
    .string()
    .trim()
    .min(1)
    .max(maxWhat)
    .describe('The instruction for the agent, whole in itself; with remind, what is to be said')
    .meta({ example: 'Write down what maize costs in Lusaka today' }),
  when: whenInput,
  timeZone: z.string().trim().min(1).max(60).optional().describe("IANA name; without it the person's own"),
  remind: z.boolean().default(false).describe('Only say `what` then, without work'),
  context: z
    .string()
    .trim()
    .max(maxWhat)
    .default('')
    .describe('What the run must know of this conversation: it begins anew'),
  deliver: deliverInput.default({}),
})

/** What was asked for. */
export type TaskInput = z.output<typeof taskInput>
