import { abilityCovers, type Capability, type Delegation } from '@sibyl/identity'
import type { Storage } from '@sibyl/storage'
import type { CoreTables } from '../sessions/core-tables.ts'
import { readJson } from '../sessions/turn-message.ts'
import type { RevocationStore } from './revocation-store.ts'

/** The most delegations of one DID that are kept at once. */
export const maxDelegationsOfDid = 20

/** The largest delegation that is kept, in characters: an invocation that carries it still fits into a header. */
export const maxDelegationLength = 8_192

/** A delegation that somebody gave to the oracle. */
export interface KeptDelegation {
  /** The `tokenHash`. */
  readonly hash: string
  readonly issuer: string
  readonly capabilities: readonly Capability[]
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds since 1970, when the first token of its chain expires. */
  readonly expiresAt: number
}

/** What an invocation for somebody is to do. */
export interface DelegatedUse {
  readonly did: string
  readonly resource: string
  readonly abilities: readonly string[]
  readonly now: number
}

/** Keeps what people let the oracle do for them elsewhere. */
export interface DelegationStore {
  /** Keeps one, on disk; a repeat changes nothing. False when its owner has too many. */
  keep(did: string, token: string, delegation: Delegation, now: number): Promise<boolean>
  /** Those of a DID that are neither expired nor revoked, the oldest first. */
  list(did: string, now: number): Promise<KeptDelegation[]>
  /** The token that proves a use and lasts longest; undefined when there is none. */
  findProof(use: DelegatedUse): Promise<{ readonly token: string; readonly expiresAt: number } | undefined>
  /** Drops one of a DID, or all; gives how many there were. */
  drop(did: string, hash?: string): Promise<number>
  /** Forgets those that have expired. */
  forgetExpired(now: number): Promise<void>
}

/** Makes the store on the app's storage. */
export const createDelegationStore = (
  storage: Pick<Storage<CoreTables>, 'read' | 'write'>,
  revocations: Pick<RevocationStore, 'among'>,
): DelegationStore => {
  const good = async (did: string, now: number) => {
    const rows = await storage.read
      .selectFrom('core_delegations')
      .selectAll()
      .where('did', '=', did)
      .where('expires_at', '>', now)
      .orderBy('created_at')
      .execute()
    const read = rows.map(row => ({
      row,
      links: readJson<string[]>(row.links, []),
      capabilities: readJson<Capability[]>(row.capabilities, []),
    }))
    const revoked = await revocations.among(read.flatMap(({ links }) => links))
    return read.filter(({ links }) => !links.some(link => revoked.has(link)))
  }
  return {
    keep: (did, token, delegation, now) =>
      storage.write(async tx => {
        await tx.deleteFrom('core_delegations').where('did', '=', did).where('expires_at', '<=', now).execute()
        const rows = await tx.selectFrom('core_delegations').select('hash').where('did', '=', did).execute()
        if (rows.some(row => row.hash === delegation.hash)) return true
        if (rows.length >= maxDelegationsOfDid) return false
        await tx
          .insertInto('core_delegations')
          .values({
            did,
            hash: delegation.hash,
            token,
            issuer: delegation.issuer,
            capabilities: JSON.stringify(delegation.capabilities),
            links: JSON.stringify(delegation.links.map(link => link.hash)),
            created_at: now,
            expires_at: delegation.expiresAt * 1000,
          })
          .execute()
        return true
      }),
    async list(did, now) {
      return (await good(did, now)).map(({ row, capabilities }) => ({
        hash: row.hash,
        issuer: row.issuer,
        capabilities,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      }))
    },
    async findProof({ did, resource, abilities, now }) {
      const proofs = (await good(did, now)).filter(({ capabilities }) =>
        abilities.every(wanted =>
          capabilities.some(held => held.resource === resource && abilityCovers(held.ability, wanted)),
        ),
      )
      const [longest] = proofs.toSorted((one, other) => other.row.expires_at - one.row.expires_at)
      return longest && { token: longest.row.token, expiresAt: longest.row.expires_at }
    },
    drop: (did, hash) =>
      storage.write(async tx => {
        const own = tx.deleteFrom('core_delegations').where('did', '=', did)
        const result = await (hash === undefined ? own : own.where('hash', '=', hash)).executeTakeFirst()
        return Number(result.numDeletedRows)
      }),
    async forgetExpired(now) {
      await storage.write(tx => tx.deleteFrom('core_delegations').where('expires_at', '<=', now).execute())
    },
  }
}
