import { maxEnded } from './task.ts'
import type { TasksTransaction } from './task-tables.ts'

/** When a task ended that is to be forgotten at the next sweep. */
export const forgotten = 0

/** Gives up the oldest ended tasks of a person where there are too many. */
export const forgetEnded = async (tx: TasksTransaction, owner: string): Promise<void> => {
  const old = await tx
    .selectFrom('tasks_tasks')
    .select('id')
    .where('owner', '=', owner)
    .where('ended_at', '>', forgotten)
    .orderBy('ended_at', 'desc')
    .limit(1_000)
    .offset(maxEnded)
    .execute()
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await tx.updateTable('tasks_tasks').set({ ended_at: forgotten }).where('id', 'in', ids).execute()
}
