import { z } from 'zod'

export const tasksEnv = z.object({
  TASKS_MAX_PER_USER: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(20)
    .meta({ description: 'Most tasks that one user may have at a time.', example: '20' }),
  TASKS_MAX_TOTAL: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .default(100_000)
    .meta({ description: 'Most tasks of all users together at a time.', example: '100000' }),
  TASKS_MISSED_RUN: z
    .enum(['run-once', 'skip'])
    .default('run-once')
    .meta({
      description:
        'Handling of a task that was due more than ten minutes ago because the oracle was not running: one run at once, however ' +
        'many runs were missed, or no run.',
      example: 'skip',
    }),
  TASKS_TIME_LIMIT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_600)
    .default(300)
    .meta({ description: "Time limit for the agent's work on one run of a task, in seconds.", example: '300' }),
  TASKS_MIN_INTERVAL_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_440)
    .default(15)
    .meta({ description: 'Shortest interval between two runs of a task, in minutes.', example: '15' }),
})
