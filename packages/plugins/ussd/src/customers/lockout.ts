import type { Vault } from '@sibyl/plugin/sealing'
import { deleteInParts, sql } from '@sibyl/plugin/storage'
import type { attemptTable, RowOf, UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { inParts } from '../storage/value-lists.ts'

export interface AttemptSubject {
  readonly purpose: 'pin-account' | 'pin-phone' | 'code-account' | 'code-phone'
  readonly value: string
  /**
   * The part of the subject that an attempt belongs to. All parts lock the subject together; each is cleared
   * separately.
   */
  readonly part?: string
}

export type Reservation =
  /** An attempt that counts as wrong, on disk, until `forgive`. */
  | {
      readonly kind: 'reserved'
      /** Lock duration if the attempt is wrong, in milliseconds; 0 for none. */
      readonly locksMs: number
      /**
       * Clears this attempt and earlier ones, of a subject with a part only those of the part; in the caller's
       * transaction.
       */
      forgive(tx: WriteTransaction): Promise<void>
    }
  | { readonly kind: 'locked'; readonly leftMs: number }

/** Counts attempts durably, in any number of processes. Concurrent attempts get no more than sequential ones. */
export type Lockout = ReturnType<typeof createLockout>

type AttemptRow = RowOf<typeof attemptTable>

/** A row, or the sum of a subject's rows while keys rotate; under the name of the current key. */
type Count = Pick<AttemptRow, 'subject' | 'attempts' | 'cleared' | 'last_at'>

/** The uncleared attempts on a subject and all its parts. */
type Failures = Readonly<Record<'count' | 'lastAt', number>>

/** Time after the last attempt in which attempts count, in milliseconds; longer than any lock, so that waiting gains nothing. */
const attemptsKeptMs = 30 * 86_400_000

export const whoPlace = (subject: string): string => `ussd_attempts.who:${subject}`

/** Creates a lockout on the oracle's database. @param now milliseconds since 1970 */
export const createLockout = (storage: UssdStorage, vault: Vault, now: () => number) => {
  const hashesOf = ({ purpose, value, part }: AttemptSubject) =>
    vault.lookupHashes(part === undefined ? value : JSON.stringify([value, part]), purpose)

  /** Locks the rows of the subjects and their wholes, in one global order, and reads them. */
  const hold = async (tx: WriteTransaction, subjects: readonly AttemptSubject[]): Promise<readonly Count[]> => {
    const at = now()
    const kept = subjects.flatMap(each => (each.part === undefined ? [each] : [wholeOf(each), each]))
    const rows = kept.flatMap(each => {
      const wholes = each.part === undefined ? [] : hashesOf(wholeOf(each))
      return hashesOf(each).map((subject, key) => ({
        subject,
        whole: wholes[key] ?? null,
        who: vault.seal(JSON.stringify(each), whoPlace(subject)),
        attempts: 0,
        cleared: 0,
        last_at: at,
        key_id: vault.keyIds[0],
      }))
    })
    const held = await tx
      .insertInto('ussd_attempts')
      .values(rows.sort((left, right) => (left.subject < right.subject ? -1 : 1)))
      .onConflict(conflict =>
        conflict.column('subject').doUpdateSet(eb => ({ attempts: eb.ref('ussd_attempts.attempts') })),
      )
      .returning(['subject', 'attempts', 'cleared', 'last_at'])
      .execute()
    const bySubject = new Map(held.map(row => [row.subject, row]))
    const countOf = (each: AttemptSubject) => sumOf(hashesOf(each).flatMap(hash => bySubject.get(hash) ?? []))
    if (vault.keyIds.length > 1) await moveToKeyOfNow(tx, kept, kept.map(countOf))
    return subjects.map(countOf)
  }

  const moveToKeyOfNow = async (
    tx: WriteTransaction,
    subjects: readonly AttemptSubject[],
    counts: readonly Count[],
  ): Promise<void> => {
    for (const { subject, ...count } of counts)
      await tx.updateTable('ussd_attempts').set(count).where('subject', '=', subject).execute()
    const earlier = subjects.flatMap(each => hashesOf(each).slice(1))
    await tx.deleteFrom('ussd_attempts').where('subject', 'in', earlier).execute()
  }

  /** Matches the rows of subjects, and of all parts of those without a part. */
  const rowsOf = (subjects: readonly AttemptSubject[]) => {
    const hashes = sql.join(subjects.flatMap(hashesOf))
    return sql<boolean>`(subject in (${hashes}) or whole in (${hashes}))`
  }

  const failuresOf = async (database: UssdStorage['read'], subject: AttemptSubject): Promise<Failures> => {
    const rows = await database
      .selectFrom('ussd_attempts')
      .select(['attempts', 'cleared', 'last_at'])
      .where(rowsOf([wholeOf(subject)]))
      .whereRef('attempts', '>', 'cleared')
      .execute()
    return {
      count: rows.reduce((sum, { attempts, cleared }) => sum + attempts - cleared, 0),
      lastAt: Math.max(0, ...rows.map(row => row.last_at)),
    }
  }

  const leftOf = (rule: LockoutRule, { count, lastAt }: Failures): number =>
    Math.max(0, lastAt + lockMs(rule, count) - now())

  return {
    /** Counts one attempt for all subjects, unless one of them is locked. */
    reserve(rule: LockoutRule, subjects: readonly AttemptSubject[]): Promise<Reservation> {
      return storage.write(
        async tx => {
          const at = now()
          const counts = await hold(tx, subjects)
          const names = counts.map(({ subject }) => subject)
          const failures: Failures[] = []
          for (const subject of subjects) {
            const { count, lastAt } = await failuresOf(tx, subject)
            failures.push({ count, lastAt: lastAt > at + clockToleranceMs ? at : lastAt })
          }
          const leftMs = Math.max(...failures.map(each => leftOf(rule, each)))
          if (leftMs > 0) {
            await tx
              .updateTable('ussd_attempts')
              .set({ last_at: at })
              .where(rowsOf(subjects.map(wholeOf)))
              .where('last_at', '>', at + clockToleranceMs)
              .execute()
            await tx
              .deleteFrom('ussd_attempts')
              .where(rowsOf(subjects.map(wholeOf)))
              .where('attempts', '=', 0)
              .execute()
            return { kind: 'locked', leftMs }
          }
          await tx
            .updateTable('ussd_attempts')
            .set(eb => ({ attempts: eb('attempts', '+', 1), last_at: at }))
            .where('subject', 'in', names)
            .execute()
          return {
            kind: 'reserved',
            locksMs: Math.max(...failures.map(({ count }) => lockMs(rule, count + 1))),
            forgive: async later => {
              for (const { subject, attempts } of counts) {
                await later
                  .updateTable('ussd_attempts')
                  .set({ cleared: attempts + 1 })
                  .where('subject', '=', subject)
                  .where('cleared', '<=', attempts)
                  .execute()
              }
            },
          }
        },
        { isolation: 'read committed' },
      )
    },
    /** Clears all attempts; without a part those of all parts. */
    async unlock(tx: WriteTransaction, subjects: readonly AttemptSubject[]): Promise<void> {
      for (const some of inParts(subjects))
        await tx.updateTable('ussd_attempts').set({ cleared: sql<number>`attempts` }).where(rowsOf(some)).execute()
    },
    /** Deletes the counts; without a part those of all parts. */
    async forget(tx: WriteTransaction, subjects: readonly AttemptSubject[]): Promise<void> {
      for (const some of inParts(subjects)) await tx.deleteFrom('ussd_attempts').where(rowsOf(some)).execute()
    },
    /** Deletes counts whose last attempt is older than `attemptsKeptMs`. */
    async forgetOld(signal: AbortSignal): Promise<void> {
      const before = now() - attemptsKeptMs
      await deleteInParts(storage, {
        table: 'ussd_attempts',
        key: ['subject'],
        where: eb => eb('last_at', '<', before),
        signal,
      })
    },
    /** Moves counts of earlier keys to the current key. */
    async moveToCurrentKey(tx: WriteTransaction, subject: AttemptSubject): Promise<void> {
      await hold(tx, [subject])
    },
    /** Returns the remaining lock time of the subjects, in milliseconds; 0 for none. */
    async leftMs(rule: LockoutRule, subjects: readonly AttemptSubject[]): Promise<number> {
      const left = await Promise.all(
        subjects.map(async subject => leftOf(rule, await failuresOf(storage.read, subject))),
      )
      return Math.max(0, ...left)
    },
  }
}

const wholeOf = ({ purpose, value }: AttemptSubject): AttemptSubject => ({ purpose, value })

/** Merges a subject's rows, of which several exist while keys rotate; under the hash of the first. */
const sumOf = (rows: readonly Count[]): Count => ({
  subject: rows[0]?.subject ?? '',
  attempts: rows.reduce((sum, row) => sum + row.attempts, 0),
  cleared: rows.reduce((sum, row) => sum + row.cleared, 0),
  last_at: Math.max(...rows.filter(row => row.attempts > 0).map(row => row.last_at), 0),
})

export interface LockoutRule {
  /** Wrong attempts before the first lock. */
  readonly free: number
  /** Length of the first lock, in milliseconds; each further wrong attempt doubles it. */
  readonly firstLockMs: number
  readonly longestLockMs: number
}

const hour = 3_600_000

/** PINs: five wrong ones lock for 15 minutes. */
export const pinRule: LockoutRule = { free: 5, firstLockMs: hour / 4, longestLockMs: 24 * hour }

/** One-time codes by SMS: after three unused ones, the next may be requested an hour later. */
export const resetCodeRule: LockoutRule = { free: 3, firstLockMs: hour, longestLockMs: 24 * hour }

/** Tolerated difference between the clocks of processes, in milliseconds; a time further ahead came from a wrong clock. */
export const clockToleranceMs = 300_000

/** Returns the lock time after this many uncleared attempts, from the last one on, in milliseconds. */
export const lockMs = ({ free, firstLockMs, longestLockMs }: LockoutRule, failures: number): number =>
  failures < free ? 0 : Math.min(longestLockMs, firstLockMs * 2 ** Math.min(failures - free, 30))
