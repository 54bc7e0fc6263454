import { OracleError } from '@sibyl/plugin'

/** A phone number sent more requests in a minute than it may. */
export class PhoneRateLimited extends OracleError {
  readonly code = 'rate_limited'
  override readonly status = 429

  /** @param perMinute How many it may send. */
  constructor(perMinute: number) {
    super(`This phone number may send ${perMinute} requests a minute.`)
  }
}

/** A session did not answer as soon as a telecom gateway needs it; what it does goes on. */
export class UssdReplyLate extends OracleError {
  readonly code = 'ussd_reply_late'
  override readonly status = 503

  /** @param seconds How long it was waited for. */
  constructor(seconds: number) {
    super(`There was no reply within ${seconds} s.`)
  }
}

/** A request of a provider, or of the spec's own form, does not fit. */
export class UssdRequestInvalid extends OracleError {
  readonly code = 'ussd_request_invalid'
  override readonly status = 400

  constructor() {
    super('The request does not fit what this route takes.')
  }
}

/** The session is over, or never was. */
export class UssdSessionNotFound extends OracleError {
  readonly code = 'session_not_found'
  override readonly status = 404

  constructor() {
    super('No session of that id is active. It expired, was ended, or never began.')
  }
}

/** The route is the operator's, and the token is missing or wrong. */
export class UssdOperatorTokenNeeded extends OracleError {
  readonly code = 'operator_token_needed'
  override readonly status = 401

  /** @param isSet Whether there is a token to send. */
  constructor(isSet: boolean) {
    super(
      isSet
        ? 'Send the operator token: Authorization: Bearer <USSD_OPERATOR_TOKEN>.'
        : 'No operator token is set, so this route is closed. Set USSD_OPERATOR_TOKEN.',
    )
  }
}
