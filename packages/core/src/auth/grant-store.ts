import type { Delegation } from '@sibyl/identity'
import { type Full, fullOfRows, isoTime, type LimitShare } from '@sibyl/plugin'
import type { authSchemas } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import type { ExpressionBuilder } from 'kysely'
import type { z } from 'zod'
import type { CoreRow, CoreTables } from '../database/core-tables.ts'
import { readJson } from '../database/stored-json.ts'
import type { RevocationStore } from './revocation-store.ts'

/** Maximum recorded grants: of one holder who is not a controller, and of all such holders. */
export const maxGrants = { ofHolder: 200, ofAll: 100_000 } as const

/** A recorded delegation of access to the oracle. */
type RecordedGrant = z.infer<typeof authSchemas.grantRecord>

/** A delegation to record. */
export interface GrantToRecord {
  readonly delegation: Delegation
  readonly abilities: readonly string[]
  readonly name: string | undefined
  /** @default no limit */
  readonly share: LimitShare | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Creates the records of granted delegations, which list and revoke them. The oracle accepts others too. */
export const createGrantStore = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
  revocations: Pick<RevocationStore, 'among'>,
) => {
  const current = (now: number) => storage.read.selectFrom('core_grants').selectAll().where('expires_at', '>', now)
  return {
    /** Records one, on disk; a repeat changes its name. Returns the exceeded limit, if any. */
    record: ({ delegation, abilities, name, share, now }: GrantToRecord): Promise<Full | undefined> =>
      storage.write(async tx => {
        const { hash, issuer, audience, roots, links, expiresAt } = delegation
        const update = tx
          .updateTable('core_grants')
          .set({ name: name ?? null })
          .where('hash', '=', hash)
        if (Number((await update.executeTakeFirst()).numUpdatedRows) > 0) return undefined
        const counted = tx.selectFrom('core_grants').where('holder', 'is not', null).where('expires_at', '>', now)
        const full = share && (await fullOfRows(counted, share, { perHolder: maxGrants.ofHolder }))
        if (full) return full
        await tx
          .insertInto('core_grants')
          .values({
            hash,
            issuer,
            audience,
            root: roots[0] ?? issuer,
            name: name ?? null,
            abilities: JSON.stringify(abilities),
            links: JSON.stringify(links.map(link => link.hash)),
            holder: share?.holder ?? null,
            origin: share?.network ?? null,
            created_at: now,
            expires_at: expiresAt * 1000,
          })
          .execute()
        return undefined
      }),
    /** Returns the valid ones, ordered by hash. @param party Only those that this DID made, roots or has; `audience`: has */
    async list({
      party,
      audience,
      now,
      limit,
      after = '',
    }: {
      readonly audience?: string | undefined
      readonly party?: string | undefined
      readonly now: number
      readonly limit: number
      readonly after?: string | undefined
    }): Promise<RecordedGrant[]> {
      const found: CoreRow<'core_grants'>[] = []
      // Revoked ones are skipped, so that a page is full as long as there are more.
      for (let last = after; ; ) {
        const all = current(now).where('hash', '>', last).orderBy('hash').limit(limit)
        const page = audience === undefined ? all : all.where('audience', '=', audience)
        const rows = await (party === undefined ? page : page.where(isParty(party))).execute()
        const links = rows.map(row => readJson<string[]>(row.links, []))
        const revoked = await revocations.among(links.flat())
        found.push(...rows.filter((_, index) => !links[index]?.some(link => revoked.has(link))))
        last = rows.at(-1)?.hash ?? last
        if (rows.length < limit || found.length >= limit) return found.slice(0, limit).map(recordedGrant)
      }
    },
    /** Returns one that is not expired. */
    async find(hash: string, now: number): Promise<RecordedGrant | undefined> {
      const row = await current(now).where('hash', '=', hash).executeTakeFirst()
      return row && recordedGrant(row)
    },
  }
}

/** Selects the grants that a DID made, roots or has. */
const isParty = (did: string) => (of: ExpressionBuilder<CoreTables, 'core_grants'>) =>
  of.or([of('issuer', '=', did), of('audience', '=', did), of('root', '=', did)])

const recordedGrant = (row: CoreRow<'core_grants'>): RecordedGrant => ({
  hash: row.hash,
  issuer: row.issuer,
  audience: row.audience,
  root: row.root,
  ...(row.name !== null && { name: row.name }),
  abilities: readJson<string[]>(row.abilities, []),
  createdAt: isoTime(row.created_at),
  expiresAt: isoTime(row.expires_at),
})
