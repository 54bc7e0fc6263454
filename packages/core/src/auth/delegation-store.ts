import { abilityCovers, type Capability, type Delegation, impersonationAbility } from '@sibyl/identity'
import { type Full, fullOfRows, isoTime, type LimitShare } from '@sibyl/plugin'
import type { authSchemas } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import type { z } from 'zod'
import type { CoreTables } from '../database/core-tables.ts'
import { readJson } from '../database/stored-json.ts'
import type { RevocationStore } from './revocation-store.ts'

/** Maximum stored delegations: of one holder, and of all. */
export const maxDelegations = { ofHolder: 20, ofAll: 100_000 } as const

/** Maximum length of a stored delegation, in characters: an invocation with it still fits into a header. */
export const maxDelegationLength = 8_192

/** A stored delegation to the oracle; its audience is the oracle. */
export type KeptDelegation = Omit<z.infer<typeof authSchemas.delegationRecord>, 'audience'>

/** The use of a delegation in an invocation. */
export interface DelegatedUse {
  readonly did: string
  readonly resource: string
  readonly abilities: readonly string[]
  readonly now: number
}

/** A delegation that proves a use. */
export interface KeptProof {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** Whether it has `impersonationAbility` on the resource: the oracle may act there as the root of the delegation. */
  readonly asRoot: boolean
}

export interface DelegationToKeep {
  readonly did: string
  readonly share: LimitShare
  readonly token: string
  readonly delegation: Delegation
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Creates the store on the storage of the app. */
export const createDelegationStore = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
  revocations: Pick<RevocationStore, 'among'>,
) => {
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
    /** Stores one, on disk; a repeat changes nothing. Returns the exceeded limit, if any. */
    keep: ({ did, share, token, delegation, now }: DelegationToKeep): Promise<Full | undefined> =>
      storage.write(async tx => {
        await tx
          .deleteFrom('core_delegations')
          .where('holder', '=', share.holder)
          .where('expires_at', '<=', now)
          .execute()
        const rows = await tx.selectFrom('core_delegations').select('hash').where('did', '=', did).execute()
        if (rows.some(row => row.hash === delegation.hash)) return undefined
        const full = await fullOfRows(tx.selectFrom('core_delegations'), share, {
          perHolder: maxDelegations.ofHolder,
        })
        if (full) return full
        await tx
          .insertInto('core_delegations')
          .values({
            did,
            holder: share.holder,
            origin: share.network ?? null,
            hash: delegation.hash,
            token,
            issuer: delegation.issuer,
            capabilities: JSON.stringify(delegation.capabilities),
            links: JSON.stringify(delegation.links.map(link => link.hash)),
            created_at: now,
            expires_at: delegation.expiresAt * 1000,
          })
          .execute()
        return undefined
      }),
    /** Returns the valid ones of a DID, oldest first. */
    async list(did: string, now: number): Promise<KeptDelegation[]> {
      return (await good(did, now)).map(({ row, capabilities }) => ({
        hash: row.hash,
        issuer: row.issuer,
        capabilities,
        expiresAt: isoTime(row.expires_at),
      }))
    },
    /** Returns the token that proves a use and expires last, if any. */
    async findProof({ did, resource, abilities, now }: DelegatedUse): Promise<KeptProof | undefined> {
      const proofs = (await good(did, now)).filter(({ capabilities }) =>
        abilities.every(wanted =>
          capabilities.some(held => held.resource === resource && abilityCovers(held.ability, wanted)),
        ),
      )
      const [longest] = proofs.toSorted((one, other) => other.row.expires_at - one.row.expires_at)
      return (
        longest && {
          token: longest.row.token,
          expiresAt: longest.row.expires_at,
          asRoot: longest.capabilities.some(it => it.resource === resource && it.ability === impersonationAbility),
        }
      )
    },
    /** Returns whether the chain of a stored delegation has this link. */
    async restsOn(hash: string): Promise<boolean> {
      const row = await storage.read
        .selectFrom('core_delegations')
        .select('hash')
        .where('links', 'like', `%"${hash}"%`)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Removes one of a DID, or all; returns their number. */
    drop: (did: string, hash?: string): Promise<number> =>
      storage.write(async tx => {
        const own = tx.deleteFrom('core_delegations').where('did', '=', did)
        const result = await (hash === undefined ? own : own.where('hash', '=', hash)).executeTakeFirst()
        return Number(result.numDeletedRows)
      }),
  }
}

/** Stores delegations of users to the oracle, for actions at other services. */
export type DelegationStore = ReturnType<typeof createDelegationStore>
