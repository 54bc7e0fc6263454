import type { CamelCaseStorage } from '@sibyl/plugin/host'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { hashOf } from './hash-of.ts'
import type { OauthTables } from './oauth-tables.ts'

/** Maximum registered clients that no user signed in to. A further one replaces the oldest of the network that has most. */
export const maxUnusedClients = 1_000

/** Maximum clients of all. A further one replaces the one whose last sign-in is the oldest. */
export const maxClients = 50_000

/** Maximum sign-ins that have begun. A further one replaces the oldest of the network that has most. */
export const maxBegun = 10_000

/** Most records that one registration or sign-in replaces. */
const maxReplaced = 1_000

/** Time for which a client without a sign-in is stored, in milliseconds. */
const unusedMs = 24 * 3_600_000

/** Time for which a second use of a refresh token is recognized and ends its sign-in, in milliseconds. */
const consumedMs = 7 * 24 * 3_600_000

/** Time for which the client may repeat a code or a refresh token whose answer was lost, in milliseconds. */
export const repeatMs = 60_000

const clientKind = 'Client'

/** Kinds of records of sign-ins that have begun. */
const strangersCreate: ReadonlySet<string> = new Set(['Interaction', 'Session', 'Device', 'UserCode'])

export interface RecordStoreParts {
  readonly storage: CamelCaseStorage<OauthTables>
  readonly now: () => number
  /** Returns the network of the request. */
  readonly site?: () => string | undefined
  /** For codes and refresh tokens: returns the refresh token that follows one. */
  readonly successorOf?: (id: string) => string
  /** Returns the error for a code or a token that was used before. */
  readonly usedError: () => Error
}

/** Returns the storage of one kind of record, as oidc-provider requires it: IDs are hashed, and each code is used once. */
export const recordStore = (kind: string, parts: RecordStoreParts): Adapter => {
  const { storage, now, usedError, site, successorOf } = parts
  const { read, write } = storage
  const isClient = kind === clientKind
  const rowOf = (of: string, id: string) =>
    read
      .selectFrom('oauth_records')
      .select(['payload', 'consumedAt'])
      .where(eb => eb.and({ kind: of, id: hashOf(id) }))
      .where('expiresAt', '>', now())
      .executeTakeFirst()
  /** Returns whether the answer may have been lost: it was just given, and what followed was not used. */
  const mayRepeat = async (id: string, consumedAt: number): Promise<boolean> =>
    successorOf !== undefined &&
    consumedAt > now() - repeatMs &&
    ((await rowOf('RefreshToken', successorOf(id)))?.consumedAt ?? null) === null
  return {
    async upsert(id, payload, expiresIn) {
      const at = now()
      const { jti: _, ...rest } = payload
      const values = {
        payload: JSON.stringify(isClient ? payload : rest),
        grantId: payload.grantId === undefined ? null : hashOf(payload.grantId),
        signIn: payload.accountId ?? null,
        expiresAt: at + (isClient ? unusedMs : (expiresIn ?? 0) * 1000),
      }
      await write(async tx => {
        await makeRoom(tx, kind, at)
        await tx
          .insertInto('oauth_records')
          .values({ kind, id: hashOf(id), ...values, consumedAt: null, site: site?.() ?? null })
          .onConflict(conflict => conflict.columns(['kind', 'id']).doUpdateSet(values))
          .execute()
        if (kind === 'AccessToken' && values.signIn !== null)
          await tx.updateTable('oauth_sign_ins').set({ usedAt: at }).where('id', '=', values.signIn).execute()
      })
    },
    async find(id) {
      const row = await rowOf(kind, id)
      if (!row) return undefined
      const payload = JSON.parse(row.payload) as AdapterPayload
      if (isClient) return payload
      const isUsed = row.consumedAt !== null && !(await mayRepeat(id, row.consumedAt))
      return { ...payload, jti: id, ...(isUsed ? { consumed: Math.floor(row.consumedAt! / 1000) } : {}) }
    },
    // Sessions and user codes are not used.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    async consume(id) {
      const at = now()
      const isFirst = await write(async tx => {
        const { numUpdatedRows } = await tx
          .updateTable('oauth_records')
          .set({ consumedAt: at })
          .where(eb => eb.and({ kind, id: hashOf(id) }))
          .where('consumedAt', 'is', null)
          .executeTakeFirst()
        await tx
          .updateTable('oauth_records')
          .set({ expiresAt: at + consumedMs })
          .where(eb => eb.and({ kind, id: hashOf(id) }))
          .where('expiresAt', '>', at + consumedMs)
          .executeTakeFirst()
        return Number(numUpdatedRows) > 0
      })
      if (isFirst) return
      const consumedAt = (await rowOf(kind, id))?.consumedAt ?? null
      if (consumedAt === null || !(await mayRepeat(id, consumedAt))) throw usedError()
    },
    async destroy(id) {
      await write(tx =>
        tx.deleteFrom('oauth_records').where('kind', '=', kind).where('id', '=', hashOf(id)).executeTakeFirst(),
      )
    },
    async revokeByGrantId(grantId) {
      await write(tx =>
        tx
          .deleteFrom('oauth_records')
          .where(eb => eb.and({ kind, grantId: hashOf(grantId) }))
          .executeTakeFirst(),
      )
    },
  }
}

/** Stores a client until a time, in milliseconds since 1970, since a user signed in to it. */
export const keepClient = async (
  { write }: CamelCaseStorage<OauthTables>,
  id: string,
  until: number,
): Promise<void> => {
  await write(tx =>
    tx
      .updateTable('oauth_records')
      .set({ expiresAt: until })
      .where(eb => eb.and({ kind: clientKind, id: hashOf(id) }))
      .executeTakeFirst(),
  )
}

type Write = CamelCaseStorage<OauthTables>['write']

/** Deletes the oldest records of the network that has most of a kind, which strangers can create without end. */
const makeRoom = async (tx: Parameters<Parameters<Write>[0]>[0], kind: string, now: number): Promise<void> => {
  if (strangersCreate.has(kind)) await dropOldest(tx, kind, maxBegun)
  if (kind !== clientKind) return
  await dropOldest(tx, kind, maxUnusedClients, now + unusedMs)
  await dropOldest(tx, kind, maxClients)
}

/** @param until Only those that expire by then. */
const dropOldest = async (
  tx: Parameters<Parameters<Write>[0]>[0],
  kind: string,
  max: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<void> => {
  const some = tx.selectFrom('oauth_records').where('kind', '=', kind).where('expiresAt', '<=', until)
  const { count } = await some.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const surplus = Number(count) - max + 1
  if (surplus <= 0) return
  const { site } = await some
    .select('site')
    .groupBy('site')
    .orderBy(eb => eb.fn.countAll(), 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const oldest = await some
    .select('id')
    .where('site', site === null ? 'is' : '=', site)
    .orderBy('expiresAt')
    .limit(Math.min(surplus, maxReplaced))
    .execute()
  await tx
    .deleteFrom('oauth_records')
    .where('kind', '=', kind)
    .where(
      'id',
      'in',
      oldest.map(row => row.id),
    )
    .execute()
}
