import { createHash, randomBytes } from 'node:crypto'
import type { Actor } from '@sibyl/plugin'
import type { Grant } from '@sibyl/plugin/host'
import type { Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreTables } from '../database/core-tables.ts'
import { readJson } from '../database/stored-json.ts'
import { revokedAmong, type SpentNonce, spendNonce } from './revocation-store.ts'

/** Maximum valid bearers of one DID; a further one replaces the oldest. */
export const maxBearersOfDid = 50

/** Maximum lifetime of a bearer, in seconds. */
export const maxBearerLifetimeSeconds = 900

export interface BearerGrant extends Omit<Actor, 'via'> {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export interface BearerRequest extends BearerGrant {
  /** See `Authentication`. */
  readonly policy: string
  /** The exchanged invocation, which is thereby spent. */
  readonly nonce: SpentNonce
  /** The `tokenHash` of the invocation and of each of its proofs: revoking one revokes the bearer. */
  readonly links: readonly string[]
  readonly now: number
}

const form = /^sibyl_[\w-]{43}$/

/** Returns whether a text has the form of a bearer token: `sibyl_` and 32 random bytes as base64url. */
export const isBearerToken = (text: string): boolean => form.test(text)

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Creates the store on the storage of the app. */
export const createBearerStore = (storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>) => ({
  /** Spends the invocation and issues a bearer, on disk before its token is returned. */
  async issue(request: BearerRequest) {
    const token = `sibyl_${randomBytes(32).toString('base64url')}`
    const refused = await storage.write(async tx => {
      if (!(await spendNonce(tx, request.nonce))) return 'replayed'
      if ((await revokedAmong(tx, request.links)).size > 0) return 'revoked'
      await insert(tx, hashOf(token), request)
      await dropOldest(tx, request.did)
      return undefined
    })
    return refused === undefined ? { token } : { refused }
  },
  /** Returns the grant of a token; undefined if it is unknown, expired, revoked or issued under another policy. */
  async find(token: string, policy: string, now: number): Promise<BearerGrant | undefined> {
    const row = await storage.read
      .selectFrom('core_bearers')
      .select(['did', 'scopes', 'holder', 'source', 'policy', 'expires_at'])
      .where('hash', '=', hashOf(token))
      .executeTakeFirst()
    if (!row || row.policy !== policy || row.expires_at <= now) return undefined
    const grant = row.source === null ? undefined : readJson<Grant>(row.source, {})
    return {
      did: row.did,
      scopes: readJson<string[]>(row.scopes, []),
      expiresAt: row.expires_at,
      ...(row.holder !== null && { holder: row.holder }),
      ...(grant && { grant }),
    }
  },
  /** Revokes one; returns the number of revoked bearers. */
  revoke: (token: string): Promise<number> =>
    storage.write(async tx => {
      const result = await tx.deleteFrom('core_bearers').where('hash', '=', hashOf(token)).executeTakeFirst()
      return Number(result.numDeletedRows)
    }),
  /** Revokes all of a DID; returns the number of revoked bearers. */
  revokeAllOf: (did: string): Promise<number> =>
    storage.write(async tx => {
      const result = await tx.deleteFrom('core_bearers').where('did', '=', did).executeTakeFirst()
      return Number(result.numDeletedRows)
    }),
})

/**
 * Stores bearers by the hash of their tokens. Nothing is cached, so that a revocation applies at once in every process.
 */
export type BearerStore = ReturnType<typeof createBearerStore>

const insert = async (tx: Transaction<CoreTables>, hash: string, request: BearerRequest): Promise<void> => {
  const { did, scopes, holder = null, grant, policy, links, now, expiresAt } = request
  await tx
    .insertInto('core_bearers')
    .values({
      hash,
      did,
      scopes: JSON.stringify(scopes),
      holder,
      source: grant ? JSON.stringify(grant) : null,
      policy,
      issued_at: now,
      expires_at: expiresAt,
    })
    .execute()
  await tx
    .insertInto('core_bearer_links')
    .values([...new Set(links)].map(link => ({ link, bearer: hash, expires_at: expiresAt })))
    .execute()
}

const dropOldest = async (tx: Transaction<CoreTables>, did: string): Promise<void> => {
  const rows = await tx
    .selectFrom('core_bearers')
    .select('hash')
    .where('did', '=', did)
    .orderBy('issued_at', 'desc')
    .execute()
  const tooMany = rows.slice(maxBearersOfDid).map(row => row.hash)
  if (tooMany.length > 0) await tx.deleteFrom('core_bearers').where('hash', 'in', tooMany).execute()
}
