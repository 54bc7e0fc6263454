import { randomBytes, randomInt } from 'node:crypto'
import type { Clock } from '@sibyl/plugin'
import type { CredentialsStorage, CredentialsTransaction } from '../definitions/credentials-tables.ts'
import { listPlaces, type StatusPlace } from './status-place.ts'

/** A position that no other credential has, in this process or another. */
export interface ReservedPlace extends StatusPlace {
  readonly reservation: string
}

export type StatusPlaces = ReturnType<typeof createStatusPlaces>

/** Number of positions that a process reserves at once. */
const batch = 64

/** A list with more allotted positions than this is full, because random picks would rarely find a free one. */
const fullAt = listPlaces * 0.75

/** Time for which a process uses its reservation; well below `releasedAfterMs`. */
const handedOutForMs = 6 * 3_600_000

/** Time after which an unused reservation is released. */
const releasedAfterMs = 24 * 3_600_000

/**
 * Creates the allotment of positions in status lists.
 *
 * @param restoredAt time of the last database restore. Lists from before it accept no more credentials: positions that
 * look free may belong to credentials that the restore lost.
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
    /** Returns a random free position of a list, so that neighboring positions are unrelated. */
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
    /** Assigns a position to a credential permanently. @returns false if its reservation was released meanwhile */
    async take({ list, place, reservation }: ReservedPlace, credentialId: string, tx: CredentialsTransaction) {
      const { numUpdatedRows } = await tx
        .updateTable('credentials_entries')
        .set({ credential_id: credentialId })
        .where(eb => eb.and({ list, place, reservation }))
        .where('credential_id', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows) === 1
    },
    /** Releases positions that were reserved a day ago and never used; returns their number. */
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

/** Number of reservations that are released at a time, each with the count of its list; other work runs in between. */
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

/** Positions that this process has reserved. */
interface Stock {
  readonly places: ReservedPlace[]
  readonly until: number
  /** Last restore at the time of the reservation. */
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
