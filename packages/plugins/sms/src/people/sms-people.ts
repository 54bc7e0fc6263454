import { createHash } from 'node:crypto'
import type { Host } from '@sibyl/plugin'
import { phoneChannel, type UserPreferences } from '@sibyl/protocol'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { SmsStorage, SmsTransaction } from '../storage/sms-tables.ts'
import { isTimeZone } from '../time/time-zone.ts'

/** What is known of people by their phones. */
export interface SmsPeople {
  /** The DID of whoever has a phone: the same as by USSD. Blank while the oracle has no signing key. */
  didOf(phone: string): string
  /** The phone of a person, where one is known. */
  phoneOf(did: string): Promise<string | undefined>
  /** Remembers that a phone is that of its person. */
  meet(phone: string, now: number, tx: SmsTransaction): Promise<void>
  wantsNothing(phone: string, tx?: SmsTransaction): Promise<boolean>
  /** @returns whether it is a change */
  optOut(phone: string, now: number, tx: SmsTransaction): Promise<boolean>
  /** @returns whether it is a change */
  optIn(phone: string, tx: SmsTransaction): Promise<boolean>
  /** The language of the first who has said one. */
  languageOf(...dids: readonly (string | null)[]): Promise<string | undefined>
  /** The time zone of the first who has said one. */
  timeZoneOf(...dids: readonly (string | null)[]): Promise<string | undefined>
}

export interface PeopleParts {
  readonly storage: SmsStorage
  readonly identity: Host['identity']
  readonly numbers: SealedNumbers
  readonly preferences: UserPreferences | undefined
}

/**
 * The channel of the pairwise DIDs that stand for phones that want nothing. They follow from the oracle's key, so that a
 * database alone tells no number, and they are not those of the phones' people, who may have been erased.
 */
const optOutChannel = 'sms-opt-out'

/** Knows people by their phones. What an oracle without a signing key keeps of an opt-out is a hash without a key. */
export const createPeople = ({ storage, identity, numbers, preferences }: PeopleParts): SmsPeople => {
  const first = async <Value>(
    dids: readonly (string | null)[],
    read: (preferred: Awaited<ReturnType<UserPreferences['get']>>) => Value | undefined,
  ): Promise<Value | undefined> => {
    for (const did of dids) {
      const preferred = did ? await preferences?.get(did) : undefined
      const value = preferred && read(preferred)
      if (value !== undefined) return value
    }
    return undefined
  }
  const didOf = (phone: string) => (identity.did === undefined ? '' : identity.pairwiseDid(phoneChannel, phone))
  const marksOf = (phone: string): readonly [string, ...string[]] => {
    const unkeyed = hashOf(`sms-opt-out ${phone}`)
    return identity.did === undefined ? [unkeyed] : [hashOf(identity.pairwiseDid(optOutChannel, phone)), unkeyed]
  }
  const wantsNothing = async (phone: string, tx?: SmsTransaction): Promise<boolean> => {
    const row = await (tx ?? storage.read)
      .selectFrom('sms_opt_outs')
      .select('since')
      .where('phone_hash', 'in', marksOf(phone))
      .executeTakeFirst()
    return row !== undefined
  }
  return {
    didOf,
    async phoneOf(did) {
      const row = await storage.read.selectFrom('sms_phones').select('phone').where('did', '=', did).executeTakeFirst()
      return row && numbers.open(row.phone, { table: 'sms_phones', row: did })
    },
    async meet(phone, now, tx) {
      const did = didOf(phone)
      if (did === '') return
      const sealed = numbers.seal(phone, { table: 'sms_phones', row: did })
      await tx
        .insertInto('sms_phones')
        .values({ did, phone: sealed, seen_at: now })
        .onConflict(conflict => conflict.column('did').doUpdateSet({ phone: sealed, seen_at: now }))
        .execute()
    },
    wantsNothing,
    async optOut(phone, now, tx) {
      if (await wantsNothing(phone, tx)) return false
      const row = await tx
        .insertInto('sms_opt_outs')
        .values({ phone_hash: marksOf(phone)[0], since: now })
        .onConflict(conflict => conflict.doNothing())
        .returning('since')
        .executeTakeFirst()
      return row !== undefined
    },
    async optIn(phone, tx) {
      const rows = await tx
        .deleteFrom('sms_opt_outs')
        .where('phone_hash', 'in', marksOf(phone))
        .returning('since')
        .execute()
      return rows.length > 0
    },
    languageOf: (...dids) => first(dids, ({ language }) => language),
    timeZoneOf: (...dids) =>
      first(dids, ({ timeZone }) => (timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined)),
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
