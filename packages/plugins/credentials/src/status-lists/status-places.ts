import { randomBytes, randomInt } from 'node:crypto'
import type { Clock } from '@sibyl/plugin'
import type { CredentialsStorage, CredentialsTransaction } from '../definitions/credentials-tables.ts'
import { listPlaces, type StatusPlace } from './status-place.ts'

/** A place that no other credential has, in this process or another. */
export interface ReservedPlace extends StatusPlace {
  readonly reservation: string
}

export type StatusPlaces = ReturnType<typeof createStatusPlaces>

/** How many places a process reserves at once. */
const batch = 64

/** A list with more allotted places than this takes no more: free ones would be hard to meet by chance. */
const fullAt = listPlaces * 0.75

/** How long a process hands out what it reserved; well before `releasedAfterMs`. */
const handedOutForMs = 6 * 3_600_000

/** When a reservation that was not taken is over. */
const releasedAfterMs = 24 * 3_600_000

/**
 * Creates the allotment of places in status lists.
 *
 * @param restoredAt when the database was last restored: lists from before take no further credential, because places that
 * look free in them may belong to credentials that the restore has forgotten
 */
export const createStatusPlaces = (storage: CredentialsStorage, clock: Clock, restoredAt: () => number | undefined) => {
  let stock: Stock = { places: [], until: 0, restoredAt: undefined }
  let refill: Promise<void> | undefined
  const fill = async (): Promise<void> => {
    const now = clock.now()
    const restored = restoredAt()
    const places = await storage.write(tx => reserveBatch(tx, now, restored ?? 0))
    stock = { places, until: now + handedOutForMs, restoredAt: restored }
  }
  return {
    /** Returns a free place, chosen at random among all of a list, so that neighbors reveal nothing of each other. */
    async reserve(): Promise<ReservedPlace> {
      for (;;) {
        const isGood = clock.now() < stock.until && stock.restoredAt === restoredAt()
        const place = isGood ? stock.places.pop() : undefined
        if (place) return place
        refill ??= fill().finally(() => {
          refill = undefined
        })
        await refill
      }
    },
    /** Gives it to a credential for good. @returns false where it was set free meanwhile */
    async take({ list, place, reservation }: ReservedPlace, credentialId: string, tx: CredentialsTransaction) {
      const { numUpdatedRows } = await tx
        .updateTable('credentials_entries')
        .set({ credential_id: credentialId })
        .where('list', '=', list)
        .where('place', '=', place)
        .where('reservation', '=', reservation)
        .where('credential_id', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows) === 1
    },
    /** Sets places free that were reserved a day ago and never taken; returns how many. */
    async release(): Promise<number> {
      const before = clock.now() - releasedAfterMs
      let released = 0
      for (;;) {
        const freed = await storage.write(tx => releaseSome(tx, before))
        released += freed
        if (freed === 0) return released
      }
    },
  }
}

/** Some reservations at a time, each with the count of its list: other work goes on before the next. */
const reservationsAtOnce = 8

const releaseSome = async (tx: CredentialsTransaction, before: number): Promise<number> => {
  const freed = await tx
    .deleteFrom('credentials_entries')
    .where('credential_id', 'is', null)
    .where('reserved_at', '<', before)
    .where('reservation', 'in', it =>
      it
        .selectFrom('credentials_entries')
        .select('reservation')
        .where('credential_id', 'is', null)
        .where('reserved_at', '<', before)
        .limit(reservationsAtOnce),
    )
    .returning('list')
    .execute()
  for (const [list, rows] of Map.groupBy(freed, row => row.list)) {
    await tx
      .updateTable('credentials_lists')
      .set(it => ({ allotted: it('allotted', '-', rows.length) }))
      .where('id', '=', list)
      .execute()
  }
  return freed.length
}

/** Places that this process may hand out. */
interface Stock {
  readonly places: ReservedPlace[]
  readonly until: number
  /** The last restore when they were reserved. */
  readonly restoredAt: number | undefined
}

const reserveBatch = async (tx: CredentialsTransaction, now: number, restoredAt: number): Promise<ReservedPlace[]> => {
  const list = await openList(tx, now, restoredAt)
  const reservation = randomBytes(12).toString('hex')
  const wanted = new Set(Array.from({ length: batch }, () => randomInt(listPlaces)))
  const rows = await tx
    .insertInto('credentials_entries')
    .values([...wanted].map(place => ({ list, place, reservation, reserved_at: now, credential_id: null })))
    .onConflict(it => it.columns(['list', 'place']).doNothing())
    .returning('place')
    .execute()
  await tx
    .updateTable('credentials_lists')
    .set(it => ({ allotted: it('allotted', '+', rows.length) }))
    .where('id', '=', list)
    .execute()
  return rows.map(({ place }) => ({ list, place, reservation }))
}

const openList = async (tx: CredentialsTransaction, now: number, restoredAt: number): Promise<string> => {
  const open = await tx
    .selectFrom('credentials_lists')
    .select('id')
    .where('allotted', '<', fullAt)
    .where('created_at', '>=', restoredAt)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (open) return open.id
  const id = Array.from({ length: 16 }, () => randomInt(36).toString(36)).join('')
  await tx
    .insertInto('credentials_lists')
    .values({ id, allotted: 0, created_at: now, revocation_version: 1, suspension_version: 1 })
    .execute()
  return id
}
