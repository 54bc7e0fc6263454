import { z } from 'zod'

/** The variables of the plugin. */
export const tasksEnv = z.object({
  TASKS_MAX_PER_USER: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(20)
    .meta({ description: 'Most tasks that one person may have at a time.', example: '20' }),
})

/** What they say. */
export type TasksEnv = z.output<typeof tasksEnv>
