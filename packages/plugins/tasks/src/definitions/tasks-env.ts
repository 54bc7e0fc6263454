import { z } from 'zod'

export const tasksEnv = z.object({
  TASKS_MAX_PER_USER: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(20)
    .meta({ description: 'Most tasks that one person may have at a time.', example: '20' }),
  TASKS_MAX_TOTAL: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .default(100_000)
    .meta({ description: 'Most tasks of all persons together at a time.', example: '100000' }),
  TASKS_MISSED_RUN: z
    .enum(['run-once', 'skip'])
    .default('run-once')
    .meta({
      description:
        'What becomes of a task that was due more than ten minutes ago, since the oracle did not run: one run at once, however ' +
        'many times were missed, or none.',
      example: 'skip',
    }),
  TASKS_TIME_LIMIT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_600)
    .default(300)
    .meta({ description: 'How long the agent may work on one run of a task, in seconds.', example: '300' }),
  TASKS_MIN_INTERVAL_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_440)
    .default(15)
    .meta({ description: 'The shortest time between two runs of a task, in minutes.', example: '15' }),
})

export type TasksEnv = z.output<typeof tasksEnv>
