import { OracleError } from '@sibyl/plugin'

/** Thrown where other processes moved a session again and again while this one tried to. */
export class SessionContestedError extends OracleError {
  readonly code = 'ussd_session_contested'
  override readonly status = 503

  constructor(tries: number) {
    super(`Other processes moved a USSD session at each of ${tries} tries. The request may be sent again.`, { tries })
  }
}
