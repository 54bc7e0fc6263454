import { backoff, type Clock, type Host, type Logger } from '@sibyl/plugin'
import { z } from 'zod'
import type { MessageRow, SmsStorage, SmsTransaction } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import type { SendOutcome, SmsProvider } from '../providers/sms-provider.ts'
import { applyEarly, blotSecret, settleLost, settleMessage } from './delivery-reports.ts'
import { sendJob } from './outbox.ts'
import type { QuietHold } from './quiet-hold.ts'

export interface SendingDependencies {
  readonly storage: SmsStorage
  readonly jobs: Host['jobs']
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly people: SmsPeople
  readonly numbers: SealedNumbers
  readonly provider: SmsProvider
  readonly heldUntil: QuietHold
  /** Called with the result of each request: the reason of a failure, or undefined. */
  readonly noteError: (reason: string | undefined) => void
}

/** Maximum number of attempts after rejections by the provider. */
const maxAttempts = 8
const pauseMs = backoff({ firstMs: 30_000, maxMs: 3_600_000, jitter: 0 })

/** Maximum age of a secret that is sent; codes are valid for ten minutes. */
const secretLifeMs = 600_000

/** Maximum age of any other message, such as one that waited while the plugin was disabled; later no one expects it. */
export const lifeMs = 3 * 86_400_000

const lookupJob = 'sms/look-up'

/**
 * Delays after which the provider is queried about a message whose response was lost, in milliseconds since the last
 * query.
 */
const delays = [60_000, 600_000, 3_600_000, 21_600_000, 86_400_000]

/**
 * Defines the jobs that send. The start of a request is on disk before the request. A message whose request had already
 * started has lost its response, and is never sent again.
 */
export const defineSending = (parts: SendingDependencies): void => {
  const { storage, jobs, clock, log, people, numbers, provider } = parts
  const keepsTexts = provider.name === 'embedded'

  const isTooOld = ({ sensitive, created_at }: MessageRow): boolean => {
    const age = clock.now() - created_at
    // The age of a secret from the future is unknown, because the clock was turned back.
    return sensitive ? Math.abs(age) > secretLifeMs : age > lifeMs
  }

  const find = (id: string) =>
    storage.read.selectFrom('sms_messages').selectAll().where('id', '=', id).executeTakeFirst()

  const numberOf = ({ id, phone }: MessageRow) => numbers.open(phone, { table: 'sms_messages', row: id })

  const becomesUnknown = async (message: MessageRow, reason: string): Promise<void> => {
    const { id } = message
    const phone = numberOf(message)
    log.warn('the delivery of an SMS is unknown; it is not sent again', { message: id, reason })
    await storage.write(async tx => {
      const row = await tx
        .updateTable('sms_messages')
        .set({ state: 'unknown', reason })
        .where(eb => eb.and({ id, state: 'sending' }))
        .returning('id')
        .executeTakeFirst()
      await blotSecret(id, tx)
      if (!row) return
      if (provider.lookup) await jobs.enqueue(lookupJob, { id, look: 0 }, { tx, runAt: clock.now() + delays[0]! })
      else if (phone !== undefined) await settleLost(phone, { now: clock.now(), numbers }, tx)
    })
  }

  const fails = (id: string, state: 'failed' | 'refused', reason: string) => async (tx: SmsTransaction) => {
    log.warn('an SMS was not sent', { message: id, state, reason })
    await tx
      .updateTable('sms_messages')
      .set({ state, reason, settled_at: clock.now() })
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'held', 'sending'])
      .execute()
    await blotSecret(id, tx)
  }

  /** Stores the start of a request; false if the message must no longer be sent. */
  const begin = ({ id, sensitive, purpose }: MessageRow, phone: string): Promise<boolean> =>
    storage.write(async tx => {
      const isAskedFor = (sensitive && purpose !== 'code') || purpose === 'word'
      if (!isAskedFor && (await people.wantsNothing(phone, tx))) {
        await fails(id, 'refused', 'the phone has opted out')(tx)
        return false
      }
      const row = await tx
        .updateTable('sms_messages')
        .set(of => ({
          state: 'sending',
          attempts: of('attempts', '+', 1),
          sent_at: clock.now(),
          held_until: null,
          provider_id: provider.takesOurId ? id : null,
        }))
        .where('id', '=', id)
        .where('state', 'in', ['waiting', 'held'])
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    })

  const takeOutcome = async (message: MessageRow, outcome: SendOutcome): Promise<void> => {
    const { id } = message
    if (outcome.kind === 'unknown') return becomesUnknown(message, outcome.reason)
    const now = clock.now()
    await storage.write(async tx => {
      if (outcome.kind === 'failed') return fails(id, 'failed', outcome.reason)(tx)
      if (outcome.kind === 'sent') {
        await settleMessage(id, { status: 'sent', ...outcome }, { now, keepsTexts }, tx)
        if (outcome.providerId !== undefined) await applyEarly(id, outcome.providerId, now, tx)
        return
      }
      const attempts = message.attempts + 1
      if (attempts >= maxAttempts) return fails(id, 'failed', outcome.reason)(tx)
      const runAt = now + (outcome.retryAfterMs ?? pauseMs(attempts))
      const row = await tx
        .updateTable('sms_messages')
        .set({ state: 'waiting', reason: outcome.reason })
        .where(eb => eb.and({ id, state: 'sending' }))
        .returning('id')
        .executeTakeFirst()
      if (row) await jobs.enqueue(sendJob, { id }, { tx, runAt })
    })
  }

  jobs.define(
    sendJob,
    z.object({ id: z.string() }),
    async ({ id }) => {
      const message = await find(id)
      if (message?.state === 'sending') return becomesUnknown(message, 'the process ended before the response')
      if (!message || (message.state !== 'waiting' && message.state !== 'held')) return
      const until = isTooOld(message) ? undefined : await parts.heldUntil(message)
      if (until !== undefined) {
        await storage.write(async tx => {
          await tx
            .updateTable('sms_messages')
            .set({ state: 'held', held_until: until })
            .where('id', '=', id)
            .where('state', 'in', ['waiting', 'held'])
            .execute()
          await jobs.enqueue(sendJob, { id }, { tx, runAt: until })
        })
        return
      }
      if (isTooOld(message)) {
        await storage.write(fails(id, 'failed', 'it was too old to be sent'))
        return
      }
      const to = numberOf(message)
      if (to === undefined) {
        log.error('an SMS cannot be sent: the key that encrypted its number is missing', { message: id })
        await storage.write(fails(id, 'failed', 'the key that encrypted its number is missing'))
        return
      }
      if (!(await begin(message, to))) return
      const outcome = await provider.send({ id, to, text: message.text })
      parts.noteError(outcome.kind === 'refused' || outcome.kind === 'unknown' ? outcome.reason : undefined)
      await takeOutcome(message, outcome)
    },
    { maxAttempts: 20, maxBackOffMs: 60_000, timeLimitMs: 60_000, concurrency: 8 },
  )

  jobs.define(
    lookupJob,
    z.object({ id: z.string(), look: z.int().min(0) }),
    async ({ id, look }) => {
      if ((await find(id))?.state !== 'unknown') return
      const found = await provider.lookup?.(id).catch((error: unknown) => {
        log.warn('the provider could not be queried about an SMS', { message: id, error })
        return undefined
      })
      await storage.write(async tx => {
        const now = clock.now()
        if (found) return settleMessage(id, found, { now, keepsTexts }, tx)
        const pause = delays[look + 1]
        if (pause !== undefined) await jobs.enqueue(lookupJob, { id, look: look + 1 }, { tx, runAt: now + pause })
      })
    },
    { maxAttempts: 5 },
  )
}
