import { ToolFailure } from '@sibyl/plugin'
import type { Fault } from '@sibyl/protocol'

/** A list is narrowed to something that it cannot be narrowed to; `issues` has every fault with its path. */
export class FilterInvalid extends ToolFailure {
  override readonly code = 'filter_invalid'
  override readonly status = 400
  override readonly issues: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    const shown = faults.slice(0, 3).map(({ path, message }) => `${path.slice(1)}: ${message}`)
    super(
      `The list cannot be narrowed so. ${shown.join(' ')}${faults.length > 3 ? ` And ${faults.length - 3} more.` : ''}`,
    )
    this.issues = faults
  }
}

/** A cursor is none that a page gave, or was given by a page of another query. */
export class CursorInvalid extends ToolFailure {
  override readonly code = 'cursor_invalid'
  override readonly status = 400
  override readonly issues: readonly Fault[]

  constructor() {
    const message =
      'The cursor is not one of this query. Send the `next` of a page with the filters of that page, or none to begin anew.'
    super(message)
    this.issues = [{ path: '/cursor', code: 'cursor_invalid', message }]
  }
}
