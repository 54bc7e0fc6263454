import { createHash, randomUUID } from 'node:crypto'
import type { Clock, Host } from '@sibyl/core'
import type { SmsPeople } from '../people/sms-people.ts'
import { SmsLimitReached, SmsOptedOut, SmsTextInvalid } from '../sms-errors.ts'
import type { MessageRow, Purpose, SmsStorage, SmsTransaction } from '../storage/sms-tables.ts'
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
  /** Whom it is counted for. */
  readonly cause?: string
}

/** A message that was taken in, now or before. */
export type TakenMessage = Pick<MessageRow, 'id' | 'state' | 'parts' | 'encoding'>

/** What goes out. */
export interface Outbox {
  /**
   * Stores a message, and has it sent. What is no secret and not asked for just now does not go to a phone that wants
   * nothing: of a `service` it is stored as refused.
   *
   * @throws SmsTextInvalid `sms_text_invalid`, SmsOptedOut `sms_opted_out`, SmsLimitReached `sms_limit_reached`
   */
  take(message: NewMessage): Promise<TakenMessage>
  /** The same within a transaction, and without a count. @returns undefined where it was taken in before */
  takeWithin(message: NewMessage, tx: SmsTransaction): Promise<TakenMessage | undefined>
  /** How many messages a person has caused in the last 24 hours. */
  causedBy(did: string, tx: SmsTransaction): Promise<number>
}

/** What it rests on. */
export interface OutboxParts {
  readonly storage: SmsStorage
  readonly jobs: Host['jobs']
  readonly clock: Clock
  readonly people: SmsPeople
  /** Most messages that one person causes in 24 hours, and most that one phone gets besides codes and answers. */
  readonly perDay: number
  /** Most messages in 24 hours that people together have sent to phones of others. */
  readonly toOthersPerDay: number
}

const dayMs = 86_400_000

/** Makes the outbox. The jobs that send are defined by `defineSending`. */
export const createOutbox = ({ storage, jobs, clock, people, perDay, toOthersPerDay }: OutboxParts): Outbox => {
  const ofToday = (tx: SmsTransaction) =>
    tx
      .selectFrom('sms_messages')
      .select(of => of.fn.countAll<number>().as('messages'))
      .where('created_at', '>', clock.now() - dayMs)
      // What a clock that was ahead left behind counts no longer than a day.
      .where('created_at', '<', clock.now() + dayMs)

  const causedBy = async (did: string, tx: SmsTransaction): Promise<number> => {
    const { messages } = await ofToday(tx).where('cause', '=', did).executeTakeFirstOrThrow()
    return messages
  }

  const assertWithinLimits = async ({ to, cause, sensitive }: NewMessage, tx: SmsTransaction): Promise<void> => {
    if (cause !== undefined && (await causedBy(cause, tx)) >= perDay) throw new SmsLimitReached(perDay, 'person')
    if (sensitive) return
    const toPhone = await ofToday(tx)
      .where('phone', '=', to)
      .where('purpose', 'in', ['person', 'notice', 'service'])
      .where('sensitive', '=', false)
      .executeTakeFirstOrThrow()
    if (toPhone.messages >= perDay) throw new SmsLimitReached(perDay, 'phone')
    if (cause === undefined || cause === people.didOf(to)) return
    const toOthers = await ofToday(tx)
      .where('purpose', 'in', ['person', 'notice'])
      .whereRef('cause', '!=', 'did')
      .executeTakeFirstOrThrow()
    if (toOthers.messages >= toOthersPerDay) throw new SmsLimitReached(toOthersPerDay, 'others')
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
        phone: message.to,
        did: people.didOf(message.to),
        cause: message.cause ?? null,
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

  return {
    causedBy,
    async take(message) {
      if (!isText(message.text)) throw new SmsTextInvalid()
      return storage.write(async tx => {
        const known = await tx
          .selectFrom('sms_messages')
          .select(['id', 'state', 'parts', 'encoding'])
          .where('message_key', '=', keyHash(message.key))
          .executeTakeFirst()
        if (known) return known
        const isUnwanted = message.sensitive !== true && (await people.wantsNothing(message.to, tx))
        if (isUnwanted && message.purpose !== 'service') throw new SmsOptedOut()
        await assertWithinLimits(message, tx)
        if (message.purpose === 'service') await people.meet(message.to, clock.now(), tx)
        const row = await insert(message, isUnwanted ? 'refused' : 'waiting', tx)
        if (!row) throw new Error('a message clashed with one that is not there')
        return row
      })
    },
    takeWithin: (message, tx) => insert(message, 'waiting', tx),
  }
}

/** Whether a text is one that an SMS can carry, of 1 to 1,600 characters. */
export const isText = (text: string): boolean =>
  text.trim() !== '' && text.length <= longestText && !text.includes('\0') && text.isWellFormed()

/** Keys of other plugins may tell whom a message is for. */
const keyHash = (key: string): string => createHash('sha256').update(key).digest('base64url')
