import { randomInt, randomUUID } from 'node:crypto'
import type { Clock, Host } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import { deleteInParts } from '@sibyl/plugin/storage'
import type { ServiceOf, smsSender } from '@sibyl/protocol'
import { z } from 'zod'
import { isSameSecret } from '../requests/same-secret.ts'
import type { UssdStorage, WriteTransaction } from '../storage/ussd-tables.ts'
import type { Phones } from './customers.ts'
import { type AttemptSubject, clockToleranceMs, type Lockout, resetCodeRule } from './lockout.ts'

const resetCodeLifeMs = 600_000

const maxTries = 3

/** Returns the subjects of sent codes: the account and, of the phone, the part for this account. */
export const codeSubjects = (customerId: string, phoneNumber: string): readonly AttemptSubject[] => [
  { purpose: 'code-account', value: customerId },
  { purpose: 'code-phone', value: phoneNumber, part: customerId },
]

export const resetCodeSubjects = (vault: Vault, customerId: string): readonly [string, ...string[]] =>
  vault.lookupHashes(customerId, 'ussd_reset_codes.subject')

/** One-time codes by SMS, for customers who forgot their PIN. */
export type ResetCodes = ReturnType<typeof createResetCodes>

export interface ResetCodesDependencies {
  readonly storage: UssdStorage
  readonly vault: Vault
  readonly clock: Clock
  readonly lockout: Lockout
  readonly jobs: Host['jobs']
  readonly phones: Pick<Phones, 'language'>
  readonly sms: ServiceOf<typeof smsSender> | undefined
}

/** Kind of the jobs that send codes. Their data is sealed. */
const jobKind = 'ussd/reset-code'

const jobData = z.object({ id: z.string(), sealed: z.string() })

/** Message of a job; without `to` nothing is sent, as for an unknown customer. */
interface SealedMessage {
  readonly to?: string | undefined
  readonly code: string
  readonly sentAt: number
}

type CodeRequest = Readonly<Record<'customerId' | 'phoneNumber', string>> & { readonly sendTo: string | undefined }

/** Creates the code service on the oracle's database, and defines the job that sends codes. */
export const createResetCodes = ({ storage, vault, clock, lockout, jobs, phones, sms }: ResetCodesDependencies) => {
  const codePlace = (subject: string) => `ussd_reset_codes.code:${subject}`
  const messagePlace = (id: string) => `jobs.reset-code:${id}`
  const decoy = vault.seal('000000', codePlace(''))

  const isOver = (sentAt: number): boolean => {
    const age = clock.now() - sentAt
    return age >= resetCodeLifeMs || age < -clockToleranceMs
  }

  jobs.define(
    jobKind,
    jobData,
    async ({ id, sealed }, { idempotencyKey }) => {
      const { to, code, sentAt } = JSON.parse(vault.open(sealed, messagePlace(id))) as SealedMessage
      if (to === undefined || isOver(sentAt)) return
      const text = resetCodeText(await phones.language(to), code)
      await sms?.send({ to, text, sensitive: true, idempotencyKey }).catch(withoutMessage)
    },
    { maxAttempts: 4 },
  )

  return {
    /**
     * Enqueues a code for `sendTo`, the customer's own phone, unless too many were requested; it replaces the previous
     * code. The result does not reveal whether the customer exists.
     *
     * @returns false without an sms plugin
     */
    async send({ customerId, phoneNumber, sendTo }: CodeRequest): Promise<boolean> {
      if (!sms) return false
      const reservation = await lockout.reserve(resetCodeRule, codeSubjects(customerId, phoneNumber))
      if (reservation.kind === 'locked') return true
      const [subject, ...earlier] = resetCodeSubjects(vault, customerId)
      const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
      const sentAt = clock.now()
      const kept = { code: vault.seal(code, codePlace(subject)), tries: 0, sent_at: sentAt }
      const id = randomUUID()
      const message: SealedMessage = { to: sendTo, code, sentAt }
      const sealed = vault.seal(JSON.stringify(message), messagePlace(id))
      await storage.write(async tx => {
        await tx
          .insertInto('ussd_reset_codes')
          .values({ subject, ...kept })
          .onConflict(conflict => conflict.column('subject').doUpdateSet(kept))
          .execute()
        if (earlier.length > 0) await tx.deleteFrom('ussd_reset_codes').where('subject', 'in', earlier).execute()
        await jobs.enqueue(jobKind, { id, sealed }, { tx })
      })
      return true
    },

    /**
     * Returns whether that is the code. Each try is counted on disk before the comparison; a right code is used up, in one
     * transaction with `also`.
     */
    async redeem(customerId: string, code: string, also: (tx: WriteTransaction) => Promise<void>): Promise<boolean> {
      const taken = await storage.write(
        tx =>
          tx
            .updateTable('ussd_reset_codes')
            .set(eb => ({ tries: eb('tries', '+', 1) }))
            .where('subject', 'in', resetCodeSubjects(vault, customerId))
            .where('tries', '<', maxTries)
            .returning(['subject', 'code', 'sent_at'])
            .executeTakeFirst(),
        { isolation: 'read committed' },
      )
      const expected = taken ? vault.open(taken.code, codePlace(taken.subject)) : vault.open(decoy, codePlace(''))
      if (!isSameSecret(code, expected) || taken === undefined || isOver(taken.sent_at)) return false
      return storage.write(async tx => {
        const used = await tx
          .deleteFrom('ussd_reset_codes')
          .where(eb => eb.and({ subject: taken.subject, code: taken.code }))
          .returning('subject')
          .executeTakeFirst()
        if (used) await also(tx)
        return used !== undefined
      })
    },

    async forgetOld(signal: AbortSignal): Promise<void> {
      const before = clock.now() - resetCodeLifeMs
      await deleteInParts(storage, {
        table: 'ussd_reset_codes',
        key: ['subject'],
        where: eb => eb('sent_at', '<', before),
        signal,
      })
    },
  }
}

/** Throws an error without the message of its cause, which might contain the code or the phone number. */
const withoutMessage = (error: unknown): never => {
  throw new Error(
    `The sms plugin did not take in a one-time code: ${error instanceof Error ? error.name : typeof error}.`,
  )
}

const texts: Readonly<Record<string, (code: string) => string>> = {
  en: code => `Your code is ${code}. It is valid for 10 minutes. Share it with no one, not even us.`,
  fr: code => `Votre code est ${code}. Il est valable 10 minutes. Ne le dites à personne, pas même à nous.`,
  sw: code => `Msimbo wako ni ${code}. Unatumika kwa dakika 10. Usimwambie mtu yeyote, hata sisi.`,
}

/** Returns the SMS with a one-time code, in English if the language has no text for it. */
const resetCodeText = (language: string | undefined, code: string): string =>
  (texts[language ?? 'en'] ?? texts.en!)(code)
