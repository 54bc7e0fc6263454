import { type ErrorIssue, ToolFailure } from '@sibyl/plugin'
import type { ZodError } from 'zod'

/** A change has something in it that is no preference. */
export class PreferencesInvalid extends ToolFailure {
  override readonly code = 'preferences_invalid'
  override readonly status = 400
  override readonly issues: readonly ErrorIssue[]

  constructor({ issues }: Pick<ZodError, 'issues'>) {
    const faults = issues.flatMap(issue =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(key => ({ path: `/${key.slice(0, 60)}`, message: 'is no preference' }))
        : [{ path: `/${issue.path.join('/')}`, message: issue.message }],
    )
    super(`Nothing was changed: ${faults.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')}.`)
    this.issues = faults
  }
}
