import { defineErrors, defineToolFailures, OracleError } from '@sibyl/plugin'

/** The homeserver cannot be reached, fails, or answers what is not Matrix; it is tried again. */
export class MatrixUnavailable extends OracleError {
  override readonly code = 'matrix_unavailable'
  override readonly status = 503

  /** @param what What it does: 'does not answer (ECONNREFUSED)'. */
  constructor(what: string, options?: ErrorOptions) {
    super(`The homeserver ${what}. Look at MATRIX_BASE_URL and at the homeserver.`, {}, options)
  }
}

/** An answer of the homeserver is larger than is read; a smaller one may be asked for. */
export class MatrixAnswerTooLong extends MatrixUnavailable {
  constructor(mostBytes: number) {
    super(`answers with more than ${mostBytes} bytes`)
  }
}

/** The homeserver takes no more requests for a while. */
export class MatrixBusy extends OracleError {
  override readonly code = 'matrix_busy'
  override readonly status = 503
  /** How long it wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super(`The homeserver takes no more requests for ${Math.ceil(retryAfterMs / 1_000)} s.`)
    this.retryAfterMs = retryAfterMs
  }
}

/** The homeserver does not take the access token: it has expired, or was ended. */
export class MatrixTokenRefused extends OracleError {
  override readonly code = 'matrix_token_refused'
  override readonly status = 503

  constructor() {
    super(
      'The homeserver does not take MATRIX_ORACLE_ADMIN_ACCESS_TOKEN any more. Sign the bot in anew and set it, or set ' +
        'MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD, with which the oracle signs in by itself.',
    )
  }
}

/** The homeserver refuses a request for good. */
export class MatrixRefused extends OracleError {
  override readonly code = 'matrix_refused'
  override readonly status = 502
  /** The HTTP status of the answer. */
  readonly answerStatus: number
  /** As Matrix names it: `M_FORBIDDEN`. */
  readonly errcode: string | undefined

  constructor(answerStatus: number, errcode: string | undefined) {
    super(`The homeserver refuses that (${errcode ?? `status ${answerStatus}`}).`)
    this.answerStatus = answerStatus
    this.errcode = errcode
  }
}

/** The bot cannot sign in as it is set up; the text names the variable. */
export class MatrixNotSetUp extends OracleError {
  override readonly code = 'matrix_not_set_up'
  override readonly status = 503
}

/** Errors of the package. */
export const matrixErrors = defineErrors({
  matrix_lease_lost: { status: 503, message: 'Another process of this oracle reads Matrix now.' },
})

/** Errors whose message the model and the user read. */
export const matrixFailures = defineToolFailures({
  matrix_room_unknown: {
    status: 404,
    message: 'There is no such Matrix room to which you may write. list_matrix_rooms tells which there are.',
  },
  matrix_room_missing: {
    status: 404,
    message: 'You have no direct Matrix room with this oracle. Write to it in Matrix first, or name a room.',
  },
  matrix_text_invalid: {
    status: 400,
    message: 'A message for a Matrix room needs text that can be seen, of at most {most} characters.',
  },
  matrix_outbox_full: {
    status: 503,
    message: 'Too many messages for Matrix wait to be sent already. Try again later.',
  },
})
