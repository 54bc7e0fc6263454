import { ToolFailure } from '@sibyl/plugin'

/** A cursor is none of this oracle, or of another query. */
export class CursorInvalid extends ToolFailure {
  override readonly code = 'cursor_invalid'
  override readonly status = 400

  constructor() {
    super('The cursor does not belong to this query. Begin again without one.')
  }
}
