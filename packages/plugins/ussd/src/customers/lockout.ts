import { sql } from '@sibyl/core/storage'
import type { Vault } from '../keys/vault.ts'
import { inParts } from '../storage/in-parts.ts'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import { clockToleranceMs, type LockoutRule, lockMs } from './lockout-rule.ts'

/** What attempts are counted for. */
export interface AttemptSubject {
  /** Keeps counts apart: `pin-account`. */
  readonly purpose: 'pin-account' | 'pin-phone' | 'code-account' | 'code-phone'
  readonly value: string
}

/** Whether an attempt may be made. */
export type Reservation =
  /** It counts as wrong, on disk, until `forgive`. */
  | {
      readonly kind: 'reserved'
      /** Until when the subjects are locked should it be wrong, in milliseconds from now; 0 for not at all. */
      readonly locksMs: number
      /** Forgives this attempt and those before it, in the caller's transaction. */
      forgive(tx: WriteTransaction): Promise<void>
    }
  | { readonly kind: 'locked'; readonly leftMs: number }

/** Counts attempts durably, in any number of processes: those sent at the same time get no more than one after the other. */
export interface Lockout {
  /** Counts one attempt for all subjects, unless one of them is locked. */
  reserve(rule: LockoutRule, subjects: readonly AttemptSubject[]): Promise<Reservation>
  /** Forgives all attempts there were. */
  unlock(tx: WriteTransaction, subjects: readonly AttemptSubject[]): Promise<void>
  /** Forgets that there were any. */
  forget(tx: WriteTransaction, subjects: readonly AttemptSubject[]): Promise<void>
  /** Brings what was counted under earlier keys under the key of now. */
  keepUnderKeyOfNow(tx: WriteTransaction, subject: AttemptSubject): Promise<void>
  /** How long the subjects are locked, in milliseconds; 0 for not at all. */
  leftMs(rule: LockoutRule, subjects: readonly AttemptSubject[]): Promise<number>
}

/** What a lockout is made of. */
export interface LockoutParts {
  readonly storage: UssdStorage
  readonly vault: Vault
  /** Milliseconds since 1970. */
  readonly now: () => number
}

interface Count {
  readonly subject: string
  readonly attempts: number
  readonly cleared: number
  readonly lastAt: number
}

/** The place that a row's `who` is sealed for. */
export const whoPlace = (subject: string): string => `ussd_attempts.who:${subject}`

/** Makes a lockout on the app's database. */
export const createLockout = ({ storage, vault, now }: LockoutParts): Lockout => {
  const hashesOf = ({ purpose, value }: AttemptSubject) => vault.lookupHashes(value, purpose)

  /** Locks the rows of all subjects against other transactions, in one order everywhere, and reads them. */
  const hold = async (tx: WriteTransaction, subjects: readonly AttemptSubject[]): Promise<readonly Count[]> => {
    const at = now()
    const rows = subjects.flatMap(each =>
      hashesOf(each).map(subject => ({
        subject,
        who: vault.seal(JSON.stringify(each), whoPlace(subject)),
        attempts: 0,
        cleared: 0,
        last_at: at,
        key_id: vault.keyIds[0],
      })),
    )
    const held = await tx
      .insertInto('ussd_attempts')
      .values(rows.sort((left, right) => (left.subject < right.subject ? -1 : 1)))
      .onConflict(conflict =>
        conflict.column('subject').doUpdateSet(eb => ({ attempts: eb.ref('ussd_attempts.attempts') })),
      )
      .returning(['subject', 'attempts', 'cleared', 'last_at'])
      .execute()
    const bySubject = new Map(held.map(row => [row.subject, row]))
    const counts = subjects.map(each => sumOf(hashesOf(each).flatMap(hash => bySubject.get(hash) ?? [])))
    if (vault.keyIds.length > 1) await moveToKeyOfNow(tx, subjects, counts)
    return counts
  }

  /** Brings what was counted under earlier keys under the key of now. */
  const moveToKeyOfNow = async (
    tx: WriteTransaction,
    subjects: readonly AttemptSubject[],
    counts: readonly Count[],
  ): Promise<void> => {
    for (const { subject, attempts, cleared, lastAt } of counts) {
      await tx
        .updateTable('ussd_attempts')
        .set({ attempts, cleared, last_at: lastAt })
        .where('subject', '=', subject)
        .execute()
    }
    const earlier = subjects.flatMap(each => hashesOf(each).slice(1))
    await tx.deleteFrom('ussd_attempts').where('subject', 'in', earlier).execute()
  }

  const leftOf = (rule: LockoutRule, { attempts, cleared, lastAt }: Count): number =>
    Math.max(0, lastAt + lockMs(rule, attempts - cleared) - now())

  return {
    async reserve(rule, subjects) {
      return storage.write(
        async tx => {
          const at = now()
          const counts = (await hold(tx, subjects)).map(count => ({
            ...count,
            lastAt: count.lastAt > at + clockToleranceMs ? at : count.lastAt,
          }))
          const names = counts.map(({ subject }) => subject)
          const leftMs = Math.max(...counts.map(count => leftOf(rule, count)))
          if (leftMs > 0) {
            await tx
              .updateTable('ussd_attempts')
              .set({ last_at: at })
              .where('subject', 'in', names)
              .where('last_at', '>', at + clockToleranceMs)
              .execute()
            await tx.deleteFrom('ussd_attempts').where('subject', 'in', names).where('attempts', '=', 0).execute()
            return { kind: 'locked', leftMs }
          }
          await tx
            .updateTable('ussd_attempts')
            .set(eb => ({ attempts: eb('attempts', '+', 1), last_at: at }))
            .where('subject', 'in', names)
            .execute()
          return {
            kind: 'reserved',
            locksMs: Math.max(...counts.map(({ attempts, cleared }) => lockMs(rule, attempts + 1 - cleared))),
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
    async unlock(tx, subjects) {
      for (const some of inParts(subjects))
        await tx
          .updateTable('ussd_attempts')
          .set({ cleared: sql<number>`attempts` })
          .where('subject', 'in', some.flatMap(hashesOf))
          .execute()
    },
    async forget(tx, subjects) {
      for (const some of inParts(subjects))
        await tx.deleteFrom('ussd_attempts').where('subject', 'in', some.flatMap(hashesOf)).execute()
    },
    async keepUnderKeyOfNow(tx, subject) {
      await hold(tx, [subject])
    },
    async leftMs(rule, subjects) {
      const left = await Promise.all(
        subjects.map(async each => {
          const rows = await storage.read
            .selectFrom('ussd_attempts')
            .select(['subject', 'attempts', 'cleared', 'last_at'])
            .where('subject', 'in', hashesOf(each))
            .execute()
          return rows.length === 0 ? 0 : leftOf(rule, sumOf(rows))
        }),
      )
      return Math.max(0, ...left)
    },
  }
}

/** One count of a subject's rows, which are several while keys rotate; under the name of the first. */
const sumOf = (rows: readonly { subject: string; attempts: number; cleared: number; last_at: number }[]): Count => ({
  subject: rows[0]?.subject ?? '',
  attempts: rows.reduce((sum, row) => sum + row.attempts, 0),
  cleared: rows.reduce((sum, row) => sum + row.cleared, 0),
  lastAt: Math.max(...rows.filter(row => row.attempts > 0).map(row => row.last_at), 0),
})
