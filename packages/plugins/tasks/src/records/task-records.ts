import * as z from 'zod'

/**
 * `active` runs when due; `paused` skips its times; `stopped` failed too often or permanently; `done` had its only run;
 * `cancelled`.
 */
export const taskStates = ['active', 'paused', 'stopped', 'done', 'cancelled'] as const
export type TaskState = (typeof taskStates)[number]

/** `waiting` will be retried; `missed` did not take place; `stopped` was stopped by a user. */
export const runStates = ['running', 'waiting', 'done', 'failed', 'missed', 'stopped'] as const
export type RunState = (typeof runStates)[number]

const time = z.iso.datetime()
const channel = z.enum(['sms', 'matrix'])

/** A task for its owner: phone numbers are masked. */
export const taskRecord = z.object({
  id: z.string(),
  what: z.string(),
  context: z.string(),
  remind: z.boolean(),
  when: z.string().meta({ description: 'The schedule as text', example: 'every Monday at 07:00' }),
  at: time.optional().meta({ description: 'Time of a one-time task' }),
  cron: z
    .string()
    .optional()
    .meta({ description: 'Pattern of a recurring task; `timeZone` applies', example: '0 7 * * 1' }),
  timeZone: z.string(),
  state: z.enum(taskStates),
  next: time.optional(),
  nextInWords: z.string().optional(),
  session: z.string().meta({ description: 'Session for results' }),
  deliver: z.array(z.object({ channel, to: z.string() })),
  failures: z.int().meta({ description: 'Number of consecutive failures' }),
  stopReason: z
    .string()
    .optional()
    .meta({ description: 'Code of the reason why it was stopped', example: 'grant_revoked' }),
  createdAt: time,
})

/** A run for the owner of its task. */
export const runRecord = z.object({
  id: z.string(),
  dueAt: time,
  state: z.enum(runStates),
  late: z.boolean(),
  manual: z.boolean().meta({ description: 'Requested outside the schedule' }),
  attempts: z.int(),
  text: z.string(),
  code: z.string().optional().meta({ description: 'Reason why it failed or was missed' }),
  sent: z.array(z.object({ channel, to: z.string(), fault: z.string().optional() })),
  startedAt: time,
  endedAt: time.optional(),
})

/** A task for the operator: without its instruction, its context, its results and its addresses. */
export const listedTaskRecord = taskRecord
  .pick({
    id: true,
    remind: true,
    when: true,
    at: true,
    cron: true,
    timeZone: true,
    state: true,
    next: true,
    failures: true,
    stopReason: true,
    createdAt: true,
  })
  .extend({
    did: z.string().meta({ description: 'Its owner' }),
    channels: z.array(z.enum(['sms', 'matrix'])).meta({ description: 'Where results are sent besides the session' }),
    lastRun: runRecord
      .pick({
        dueAt: true,
        state: true,
        late: true,
        manual: true,
        attempts: true,
        code: true,
        startedAt: true,
        endedAt: true,
      })
      .optional(),
  })

/** A run that is due: the owner sees its instruction, and an operator its owner. */
export const dueRunRecord = z.object({
  task: z.string(),
  at: time,
  timeZone: z.string(),
  what: z.string().optional(),
  did: z.string().optional(),
})

export type TaskRecord = z.infer<typeof taskRecord>
export type DueRunRecord = z.infer<typeof dueRunRecord>
export type RunRecord = z.infer<typeof runRecord>
export type ListedTaskRecord = z.infer<typeof listedTaskRecord>
