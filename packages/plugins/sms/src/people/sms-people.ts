import { createHash } from 'node:crypto'
import type { Host } from '@sibyl/core'
import { phoneChannel, type UserPreferences } from '@sibyl/protocol'
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

/** What it rests on. */
export interface PeopleParts {
  readonly storage: SmsStorage
  readonly identity: Host['identity']
  readonly preferences: UserPreferences | undefined
}

/** Knows people by their phones. */
export const createPeople = ({ storage, identity, preferences }: PeopleParts): SmsPeople => {
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
  return {
    didOf,
    async phoneOf(did) {
      const row = await storage.read.selectFrom('sms_phones').select('phone').where('did', '=', did).executeTakeFirst()
      return row?.phone
    },
    async meet(phone, now, tx) {
      const did = didOf(phone)
      if (did === '') return
      await tx
        .insertInto('sms_phones')
        .values({ did, phone, seen_at: now })
        .onConflict(conflict => conflict.column('did').doUpdateSet({ phone, seen_at: now }))
        .execute()
    },
    async wantsNothing(phone, tx) {
      const row = await (tx ?? storage.read)
        .selectFrom('sms_opt_outs')
        .select('since')
        .where('phone_hash', '=', optOutHash(phone))
        .executeTakeFirst()
      return row !== undefined
    },
    async optOut(phone, now, tx) {
      const row = await tx
        .insertInto('sms_opt_outs')
        .values({ phone_hash: optOutHash(phone), since: now })
        .onConflict(conflict => conflict.doNothing())
        .returning('since')
        .executeTakeFirst()
      return row !== undefined
    },
    async optIn(phone, tx) {
      const row = await tx
        .deleteFrom('sms_opt_outs')
        .where('phone_hash', '=', optOutHash(phone))
        .returning('since')
        .executeTakeFirst()
      return row !== undefined
    },
    languageOf: (...dids) => first(dids, ({ language }) => language),
    timeZoneOf: (...dids) =>
      first(dids, ({ timeZone }) => (timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined)),
  }
}

/** What is kept of a phone that wants nothing: it outlives all else that is kept of the person. */
const optOutHash = (phone: string): string => createHash('sha256').update(`sms-opt-out ${phone}`).digest('base64url')
