import { authSchemas } from '@sibyl/protocol'
import * as z from 'zod'
import type { OracleHttp } from './http/oracle-http.ts'
import { pathSegment } from './http/path-segment.ts'
import { readJson } from './http/read-json.ts'

export type DelegationRecord = z.infer<typeof authSchemas.delegationRecord>

/** The delegations of the caller to the oracle for other services. */
export interface Delegations {
  /**
   * Gives the oracle a delegation, which it keeps until it expires.
   *
   * @param delegation A UCAN to the oracle's `did`, that the caller signed or that begins with one of theirs; at most
   * 8,192 characters.
   * @throws ProblemError with the oracle's code (`delegation_invalid`, `delegation_not_yours`, `delegations_full`, ...)
   *
   * @example
   * const { did = '' } = await client.oracle()
   * const resource = 'https://calendar.example'
   * await client.delegations.keep(await mintDelegation({ key, audience: did, resource, abilities: ['event/*'] }))
   */
  keep(delegation: string): Promise<DelegationRecord>
  /** Those of the caller that are good now, the oldest first and without their tokens. */
  list(): Promise<DelegationRecord[]>
  /**
   * Has the oracle forget one of the caller's, or all.
   *
   * @param hash As `keep` and `list` give it. @default all
   * @returns how many there were
   */
  drop(hash?: string): Promise<number>
}

const delegationList = z.object({ delegations: z.array(authSchemas.delegationRecord) })
const droppedRecord = z.object({ dropped: z.int() })

/**
 * Creates them on the connection of a client. Calls are signed with a key; a bearer of the client does not authorize
 * them.
 */
export const makeDelegations = (http: OracleHttp): Delegations => ({
  async keep(delegation) {
    const response = await http.send({
      method: 'POST',
      path: '/delegation',
      signs: ['delegation/keep'],
      body: { delegation },
    })
    return readJson(response, authSchemas.delegationRecord)
  },
  async list() {
    return (
      await readJson(
        await http.send({ method: 'GET', path: '/delegation', signs: ['delegation/read'] }),
        delegationList,
      )
    ).delegations
  },
  async drop(hash) {
    const path = hash === undefined ? '/delegation' : `/delegation/${pathSegment('delegation', hash)}`
    return (await readJson(await http.send({ method: 'DELETE', path, signs: ['delegation/delete'] }), droppedRecord))
      .dropped
  },
})
