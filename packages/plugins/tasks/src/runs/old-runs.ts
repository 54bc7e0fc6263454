import type { Host } from '@sibyl/plugin'
import { maxRuns, workingSessionOf } from '../store/task.ts'
import { rowByRow, type TasksStorage, type TasksTables } from '../store/task-tables.ts'

export type ForgottenRun = Pick<TasksTables['tasks_runs'], 'id' | 'owner' | 'attempt'>

/** Reads runs that are past their retention. */
export class OldRuns {
  readonly #storage: TasksStorage

  constructor(storage: TasksStorage) {
    this.#storage = storage
  }

  /** Returns a few runs above the limit of their task. */
  async tooMany(task: string): Promise<readonly ForgottenRun[]> {
    return await this.#storage.read
      .selectFrom('tasks_runs')
      .select(['id', 'owner', 'attempt'])
      .where(eb => eb.and({ task, told: 1 }))
      .orderBy('due_at', 'desc')
      .limit(20)
      .offset(maxRuns)
      .execute()
  }

  /** Returns at most `limit` runs that are past their retention, or whose task is. */
  async tooOld(before: number, limit: number): Promise<readonly ForgottenRun[]> {
    const reported = this.#storage.read
      .selectFrom('tasks_runs')
      .select(['id', 'owner', 'attempt'])
      .where('told', '=', 1)
      .limit(limit)
    const old = await reported.where('started_at', '<', before).execute()
    if (old.length > 0) return old
    return await reported
      .where('task', 'in', eb => eb.selectFrom('tasks_tasks').select('id').where('ended_at', '<', before))
      .execute()
  }

  async drop(runs: readonly ForgottenRun[]): Promise<void> {
    const ids = runs.map(({ id }) => id)
    await this.#storage.write(tx => tx.deleteFrom('tasks_runs').where('id', 'in', ids).execute(), rowByRow)
  }
}

export interface ForgetDependencies {
  readonly turns: Host['turns']
  readonly oldRuns: OldRuns
}

/** Deletes runs from the history, after the sessions in which the agent worked on them. */
export const forgetRuns = async (
  { turns, oldRuns }: ForgetDependencies,
  old: readonly ForgottenRun[],
): Promise<void> => {
  for (const { id, owner, attempt: last } of old) {
    for (let attempt = 1; attempt <= last; attempt += 1) await turns.forget(owner, workingSessionOf({ id, attempt }))
  }
  if (old.length > 0) await oldRuns.drop(old)
}
