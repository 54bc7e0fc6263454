import { OracleError } from '../errors/oracle-error.ts'

/** The reason why an address is not allowed. */
export type OutboundViolation = 'url' | 'scheme' | 'credentials' | 'port' | 'address' | 'redirects'

const remedies: Readonly<Record<OutboundViolation, string>> = {
  url: 'it is not a URL',
  scheme: 'only http and https are allowed',
  credentials: 'it has a user name or password',
  port: 'only the ports 80, 443 and those from 1024 are allowed',
  address: 'it is not a public address',
  redirects: 'it redirects too often',
}

/** The oracle does not send requests to an address that a user or a model chose. */
export class OutboundRefused extends OracleError {
  readonly code = 'outbound_refused'
  override readonly status = 422
  readonly fault: OutboundViolation

  constructor(violation: OutboundViolation) {
    super(`The oracle does not send requests to this address: ${remedies[violation]}.`, { fault: violation })
    this.fault = violation
  }
}

/** The server at an address that a user or a model chose is unreachable, or does not speak HTTP. */
export class OutboundFailed extends OracleError {
  readonly code = 'outbound_failed'
  override readonly status = 502

  constructor(cause: unknown) {
    super('The server at this address is unreachable, or closed the connection.', {}, { cause })
  }
}

/** The server at an address that a user or a model chose did not respond in time. */
export class OutboundTimeout extends OracleError {
  readonly code = 'outbound_timeout'
  override readonly status = 504

  /** @param limitMs the time limit, in milliseconds */
  constructor(limitMs: number) {
    super(`The server at this address did not answer within ${limitMs / 1000} s.`, { limitMs })
  }
}
