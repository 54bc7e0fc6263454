import { createHash } from 'node:crypto'
import type { Host } from '@sibyl/plugin'
import { phoneChannel } from '@sibyl/plugin/phones'
import type { ServiceOf, userPreferences } from '@sibyl/protocol'
import type { SmsStorage, SmsTransaction } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import { isTimeZone } from '../time/quiet-hours.ts'

export type SmsPeople = ReturnType<typeof createPeople>

/**
 * Channel of the pairwise DIDs that identify phones that opted out. They are derived from the oracle's key, so that the
 * database alone reveals no number, and they differ from the DIDs of the phones' owners, who may have been erased.
 */
const optOutChannel = 'sms-opt-out'

/** Creates the store of people by their phones. Without a signing key, an opt-out is stored by a hash without a key. */
export const createPeople = ({
  storage,
  identity,
  numbers,
  preferences,
}: {
  readonly storage: SmsStorage
  readonly identity: Host['identity']
  readonly numbers: SealedNumbers
  readonly preferences: ServiceOf<typeof userPreferences> | undefined
}) => {
  const first = async <Value>(
    dids: readonly (string | null)[],
    read: (preferred: Awaited<ReturnType<ServiceOf<typeof userPreferences>['get']>>) => Value | undefined,
  ): Promise<Value | undefined> => {
    for (const did of dids) {
      const preferred = did ? await preferences?.get(did) : undefined
      const value = preferred && read(preferred)
      if (value !== undefined) return value
    }
    return undefined
  }
  /** Returns the DID of a phone's owner, the same as by USSD. Blank if the oracle has no signing key. */
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
    async phoneOf(did: string) {
      const row = await storage.read.selectFrom('sms_phones').select('phone').where('did', '=', did).executeTakeFirst()
      return row && numbers.open(row.phone, { table: 'sms_phones', row: did })
    },
    /** Returns the phones that people write from, as far as they can be decrypted, by DID. */
    async phonesOf(dids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await storage.read.selectFrom('sms_phones').selectAll().where('did', 'in', dids).execute()
      return new Map(
        rows.flatMap(({ did, phone }) => {
          const opened = numbers.open(phone, { table: 'sms_phones', row: did })
          return opened === undefined ? [] : [[did, opened] as const]
        }),
      )
    },
    /** Stores that a phone belongs to its person. */
    async meet(phone: string, now: number, tx: SmsTransaction) {
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
    /** @returns whether it was a change */
    async optOut(phone: string, now: number, tx: SmsTransaction) {
      if (await wantsNothing(phone, tx)) return false
      const row = await tx
        .insertInto('sms_opt_outs')
        .values({ phone_hash: marksOf(phone)[0], since: now })
        .onConflict(conflict => conflict.doNothing())
        .returning('since')
        .executeTakeFirst()
      return row !== undefined
    },
    /** @returns whether it was a change */
    async optIn(phone: string, tx: SmsTransaction) {
      const rows = await tx
        .deleteFrom('sms_opt_outs')
        .where('phone_hash', 'in', marksOf(phone))
        .returning('since')
        .execute()
      return rows.length > 0
    },
    /** Returns the language of the first one who has set it. */
    languageOf: (...dids: readonly (string | null)[]) => first(dids, ({ language }) => language),
    /** Returns the time zone of the first one who has set it. */
    timeZoneOf: (...dids: readonly (string | null)[]) =>
      first(dids, ({ timeZone }) => (timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined)),
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
