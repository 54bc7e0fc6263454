import { authSchemas } from '@sibyl/protocol'
import { bearerHeader } from './credentials/bearer-header.ts'
import type { BearerRecord, BearerRequest, OracleHttp } from './http/oracle-http.ts'
import { readJson } from './http/read-json.ts'

/** Bearers for programs that cannot sign. */
export interface Bearers {
  /**
   * Exchanges an invocation for a bearer of at most 15 minutes.
   *
   * @param request What it may do and for how long. @default `scopes`: sending and sessions; 900 seconds
   * @throws ProblemError with the oracle's code (`scope_not_held`, `invocation_needed`, ...)
   */
  exchange(request?: BearerRequest): Promise<BearerRecord>
  /**
   * Revokes one bearer, or all of the caller's DID.
   *
   * @param token The bearer. @default all
   * @returns how many there were
   */
  revoke(token?: string): Promise<number>
}

/** Makes them on a client's connection. */
export const makeBearers = (http: OracleHttp): Bearers => ({
  exchange: request => http.exchange(request),
  async revoke(token) {
    const caller = token === undefined ? { signs: ['auth/token'] } : { headers: bearerHeader(token) }
    const response = await http.send({ method: 'DELETE', path: '/auth/token', ...caller })
    return (await readJson(response, authSchemas.bearerRevocationRecord)).revoked
  },
})
