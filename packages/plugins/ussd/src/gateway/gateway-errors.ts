import { OracleError } from '@sibyl/plugin'

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
