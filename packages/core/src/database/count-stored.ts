import { siteOf } from '@sibyl/plugin/host'
import { type FixedStatement, runFixed, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreTables } from './core-tables.ts'

/** Parts of the sum of everyone, so that writers of different users do not wait for each other on PostgreSQL. */
const parts = 16

/** The user whose data is counted. Without a network, that of the last write stays. */
export interface StoredFor {
  readonly did: string
  readonly holder?: string | undefined
  readonly origin?: string | undefined
}

/** Bytes that a user stores more; negative for what is deleted. */
export interface StoredChange extends StoredFor {
  readonly bytes: number
}

/**
 * Adds bytes to what users store, in the transaction that stores or deletes them. Call it last: writers of one holder or
 * network wait for each other, in the order of their names.
 */
export const countStored = async (tx: Transaction<CoreTables>, changes: readonly StoredChange[]): Promise<void> => {
  const sums = new Map<string, number>()
  for (const change of changes.toSorted((one, other) => compare(one.did, other.did))) {
    if (change.bytes !== 0) await countPerson(tx, change, sums)
  }
  const changed = [...sums].filter(([, bytes]) => bytes !== 0).sort(([one], [other]) => compare(one, other))
  for (const [name, bytes] of changed) await runFixed(tx, sumAdd, { name, bytes })
  const less = changed.flatMap(([name, bytes]) => (bytes < 0 && !name.startsWith('all:') ? [name] : []))
  if (less.length === 0) return
  await tx.deleteFrom('core_stored_sums').where('name', 'in', less).where('bytes', '<=', 0).execute()
}

/** Changes the row of a user, and adds what that changes to the sums. */
const countPerson = async (
  tx: Transaction<CoreTables>,
  { did, holder = did, origin, bytes }: StoredChange,
  sums: Map<string, number>,
): Promise<void> => {
  const [row] = await (bytes > 0
    ? runFixed(tx, personAdd, { did, holder, origin: origin ?? null, bytes })
    : runFixed(tx, personSubtract, { did, bytes }))
  if (!row) return
  const before = Number(row.bytes) - bytes
  const after = Math.max(0, Number(row.bytes))
  const now = { holder: bytes > 0 ? holder : row.holder, origin: (bytes > 0 ? origin : undefined) ?? row.origin }
  const add = (name: string, change: number) => sums.set(name, (sums.get(name) ?? 0) + change)
  add(`all:${did.charCodeAt(did.length - 1) % parts}`, after - before)
  for (const name of sumsOf(row)) add(name, -before)
  for (const name of sumsOf(now)) add(name, after)
  if (after === 0) await tx.deleteFrom('core_stored_people').where('did', '=', did).execute()
  else if (now.holder !== row.holder || now.origin !== row.origin) {
    await tx.updateTable('core_stored_people').set(now).where('did', '=', did).execute()
  }
}

/** Returns the names of the sums that a user counts in: of the holder, of the network, and of the site. */
const sumsOf = ({ holder, origin }: Pick<Person, 'holder' | 'origin'>): ReadonlySet<string> =>
  new Set([`holder:${holder}`, ...(origin === null ? [] : [`origin:${origin}`, `origin:${siteOf(origin)}`])])

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

interface Person {
  readonly did: string
  readonly holder: string
  readonly origin: string | null
  readonly bytes: number
}

const personAdd: FixedStatement<CoreTables, Person, Omit<Person, 'did'>> = (tx, value) =>
  tx
    .insertInto('core_stored_people')
    .values({ did: value('did'), holder: value('holder'), origin: value('origin'), bytes: value('bytes') })
    .onConflict(conflict =>
      conflict.column('did').doUpdateSet({ bytes: sql`core_stored_people.bytes + excluded.bytes` }),
    )
    .returning(['holder', 'origin', 'bytes'])

const personSubtract: FixedStatement<CoreTables, Pick<Person, 'did' | 'bytes'>, Omit<Person, 'did'>> = (tx, value) =>
  tx
    .updateTable('core_stored_people')
    .set({ bytes: sql`bytes + ${value('bytes')}` })
    .where('did', '=', value('did'))
    .returning(['holder', 'origin', 'bytes'])

const sumAdd: FixedStatement<CoreTables, { readonly name: string; readonly bytes: number }, unknown> = (tx, value) =>
  tx
    .insertInto('core_stored_sums')
    .values({ name: value('name'), bytes: value('bytes') })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet({ bytes: sql`core_stored_sums.bytes + excluded.bytes` }),
    )

/** Adds bytes to what sessions store, and to those of their owners; those of deleted sessions do not count. */
export const countInSessions = async (
  tx: Transaction<CoreTables>,
  changes: readonly (StoredChange & { readonly sessionId: string })[],
): Promise<void> => {
  const ofOwners = new Map<string, StoredChange>()
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
    .where('owner', '=', value('owner'))
    .where('id', '=', value('sessionId'))
    .returning('id')
