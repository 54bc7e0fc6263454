import { createHash } from 'node:crypto'
import {
  type Actor,
  type Clock,
  channelAbilities,
  type Host,
  type Logger,
  type Refusal,
  type TurnResult,
} from '@sibyl/plugin'
import { plainPhoneText, shortenPhoneText } from '@sibyl/plugin/phones'
import { z } from 'zod'
import type { InboundRow, InboundState, SmsStorage, SmsTransaction } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { NewMessage, Outbox } from '../outbox/outbox.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { type OwnWord, ownWord, readKeyword } from './own-words.ts'

/** Kind of the jobs that answer incoming messages. */
export const answerJob = 'sms/answer'

/** Session of the agent with a user by SMS. */
const smsSession = 'sms'

export interface AnsweringDependencies {
  readonly storage: SmsStorage
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly people: SmsPeople
  readonly numbers: SealedNumbers
  readonly outbox: Outbox
  readonly host: Pick<Host, 'jobs' | 'turns' | 'limits' | 'oracle'>
  /** Maximum number of answered messages of a phone per minute. */
  readonly perMinute: number
  /** Maximum number of messages that one user causes in 24 hours. */
  readonly perDay: number
}

/** Maximum number of attempts to answer. */
const maxAttempts = 8

/** Maximum number of pending messages of one phone, so that it does not delay others. */
const maxWaiting = 4

/** Time after a text that something does not work during which no other is sent, in milliseconds. */
const silenceMs = 3_600_000

/** Defines the job that answers a message, by a text of the plugin or in a turn of the agent, once each. */
export const defineAnswering = (parts: AnsweringDependencies): void => {
  const { storage, clock, log, people, numbers, outbox, host, perMinute, perDay } = parts
  const { jobs, turns, limits, oracle } = host

  const isWithinLimit = async ({ did, phone }: InboundRow): Promise<boolean> => {
    const key = createHash('sha256')
      .update(did === '' ? phone : did)
      .digest('base64url')
    return (await limits.take({ name: 'inbound', key, perMinute })).allowed
  }

  const isBelowLimit = async ({ did }: InboundRow): Promise<boolean> => {
    const { waiting } = await storage.read
      .selectFrom('sms_inbound')
      .select(of => of.fn.countAll<number>().as('waiting'))
      .where(eb => eb.and({ did, state: 'waiting' }))
      .executeTakeFirstOrThrow()
    return waiting <= maxWaiting
  }

  /** Stores the final state of a message; false if it already has one. */
  const close = async ({ id }: InboundRow, state: InboundState, tx: SmsTransaction): Promise<boolean> => {
    const rows = await tx
      .updateTable('sms_inbound')
      .set({ state })
      .where(eb => eb.and({ id, state: 'waiting' }))
      .returning('id')
      .execute()
    return rows.length > 0
  }

  /** Ends a message, with an answer if there is one. */
  const end = (
    inbound: InboundRow,
    state: InboundState,
    answer?: Pick<NewMessage, 'purpose' | 'text'>,
  ): Promise<void> =>
    storage.write(async tx => {
      if (!(await close(inbound, state, tx)) || !answer) return
      const message = { key: `answer ${inbound.id}`, to: inbound.phone, cause: inbound.did, ...answer }
      await outbox.takeWithin(message, tx)
    })

  /** Sends the text that something does not work, unless one was sent within the hour. */
  const apologise = async (inbound: InboundRow, word: OwnWord): Promise<void> => {
    const text = ownWord(word, await people.languageOf(inbound.did), oracle.name)
    await storage.write(async tx => {
      if (!(await close(inbound, 'answered', tx))) return
      const lately = await tx
        .selectFrom('sms_messages')
        .select('id')
        .where(eb => eb.and({ did: inbound.did, purpose: 'apology' }))
        .where('created_at', '>', clock.now() - silenceMs)
        .where('created_at', '<', clock.now() + silenceMs)
        .executeTakeFirst()
      if (lately) return
      await outbox.takeWithin({ key: `answer ${inbound.id}`, to: inbound.phone, text, purpose: 'apology' }, tx)
    })
  }

  const ask = async (inbound: InboundRow): Promise<void> => {
    const actor: Actor = { did: inbound.did, via: 'sms', scopes: channelAbilities }
    const started = await turns.run({
      actor,
      session: smsSession,
      text: inbound.text,
      channel: 'sms',
      note: smsNote,
      dedupeKey: inbound.id,
      whenBusy: 'queue',
      approvals: 'deny',
    })
    if ('refused' in started) {
      log.info('an SMS was not answered', { inbound: inbound.id, code: started.refused.code })
      return apologise(inbound, wordOf(started.refused))
    }
    const answer = answerOf(await started.finished)
    if (typeof answer === 'string') return apologise(inbound, answer)
    await end(inbound, 'answered', { purpose: 'answer', text: answer.text })
  }

  jobs.define(
    answerJob,
    z.object({ id: z.string() }),
    async ({ id }, { attempt }) => {
      const row = await storage.read.selectFrom('sms_inbound').selectAll().where('id', '=', id).executeTakeFirst()
      if (row?.state !== 'waiting') return
      const phone = numbers.open(row.phone, { table: 'sms_inbound', row: id })
      if (phone === undefined) {
        log.error('an SMS cannot be answered: the key that encrypted its number is missing', { inbound: id })
        return end(row, 'ignored')
      }
      const inbound = { ...row, phone }
      const word = readKeyword(inbound.text)
      if (attempt === 1 && !(await isWithinLimit(inbound)) && word?.keyword !== 'stop') {
        return end(inbound, 'limited')
      }
      if (word) {
        const language = (await people.languageOf(inbound.did)) ?? word.language
        const content = { stop: 'stopped', start: 'started', help: 'help' } as const
        return end(inbound, 'answered', {
          purpose: 'word',
          text: ownWord(content[word.keyword], language, oracle.name),
        })
      }
      if (inbound.text.trim() === '') return end(inbound, 'ignored')
      if (inbound.did === '') {
        log.warn('an SMS cannot be answered: the oracle has no signing key', { inbound: id })
        return end(inbound, 'ignored')
      }
      if (attempt === 1 && !(await isBelowLimit(inbound))) return end(inbound, 'limited')
      const caused = await storage.write(tx => outbox.causedBy(inbound.did, tx))
      if (caused >= perDay) return apologise(inbound, 'limit')
      if (attempt < maxAttempts) return ask(inbound)
      await ask(inbound).catch((error: unknown) => {
        log.warn('an SMS could not be answered', { inbound: id, error })
        return apologise(inbound, 'unavailable')
      })
    },
    { maxAttempts, backOffMs: 2_000, maxBackOffMs: 60_000, timeLimitMs: 1_800_000, concurrency: 16 },
  )
}

const wordOf = ({ status }: Refusal): OwnWord => (status === 402 ? 'credit' : 'unavailable')

const answerOf = ({ outcome, text, hasActed }: TurnResult): OwnWord | { readonly text: string } => {
  if (hasActed) return 'acted'
  if (outcome === 'stopped' || outcome === 'interrupted') return 'interrupted'
  const plain = answerText(text)
  return outcome === 'done' && plain !== '' ? { text: plain } : 'failed'
}

/** Creates the note for the agent about the limits of SMS, for turns by SMS. */
const smsNote =
  'The user reads this as an SMS. Answer in their language, in plain text without Markdown or pictographs, in less than ' +
  '300 characters. No one can approve anything here.'

/** Maximum length of answers: three parts of an SMS, two of them one short if a character cannot be split. */
const longest = { gsm7: 457, ucs2: 199 } as const

/** Converts an answer of the agent to SMS text: plain, at most three parts. Blank if nothing is left. */
export const answerText = (text: string): string => shortenPhoneText(plainPhoneText(text), longest)
