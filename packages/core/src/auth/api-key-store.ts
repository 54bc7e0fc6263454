import { createHash, randomBytes } from 'node:crypto'
import { impersonationAbility } from '@sibyl/identity'
import { type Actor, type Full, fullOfRows, isoTime, type LimitShare } from '@sibyl/plugin'
import { type CredentialSource, type Grant, joinGrants, newId } from '@sibyl/plugin/host'
import type { authSchemas } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import type { z } from 'zod'
import { type CoreRow, type CoreTables, rowByRow } from '../database/core-tables.ts'
import { readJson } from '../database/stored-json.ts'

/** Maximum stored API keys: of one holder, and of all. */
export const maxApiKeys = { ofHolder: 50, ofAll: 100_000 } as const

/** The name of stored API keys in grants. */
const apiKeySource = 'api-key'

/** Minimum time between two updates of the last use, in milliseconds. */
const usedIntervalMs = 60_000

/** A stored API key, without its secret. */
type ApiKeyRecord = z.infer<typeof authSchemas.apiKeyList>['keys'][number]

export interface ApiKeyToStore {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt: number
  readonly now: number
  /** Returns the DID that its holder acts as, by the ID of the key. */
  readonly didOf: (id: string) => string
  readonly share: LimitShare
  /** The grant of its creator; undefined if the operator creates it. */
  readonly grant: Grant | undefined
}

/**
 * Stores API keys by the hash of their secrets. Nothing is cached, so that a revocation applies at once in every process.
 */
export interface ApiKeyStore extends CredentialSource {
  /** Stores one, on disk before its secret is returned; or returns the exceeded limit. */
  create(key: ApiKeyToStore): Promise<{ readonly key: ApiKeyRecord; readonly secret: string } | { readonly full: Full }>
  /** Returns the valid ones, ordered by ID. @param did @default those of all */
  list(request: {
    readonly did?: string | undefined
    /** Only those with abilities of the operator. */
    readonly ofOperator?: boolean
    readonly now: number
    readonly limit: number
    readonly after?: string | undefined
  }): Promise<ApiKeyRecord[]>
  /** Revokes one. @param did Only if it acts as this DID. @default any */
  revoke(id: string, did?: string): Promise<boolean>
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

const prefix = 'sibyl_key_'

/** Creates the store on the storage of the app. */
export const createApiKeyStore = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
  now: () => number,
): ApiKeyStore => ({
  name: apiKeySource,
  prefix,
  async create({ name, scopes, expiresAt, didOf, share, grant, now: createdAt }) {
    const secret = `${prefix}${randomBytes(32).toString('base64url')}`
    const id = newId('key')
    const did = didOf(id)
    const full = await storage.write(async tx => {
      await tx
        .deleteFrom('core_api_keys')
        .where('holder', '=', share.holder)
        .where('expires_at', '<=', createdAt)
        .execute()
      // The operator has only the common limit.
      const limits = grant === undefined ? {} : { perHolder: maxApiKeys.ofHolder }
      const exceeded = await fullOfRows(tx.selectFrom('core_api_keys'), share, limits)
      if (exceeded) return exceeded
      await tx
        .insertInto('core_api_keys')
        .values({
          hash: hashOf(secret),
          id,
          name,
          did,
          scopes: JSON.stringify(scopes),
          holder: grant === undefined ? did : share.holder,
          origin: share.network ?? null,
          source: grant ? JSON.stringify(grant) : null,
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .execute()
      return undefined
    })
    if (full) return { full }
    const times = { createdAt: isoTime(createdAt), expiresAt: isoTime(expiresAt) }
    return { secret, key: { id, name, did, scopes: [...scopes], ...times } }
  },
  async find(credential) {
    const at = now()
    const row = await storage.read
      .selectFrom('core_api_keys')
      .selectAll()
      .where('hash', '=', hashOf(credential))
      .executeTakeFirst()
    if (!row || row.expires_at <= at) return undefined
    if (row.last_used_at === null || row.last_used_at + usedIntervalMs <= at) await noteUse(storage, row.hash, at)
    return actorOf(row)
  },
  async scopesOf(id) {
    const row = await storage.read
      .selectFrom('core_api_keys')
      .select(['scopes', 'expires_at'])
      .where('id', '=', id)
      .executeTakeFirst()
    return row && row.expires_at > now() ? readJson<string[]>(row.scopes, []) : undefined
  },
  async list({ did, ofOperator = false, now: at, limit, after }) {
    let query = storage.read.selectFrom('core_api_keys').selectAll().where('expires_at', '>', at)
    if (did !== undefined) query = query.where('did', '=', did)
    if (ofOperator) query = query.where('scopes', 'like', '%"operator/%')
    if (after !== undefined) query = query.where('id', '>', after)
    const rows = await query.orderBy('id').limit(limit).execute()
    return rows.map(row => ({
      id: row.id,
      name: row.name,
      did: row.did,
      scopes: readJson<string[]>(row.scopes, []),
      createdAt: isoTime(row.created_at),
      expiresAt: isoTime(row.expires_at),
      ...(row.last_used_at !== null && { lastUsedAt: isoTime(row.last_used_at) }),
    }))
  },
  revoke: (id, did) =>
    storage.write(async tx => {
      const named = tx.deleteFrom('core_api_keys').where('id', '=', id)
      const result = await (did === undefined ? named : named.where('did', '=', did)).executeTakeFirst()
      return Number(result.numDeletedRows) > 0
    }),
})

/** Returns the actor of a key: with `api-key` only if the operator created it, as plugins trust those. */
const actorOf = (row: CoreRow<'core_api_keys'>): Actor => {
  const held = { did: row.did, scopes: readJson<string[]>(row.scopes, []) }
  const credential = { source: apiKeySource, id: row.id }
  if (row.source === null)
    return { ...held, via: 'api-key', grant: { credential: { ...credential, byOperator: true } } }
  const source = readJson<Grant>(row.source, {})
  const grant = source.credential ? joinGrants({ credential }, source) : { ...source, credential }
  return { ...held, via: 'bearer', holder: row.holder, ...(grant && { grant }) }
}

/** Stores the last use. A failure, such as a full disk, does not reject the request. */
const noteUse = async (storage: Pick<Storage<CoreTables>, 'write'>, hash: string, at: number): Promise<void> => {
  await storage
    .write(
      tx => tx.updateTable('core_api_keys').set({ last_used_at: at }).where('hash', '=', hash).executeTakeFirst(),
      rowByRow,
    )
    .catch(() => undefined)
}

/** Abilities that a key never has: those that concern invocations, and the creation of further keys. */
export const isKeyScope = (scope: string): boolean => scope !== impersonationAbility && !scope.startsWith('auth/')
