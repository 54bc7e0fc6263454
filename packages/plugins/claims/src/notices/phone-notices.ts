import { cleanText, type Host, isToolFailure } from '@sibyl/plugin'
import type { personNotices, ServiceOf, userPreferences } from '@sibyl/protocol'
import { z } from 'zod'
import type { Claim } from '../claims/claim.ts'
import type { Step } from '../claims/claim-store.ts'
import type { ClaimsStorage, ClaimsTransaction } from '../definitions/claims-tables.ts'
import type { ClaimAction } from '../records/claim-records.ts'

const job = 'claims/notice'

/** Channels of reports whose claimants get notices by SMS. */
const phoneChannels: readonly string[] = ['ussd', 'sms']

/**
 * Creates the notices for people who reported by phone, and defines their job.
 *
 * @param notices Undefined without the sms plugin; then no notice is sent.
 */
export const createPhoneNotices = (
  { jobs, log }: Pick<Host, 'jobs' | 'log'>,
  storage: ClaimsStorage,
  notices: ServiceOf<typeof personNotices.sms> | undefined,
  preferences: ServiceOf<typeof userPreferences> | undefined,
) => {
  jobs.define(
    job,
    z.object({ claim: z.string(), action: z.string(), position: z.int() }),
    async ({ claim: id, action, position }) => {
      const row = await storage.read
        .selectFrom('claims_claims')
        .select(['id', 'submitter', 'data'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!notices || !row || !isReported(action as ClaimAction)) return
      const did = row.submitter
      const preferred = await preferences?.get(did)
      try {
        const { to } = await notices.addressOf({ did })
        await notices.send({
          did,
          to,
          text: noticeText(action as never, preferred?.language, { id, summary: row.data.summary }),
          idempotencyKey: `claim ${id} ${position}`,
        })
      } catch (error) {
        if (!isToolFailure(error)) throw error
        log.info('a claimant could not be notified by SMS', { claim: id, code: error.code })
      }
    },
    { maxAttempts: 6 },
  )

  return {
    /** Notifies the claimant of transitions, each once, if and when the transaction commits. */
    async report(claim: Claim, steps: readonly Step[], tx: ClaimsTransaction) {
      if (!notices || !phoneChannels.includes(claim.channel)) return
      for (const [index, { action, by }] of steps.entries()) {
        if (!isReported(action) || (action === 'dispute' && by === claim.submitter)) continue
        await jobs.enqueue(job, { claim: claim.id, action, position: claim.version + index + 1 }, { tx })
      }
    },
  }
}

/** Transitions that a claimant on a phone is notified of. */
type ReportedAction = Extract<ClaimAction, 'approve' | 'reject' | 'dispute' | 'uphold' | 'invalidate'>

const texts: Readonly<Record<string, Readonly<Record<ReportedAction, string>>>> = {
  en: {
    approve: 'Your report {report} was approved.',
    reject: 'Your report {report} was not approved.',
    dispute: 'The decision on your report {report} is disputed and will be reviewed.',
    uphold: 'The decision on your report {report} stands.',
    invalidate: 'The decision on your report {report} was taken back.',
  },
  fr: {
    approve: 'Votre rapport {report} est approuvé.',
    reject: "Votre rapport {report} n'est pas approuvé.",
    dispute: 'La décision sur votre rapport {report} est contestée et sera revue.',
    uphold: 'La décision sur votre rapport {report} est maintenue.',
    invalidate: 'La décision sur votre rapport {report} est annulée.',
  },
  sw: {
    approve: 'Ripoti yako {report} imekubaliwa.',
    reject: 'Ripoti yako {report} haikukubaliwa.',
    dispute: 'Uamuzi kuhusu ripoti yako {report} unapingwa na utaangaliwa tena.',
    uphold: 'Uamuzi kuhusu ripoti yako {report} unabaki.',
    invalidate: 'Uamuzi kuhusu ripoti yako {report} umefutwa.',
  },
}

/** Returns whether a claimant on a phone is notified of an action. */
const isReported = (action: ClaimAction): action is ReportedAction => Object.hasOwn(texts.en!, action)

/** Maximum length of a report in a notice, in characters. */
const longestReport = 40

/**
 * Returns the text of a notice, in one SMS.
 *
 * @param language a BCP 47 code; English if there is no translation
 * @param claim its id, and the text of the report if it has one
 */
export const noticeText = (
  action: ReportedAction,
  language: string | undefined,
  { id, summary }: { readonly id: string; readonly summary?: unknown },
): string => {
  const [code = ''] = (language ?? '').toLowerCase().split('-')
  const words = (Object.hasOwn(texts, code) ? texts[code]! : texts.en!)[action]
  const messages = typeof summary === 'string' ? [...cleanText(summary)] : []
  const shown =
    messages.length > longestReport ? `${messages.slice(0, longestReport - 3).join('')}...` : messages.join('')
  return `${words.replace('{report}', () => (shown === '' ? '' : `"${shown}"`)).replace('  ', ' ')} ${id}`
}
