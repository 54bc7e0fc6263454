import { cleanText, type Host, isToolFailure } from '@sibyl/plugin'
import type { ClaimAction, PersonNotices, UserPreferences } from '@sibyl/protocol'
import { z } from 'zod'
import type { Claim } from '../claims/claim.ts'
import type { Step } from '../claims/claim-store.ts'
import type { ClaimsStorage, ClaimsTransaction } from '../definitions/claims-tables.ts'

const job = 'claims/notice'

/** The ways to report on which people are told by SMS. */
const phoneChannels: readonly string[] = ['ussd', 'sms']

/**
 * Creates the notices of people who reported by phone, and defines their job.
 *
 * @param notices Missing without the sms plugin: then no one is notified.
 */
export const createPhoneNotices = (
  { jobs, log }: Pick<Host, 'jobs' | 'log'>,
  storage: ClaimsStorage,
  notices: PersonNotices | undefined,
  preferences: UserPreferences | undefined,
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
      if (!notices || !row || !isTold(action as ClaimAction)) return
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
        log.info('a claimant could not be told by SMS', { claim: id, code: error.code })
      }
    },
    { maxAttempts: 6 },
  )

  return {
    /** Notifies the claimant of steps that a claim takes, each once, if and when the transaction commits. */
    async tell(claim: Claim, steps: readonly Step[], tx: ClaimsTransaction) {
      if (!notices || !phoneChannels.includes(claim.channel)) return
      for (const [index, { action, by }] of steps.entries()) {
        if (!isTold(action) || (action === 'dispute' && by === claim.submitter)) continue
        await jobs.enqueue(job, { claim: claim.id, action, position: claim.version + index + 1 }, { tx })
      }
    },
  }
}

/** The steps of a claim that a claimant on a phone is told of. */
type ToldAction = Extract<ClaimAction, 'approve' | 'reject' | 'dispute' | 'uphold' | 'invalidate'>

const texts: Readonly<Record<string, Readonly<Record<ToldAction, string>>>> = {
  en: {
    approve: 'Your report {report} was approved.',
    reject: 'Your report {report} was not approved.',
    dispute: 'The decision on your report {report} is disputed and looked at again.',
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

/** Whether a claimant on a phone is told of a step. */
const isTold = (action: ClaimAction): action is ToldAction => Object.hasOwn(texts.en!, action)

/** The most characters of a report in a notice. */
const longestReport = 40

/**
 * What a claimant on a phone is told, in one SMS.
 *
 * @param language a BCP 47 code; English where it has no words here
 * @param claim its id, and its own words where it has any
 */
export const noticeText = (
  action: ToldAction,
  language: string | undefined,
  { id, summary }: { readonly id: string; readonly summary?: unknown },
): string => {
  const [code = ''] = (language ?? '').toLowerCase().split('-')
  const words = (Object.hasOwn(texts, code) ? texts[code]! : texts.en!)[action]
  const said = typeof summary === 'string' ? [...cleanText(summary)] : []
  const shown = said.length > longestReport ? `${said.slice(0, longestReport - 3).join('')}...` : said.join('')
  return `${words.replace('{report}', () => (shown === '' ? '' : `"${shown}"`)).replace('  ', ' ')} ${id}`
}
