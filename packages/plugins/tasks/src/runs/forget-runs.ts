import type { Host } from '@sibyl/core'
import type { ForgottenRun, RunStore } from '../store/run-store.ts'
import { workingSessionOf } from '../store/task.ts'

/** Drops runs from the history, and before them the sessions in which the agent worked on them. */
export const forgetRuns = async (
  { turns, runs }: { readonly turns: Host['turns']; readonly runs: RunStore },
  old: readonly ForgottenRun[],
): Promise<void> => {
  for (const { id, owner, attempt: last } of old) {
    for (let attempt = 1; attempt <= last; attempt += 1) await turns.forget(owner, workingSessionOf({ id, attempt }))
  }
  if (old.length > 0) await runs.drop(old)
}
