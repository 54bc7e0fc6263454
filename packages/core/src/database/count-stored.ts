import { countedOrigins } from '@sibyl/plugin'
import type { StoredBytes } from '@sibyl/plugin/host'
import { type FixedStatement, runFixed, sql } from '@sibyl/storage'
import type { Kysely, Transaction } from 'kysely'
import type { CoreTables } from './core-tables.ts'
import { conversations } from './stored-bytes-tables.ts'

/** Parts of the sum of everyone, so that writers of different users do not wait for each other on PostgreSQL. */
const parts = 16

/**
 * Adds bytes to what users store of a kind, in the transaction that stores or deletes them. Call it last: writers of one holder
 * or network wait for each other, in the order of their names. Without a network, that of the last write stays.
 */
export const countStored = async (
  tx: Transaction<CoreTables>,
  changes: readonly StoredBytes[],
  kind: string = conversations,
): Promise<void> => {
  const sums = new Map<string, number>()
  for (const change of changes.toSorted((one, other) => compare(one.did, other.did))) {
    if (change.bytes !== 0) await countPerson(tx, kind, change, sums)
  }
  const changed = [...sums].filter(([, bytes]) => bytes !== 0).sort(([one], [other]) => compare(one, other))
  for (let next = 0; next < changed.length; next += sumAdds.length) {
    const some = changed.slice(next, next + sumAdds.length)
    const values = some.flatMap(([name, bytes], index) => [
      [`name${index}`, `${kind} ${name}`],
      [`bytes${index}`, bytes],
    ])
    await runFixed(tx, sumAdds[some.length - 1]!, Object.fromEntries(values))
  }
  const less = changed.flatMap(([name, bytes]) => (bytes < 0 && !name.startsWith('all:') ? [`${kind} ${name}`] : []))
  if (less.length === 0) return
  await tx.deleteFrom('core_stored_sums').where('name', 'in', less).where('bytes', '<=', 0).execute()
}

/** Returns what a user stores of a kind; undefined without data. */
export const storedBy = async (db: Kysely<CoreTables>, did: string, kind: string = conversations) => {
  const row = await db
    .selectFrom('core_stored_bytes')
    .select(['did', 'holder', 'origin', 'bytes'])
    .where(eb => eb.and({ kind, did }))
    .executeTakeFirst()
  return row && { ...row, origin: row.origin ?? undefined, bytes: Number(row.bytes) }
}

/** Changes the row of a user, and adds what that changes to the sums. */
const countPerson = async (
  tx: Transaction<CoreTables>,
  kind: string,
  { did, holder = did, origin, bytes }: StoredBytes,
  sums: Map<string, number>,
): Promise<void> => {
  const [row] = await (bytes > 0
    ? runFixed(tx, personAdd, { kind, did, holder, origin: origin ?? null, bytes })
    : runFixed(tx, personSubtract, { kind, did, bytes }))
  if (!row) return
  const before = Number(row.bytes) - bytes
  const after = Math.max(0, Number(row.bytes))
  const now = { holder: bytes > 0 ? holder : row.holder, origin: (bytes > 0 ? origin : undefined) ?? row.origin }
  const add = (name: string, change: number) => sums.set(name, (sums.get(name) ?? 0) + change)
  add(`all:${did.charCodeAt(did.length - 1) % parts}`, after - before)
  for (const name of sumsOf(row)) add(name, -before)
  for (const name of sumsOf(now)) add(name, after)
  const ofPerson = { kind, did }
  if (after === 0)
    await tx
      .deleteFrom('core_stored_bytes')
      .where(eb => eb.and(ofPerson))
      .execute()
  else if (now.holder !== row.holder || now.origin !== row.origin) {
    await tx
      .updateTable('core_stored_bytes')
      .set(now)
      .where(eb => eb.and(ofPerson))
      .execute()
  }
}

/** Returns the names of the sums that a user counts in: of the holder, of the network, and of the site. */
const sumsOf = ({ holder, origin }: Pick<Person, 'holder' | 'origin'>): ReadonlySet<string> =>
  new Set([`holder:${holder}`, ...countedOrigins(origin).map(name => `origin:${name}`)])

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

interface Person {
  readonly kind: string
  readonly did: string
  readonly holder: string
  readonly origin: string | null
  readonly bytes: number
}

const personAdd: FixedStatement<CoreTables, Person, Omit<Person, 'kind' | 'did'>> = (tx, value) =>
  tx
    .insertInto('core_stored_bytes')
    .values({
      kind: value('kind'),
      did: value('did'),
      holder: value('holder'),
      origin: value('origin'),
      bytes: value('bytes'),
    })
    .onConflict(conflict =>
      conflict.columns(['kind', 'did']).doUpdateSet({ bytes: sql`core_stored_bytes.bytes + excluded.bytes` }),
    )
    .returning(['holder', 'origin', 'bytes'])

const personSubtract: FixedStatement<
  CoreTables,
  Pick<Person, 'kind' | 'did' | 'bytes'>,
  Omit<Person, 'kind' | 'did'>
> = (tx, value) =>
  tx
    .updateTable('core_stored_bytes')
    .set({ bytes: sql`bytes + ${value('bytes')}` })
    .where(eb => eb.and({ kind: value('kind'), did: value('did') }))
    .returning(['holder', 'origin', 'bytes'])

/** Adds to one sum, and to up to six: of all, of a holder, and of two networks with their sites. */
const sumAdds = Array.from(
  { length: 6 },
  (_, last): FixedStatement<CoreTables, Record<`name${number}`, string> & Record<`bytes${number}`, number>, unknown> =>
    (tx, value) =>
      tx
        .insertInto('core_stored_sums')
        .values(
          Array.from({ length: last + 1 }, (_, index) => ({
            name: value(`name${index}`),
            bytes: value(`bytes${index}`),
          })),
        )
        .onConflict(conflict =>
          conflict.column('name').doUpdateSet({ bytes: sql`core_stored_sums.bytes + excluded.bytes` }),
        ),
)

/** Adds bytes to what sessions store, and to those of their owners; those of deleted sessions do not count. */
export const countInSessions = async (
  tx: Transaction<CoreTables>,
  changes: readonly (StoredBytes & { readonly sessionId: string })[],
): Promise<void> => {
  const ofOwners = new Map<string, StoredBytes>()
  const key = ({ did, sessionId }: { did: string; sessionId: string }) => `${did} ${sessionId}`
  for (const { sessionId, ...change } of changes.toSorted((one, other) => compare(key(one), key(other)))) {
    const { did, bytes } = change
    if (bytes === 0 || (await runFixed(tx, sessionAdd, { owner: did, sessionId, bytes })).length === 0) continue
    ofOwners.set(did, { ...change, bytes: bytes + (ofOwners.get(did)?.bytes ?? 0) })
  }
  await countStored(tx, [...ofOwners.values()])
}

const sessionAdd: FixedStatement<
  CoreTables,
  { readonly owner: string; readonly sessionId: string; readonly bytes: number },
  unknown
> = (tx, value) =>
  tx
    .updateTable('core_sessions')
    .set({ bytes: sql`bytes + ${value('bytes')}` })
    .where(eb => eb.and({ owner: value('owner'), id: value('sessionId') }))
    .returning('id')
