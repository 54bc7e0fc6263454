import { createHash, randomUUID } from 'node:crypto'
import { type Clock, type Host, holderOf, type ShareOf } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import type { CountedActor } from '@sibyl/protocol'
import { phoneNotOwn, smsFailures } from '../definitions/sms-errors.ts'
import type { MessageRow, Purpose, SmsStorage, SmsTransaction } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { LinkStore } from '../people/link-store.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { smsParts } from '../text/sms-parts.ts'

/** The kind of the jobs that send. */
export const sendJob = 'sms/send'

/** The most characters of a message. */
export const longestText = 1_600

/** A message that is to go out. */
export interface NewMessage {
  /** Two of one key are one. */
  readonly key: string
  /** E.164. */
  readonly to: string
  readonly text: string
  readonly purpose: Purpose
  /** Whether its text is a secret, such as a one-time code. */
  readonly sensitive?: boolean
  readonly cause?: string
  /** The one who caused it, as limits count them. @default by `cause` alone */
  readonly actor?: CountedActor
  /** Whether the person may send to phones that are not theirs. @default false */
  readonly toOthers?: boolean
}

/** A message that was taken in, now or before. */
export type TakenMessage = Pick<MessageRow, 'id' | 'state' | 'parts' | 'encoding'>

export type Outbox = ReturnType<typeof createOutbox>

export interface OutboxParts {
  readonly storage: SmsStorage
  readonly jobs: Host['jobs']
  readonly clock: Clock
  readonly people: SmsPeople
  readonly numbers: SealedNumbers
  readonly links: Pick<LinkStore, 'use'>
  readonly access: 'open' | 'delegated'
  readonly shareOf: ShareOf
  /** Most messages that one person causes in 24 hours, and most that one phone gets besides codes and answers. */
  readonly perDay: number
  /** Most messages in 24 hours that people together have sent to phones of others. */
  readonly toOthersPerDay: number
}

const dayMs = 86_400_000

/** Most codes in 24 hours that one phone gets, whoever asks for them. */
const codesPerDay = 3

/** Makes the outbox. The jobs that send are defined by `defineSending`. */
export const createOutbox = (parts: OutboxParts) => {
  const { storage, jobs, clock, people, numbers, links, access, shareOf, perDay, toOthersPerDay } = parts
  const ofToday = (tx: SmsTransaction) =>
    tx
      .selectFrom('sms_messages')
      .select(of => of.fn.countAll<number>().as('messages'))
      .where('created_at', '>', clock.now() - dayMs)
      // What a clock that was ahead left behind counts no longer than a day.
      .where('created_at', '<', clock.now() + dayMs)

  /** Returns how many messages a holder has caused in the last 24 hours. */
  const causedBy = async (holder: string, tx: SmsTransaction): Promise<number> => {
    const { messages } = await ofToday(tx).where('holder', '=', holder).executeTakeFirstOrThrow()
    return messages
  }

  /** Counts what was caused for phones of others: by all, and by an address. */
  const toOthers = async (origin: string, tx: SmsTransaction) => {
    const counts = await ofToday(tx)
      .select(sql<number>`count(case when origin = ${origin} then 1 end)`.as('ofOrigin'))
      .where('purpose', 'in', ['person', 'notice', 'code'])
      .whereRef('cause', '!=', 'did')
      .executeTakeFirstOrThrow()
    return { all: Number(counts.messages), ofOrigin: Number(counts.ofOrigin) }
  }

  const assertWithinLimits = async (
    { to, cause, actor, sensitive, purpose }: NewMessage,
    tx: SmsTransaction,
  ): Promise<void> => {
    const holder = actor ? holderOf(actor) : cause
    if (holder !== undefined && (await causedBy(holder, tx)) >= perDay) throw limitReached(perDay, 'for one person')
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
    const share = actor && toOthersPerDay > 0 ? shareOf(actor, toOthersPerDay) : undefined
    const { all, ofOrigin } = await toOthers(share?.origin ?? '', tx)
    if (share && ofOrigin >= share.ofOrigin) {
      throw limitReached(share.ofOrigin, 'from one address to the phones of others')
    }
    if (all >= (share?.ofAll ?? toOthersPerDay)) {
      throw limitReached(toOthersPerDay, 'by all people together to the phones of others')
    }
  }

  const insert = async (message: NewMessage, state: 'waiting' | 'refused', tx: SmsTransaction) => {
    const id = randomUUID()
    const { encoding, parts } = smsParts(message.text)
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
        origin: message.actor?.origin ?? null,
        text: state === 'refused' && sensitive ? '' : message.text,
        sensitive,
        encoding,
        parts,
        state,
        reason: state === 'refused' ? 'the phone wants nothing' : null,
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
   * Stores a message, and has it sent. What is no secret and was not requested just now does not go to a phone that wants
   * nothing: of a `service` it is stored as refused. What a person had sent, and a notice for them, goes to a phone of their
   * own alone, unless they may send to others.
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
    if (!row) throw new Error('a message clashed with one that is not there')
    return row
  }

  return {
    causedBy,
    /** Stores a message as `takeWithinLimits` does, in a transaction of its own. */
    take: (message: NewMessage) => storage.write(tx => takeWithinLimits(message, tx)),
    takeWithinLimits,
    /** Stores what answers a message or ends SMS, without any check. @returns undefined where it was stored before */
    takeWithin: (message: NewMessage, tx: SmsTransaction): Promise<TakenMessage | undefined> =>
      insert(message, 'waiting', tx),
  }
}

const limitReached = (most: number, whose: string) => smsFailures.sms_limit_reached({ most, whose })

/** Whether a text is one that an SMS can carry, of 1 to 1,600 characters. */
export const isText = (text: string): boolean =>
  text.trim() !== '' && text.length <= longestText && !text.includes('\0') && text.isWellFormed()

/** Keys of other plugins may tell whom a message is for. */
const keyHash = (key: string): string => createHash('sha256').update(key).digest('base64url')
