import { type ErrorIssue, ToolFailure } from '@sibyl/plugin'
import type { Fault } from '@sibyl/protocol'

/** Thrown at an input with faults, all of them at once. */
export abstract class FaultyInput extends ToolFailure {
  override readonly status = 422
  override readonly issues: readonly ErrorIssue[]

  /** @param what what is faulty, as the beginning of "… is not valid" */
  constructor(what: string, faults: readonly Fault[]) {
    const told = faults.slice(0, 5).map(({ path, message }) => `${path}: ${message}`)
    const more = faults.length > 5 ? ` And ${faults.length - 5} more.` : ''
    super(`${what} is not valid. ${told.join(' ')}${more}`)
    this.issues = faults
  }
}
