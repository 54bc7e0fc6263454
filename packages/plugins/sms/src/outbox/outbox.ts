import { createHash, randomUUID } from 'node:crypto'
import { type Clock, fullOfRows, type Host, holderOf, type ShareOf } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { phoneNotOwn, smsFailures } from '../definitions/sms-errors.ts'
import type { MessageRow, Purpose, SmsStorage, SmsTransaction } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { LinkStore } from '../people/link-store.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { smsParts } from '../text/sms-parts.ts'

export const sendJob = 'sms/send'

/** Maximum length of a message, in characters. */
export const longestText = 1_600

/** A message to send. */
export interface NewMessage {
  /** Two messages with the same key are one. */
  readonly key: string
  /** E.164. */
  readonly to: string
  readonly text: string
  readonly purpose: Purpose
  /** True if its text is a secret, such as a one-time code. */
  readonly sensitive?: boolean
  readonly cause?: string
  /** The user who caused it, for limits. @default by `cause` only */
  readonly actor?: CountedActor
  /** True if the user may send to phones of others. @default false */
  readonly toOthers?: boolean
}

/** A stored message. */
export type TakenMessage = Pick<MessageRow, 'id' | 'state' | 'parts' | 'encoding'>

export type Outbox = ReturnType<typeof createOutbox>

export interface OutboxDependencies {
  readonly storage: SmsStorage
  readonly jobs: Host['jobs']
  readonly clock: Clock
  readonly people: SmsPeople
  readonly numbers: SealedNumbers
  readonly links: Pick<LinkStore, 'use'>
  readonly access: 'open' | 'delegated'
  readonly shareOf: ShareOf
  /**
   * Maximum number of messages in 24 hours that one user causes, and that one phone receives besides codes and answers.
   */
  readonly perDay: number
  /** Maximum number of messages in 24 hours that all users together send to phones of others. */
  readonly toOthersPerDay: number
}

const dayMs = 86_400_000

/** Maximum number of codes in 24 hours for one phone, from all users. */
const codesPerDay = 3

/** Creates the outbox. `defineSending` defines the jobs that send. */
export const createOutbox = (parts: OutboxDependencies) => {
  const { storage, jobs, clock, people, numbers, links, access, shareOf, perDay, toOthersPerDay } = parts
  const ofToday = (tx: SmsTransaction) =>
    tx
      .selectFrom('sms_messages')
      .select(of => of.fn.countAll<number>().as('messages'))
      .where('created_at', '>', clock.now() - dayMs)
      // Messages of a clock that was ahead count for a day at most.
      .where('created_at', '<', clock.now() + dayMs)

  /** Returns the number of messages that a holder caused in the last 24 hours. */
  const causedBy = async (holder: string, tx: SmsTransaction): Promise<number> => {
    const { messages } = await ofToday(tx).where('holder', '=', holder).executeTakeFirstOrThrow()
    return messages
  }

  const assertWithinLimits = async (
    { to, cause, actor, sensitive, purpose }: NewMessage,
    tx: SmsTransaction,
  ): Promise<void> => {
    const holder = actor ? holderOf(actor) : cause
    if (holder !== undefined && (await causedBy(holder, tx)) >= perDay) throw limitReached(perDay, 'for one user')
    if (purpose === 'code') {
      const codes = await ofToday(tx).where(numbers.isOf(to)).where('purpose', '=', 'code').executeTakeFirstOrThrow()
      if (codes.messages >= codesPerDay) throw limitReached(codesPerDay, 'with codes to one phone')
    } else {
      if (sensitive) return
      const toPhone = await ofToday(tx)
        .where(numbers.isOf(to))
        .where('purpose', 'in', ['person', 'notice', 'service'])
        .where('sensitive', '=', false)
        .executeTakeFirstOrThrow()
      if (toPhone.messages >= perDay) throw limitReached(perDay, 'to one phone')
    }
    if (cause === undefined || cause === people.didOf(to)) return
    const share = shareOf(actor ?? { did: cause, via: 'api-key' }, Math.max(1, toOthersPerDay))
    const toOthers = ofToday(tx).where('purpose', 'in', ['person', 'notice', 'code']).whereRef('cause', '!=', 'did')
    const full = toOthersPerDay > 0 ? await fullOfRows(toOthers, share, { perHolder: Infinity }) : 'all'
    if (full === 'origin') throw limitReached(share.ofOrigin, 'from one address to phones of others')
    if (full) throw limitReached(toOthersPerDay, 'by all users together to phones of others')
  }

  const insert = async (message: NewMessage, state: 'waiting' | 'refused', tx: SmsTransaction) => {
    const id = randomUUID()
    const text = message.text.normalize('NFC')
    const { encoding, parts } = smsParts(text)
    const sensitive = message.sensitive ?? false
    const row = await tx
      .insertInto('sms_messages')
      .values({
        id,
        message_key: keyHash(message.key),
        purpose: message.purpose,
        phone: numbers.seal(message.to, { table: 'sms_messages', row: id }),
        phone_hash: numbers.hash(message.to),
        did: people.didOf(message.to),
        cause: message.cause ?? null,
        holder: (message.actor ? holderOf(message.actor) : message.cause) ?? null,
        origin: (message.actor && shareOf(message.actor, Math.max(1, toOthersPerDay)).network) ?? null,
        text: state === 'refused' && sensitive ? '' : text,
        sensitive,
        encoding,
        parts,
        state,
        reason: state === 'refused' ? 'the phone has opted out' : null,
        provider_id: null,
        attempts: 0,
        cost: null,
        held_until: null,
        created_at: clock.now(),
        sent_at: null,
        settled_at: null,
      })
      .onConflict(conflict => conflict.column('message_key').doNothing())
      .returning(['id', 'state', 'parts', 'encoding'])
      .executeTakeFirst()
    if (row && state === 'waiting') await jobs.enqueue(sendJob, { id }, { tx })
    return row
  }

  const assertOwn = async ({ to, cause, purpose, toOthers }: NewMessage, tx: SmsTransaction): Promise<void> => {
    if (toOthers || (purpose !== 'person' && purpose !== 'notice')) return
    if (cause === undefined || !(await links.use(cause, to, tx))) throw phoneNotOwn(access)
  }

  /**
   * Stores a message and schedules its sending. A phone that opted out only receives secrets and what was requested
   * just now; a `service` message to it is stored as rejected. Messages of a user, and notices for a user, only go to
   * phones of that user, unless the user may send to others.
   *
   * @throws `sms_phone_not_own`, `sms_text_invalid`, `sms_opted_out`, `sms_limit_reached`
   */
  const takeWithinLimits = async (message: NewMessage, tx: SmsTransaction): Promise<TakenMessage> => {
    if (!isText(message.text)) throw smsFailures.sms_text_invalid()
    const known = await tx
      .selectFrom('sms_messages')
      .select(['id', 'state', 'parts', 'encoding'])
      .where('message_key', '=', keyHash(message.key))
      .executeTakeFirst()
    if (known) return known
    await assertOwn(message, tx)
    const isSecret = message.sensitive === true && message.purpose !== 'code'
    const isUnwanted = !isSecret && (await people.wantsNothing(message.to, tx))
    if (isUnwanted && message.purpose !== 'service') throw smsFailures.sms_opted_out()
    await assertWithinLimits(message, tx)
    if (message.purpose === 'service') await people.meet(message.to, clock.now(), tx)
    const row = await insert(message, isUnwanted ? 'refused' : 'waiting', tx)
    if (!row) throw new Error('a message conflicts with one that does not exist')
    return row
  }

  return {
    causedBy,
    /** Stores a message like `takeWithinLimits`, in a transaction of its own. */
    take: (message: NewMessage) => storage.write(tx => takeWithinLimits(message, tx)),
    takeWithinLimits,
    /** Stores an answer, or the reply to an opt-out, without checks. @returns undefined if it was stored before */
    takeWithin: (message: NewMessage, tx: SmsTransaction): Promise<TakenMessage | undefined> =>
      insert(message, 'waiting', tx),
  }
}

const limitReached = (max: number, whose: string) => smsFailures.sms_limit_reached({ most: max, whose })

/** Returns whether a text can be sent as SMS and has 1 to 1,600 characters. */
export const isText = (text: string): boolean =>
  text.trim() !== '' && text.length <= longestText && !text.includes('\0') && text.isWellFormed()

/** Keys of other plugins may reveal the recipient. */
const keyHash = (key: string): string => createHash('sha256').update(key).digest('base64url')
