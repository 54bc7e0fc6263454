import { ToolFailure } from '@sibyl/plugin'

// Each is a ToolFailure, so that model and person may read its text, and by its status and code an HTTP problem as well.

/** What was to be remembered looks like a secret. */
export class FactSecret extends ToolFailure {
  override readonly code = 'fact_secret'
  override readonly status = 400

  /** @param what What it looks like: 'a card number'. */
  constructor(what: string) {
    super(`That has what looks like ${what} in it. Secrets are not remembered: keep them in a password manager.`)
  }
}

/** The text has nothing in it that can be seen. */
export class FactEmpty extends ToolFailure {
  override readonly code = 'fact_empty'
  override readonly status = 400

  constructor() {
    super('There is no text to remember. Say what it is, in a sentence.')
  }
}

/** A person has as many facts as one may have. */
export class MemoryFull extends ToolFailure {
  override readonly code = 'memory_full'
  override readonly status = 409

  constructor(most: number) {
    super(`Nothing was remembered: ${most} facts are kept for you at most. Forget some first.`)
  }
}

/** A person has no fact of that id. */
export class FactUnknown extends ToolFailure {
  override readonly code = 'fact_not_found'
  override readonly status = 404

  constructor() {
    super('There is no fact of that id among yours. Recall or `GET /memory` tell the ids.')
  }
}

/** A cursor is none that a page gave. */
export class CursorInvalid extends ToolFailure {
  override readonly code = 'memory_cursor_invalid'
  override readonly status = 400

  constructor() {
    super('The cursor is none that a page gave. Send the `next` of a page, or none to begin anew.')
  }
}

/** All facts were to be forgotten, and nobody said so a second time. */
export class ConfirmationMissing extends ToolFailure {
  override readonly code = 'memory_confirmation_missing'
  override readonly status = 400

  constructor() {
    super('This forgets all that is remembered of you, for good. Send `?confirm=all` if that is meant.')
  }
}

/** The remote memory cannot be reached, or says that it fails. */
export class MemoryUnavailable extends ToolFailure {
  override readonly code = 'memory_unavailable'
  override readonly status = 503

  constructor(options?: ErrorOptions) {
    super('The memory cannot be reached just now. Try again in a minute.', options)
  }
}

/** The remote memory refused, or answered something that does not fit. */
export class MemoryRefused extends ToolFailure {
  override readonly code = 'memory_refused'
  override readonly status = 502

  constructor(options?: ErrorOptions) {
    super('The memory did not do that, or its answer could not be understood. Try again later.', options)
  }
}
