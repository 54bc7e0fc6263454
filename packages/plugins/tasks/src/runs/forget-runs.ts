import type { Host } from '@sibyl/plugin'
import type { ForgottenRun, OldRuns } from '../store/old-runs.ts'
import { workingSessionOf } from '../store/task.ts'

export interface ForgetParts {
  readonly turns: Host['turns']
  readonly oldRuns: OldRuns
}

/** Drops runs from the history, and before them the sessions in which the agent worked on them. */
export const forgetRuns = async ({ turns, oldRuns }: ForgetParts, old: readonly ForgottenRun[]): Promise<void> => {
  for (const { id, owner, attempt: last } of old) {
    for (let attempt = 1; attempt <= last; attempt += 1) await turns.forget(owner, workingSessionOf({ id, attempt }))
  }
  if (old.length > 0) await oldRuns.drop(old)
}
