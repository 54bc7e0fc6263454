import { type Host, isToolFailure } from '@sibyl/plugin'
import type { ClaimAction, PersonNotices, UserPreferences } from '@sibyl/protocol'
import { z } from 'zod'
import type { Claim } from '../claims/claim.ts'
import type { Step } from '../claims/claim-store.ts'
import type { ClaimsStorage, ClaimsTransaction } from '../storage/claims-tables.ts'
import { isTold, noticeText } from './notice-text.ts'

/** Tells people who reported by phone what becomes of their claims. */
export interface PhoneNotices {
  /** Has the claimant told of steps that a claim takes, each once, if and when the transaction commits. */
  tell(claim: Claim, steps: readonly Step[], tx: ClaimsTransaction): Promise<void>
}

export interface PhoneNoticesParts {
  readonly host: Pick<Host, 'jobs' | 'log'>
  readonly storage: ClaimsStorage
  /** Missing without the sms plugin: then nobody is told. */
  readonly notices: PersonNotices | undefined
  readonly preferences: UserPreferences | undefined
}

const job = 'claims/notice'

/** The ways to report on which people are told by SMS. */
const phoneChannels: readonly string[] = ['ussd', 'sms']

/** Makes what tells claimants on phones, and defines its job. */
export const createPhoneNotices = ({ host, storage, notices, preferences }: PhoneNoticesParts): PhoneNotices => {
  const { jobs, log } = host

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
    async tell(claim, steps, tx) {
      if (!notices || !phoneChannels.includes(claim.channel)) return
      for (const [index, { action, by }] of steps.entries()) {
        if (!isTold(action) || (action === 'dispute' && by === claim.submitter)) continue
        await jobs.enqueue(job, { claim: claim.id, action, position: claim.version + index + 1 }, { tx })
      }
    },
  }
}
