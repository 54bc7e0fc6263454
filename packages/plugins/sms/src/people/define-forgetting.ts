import type { Clock, Host } from '@sibyl/core'
import { z } from 'zod'
import type { SmsStorage } from '../storage/sms-tables.ts'

/** What forgetting rests on. */
export interface ForgettingParts {
  readonly storage: SmsStorage
  readonly jobs: Host['jobs']
  readonly clock: Clock
  readonly keepDays: number
}

const forgetJob = 'sms/forget'
const dayMs = 86_400_000

/** How long a report is kept that fits no message, in milliseconds. */
const earlyLifeMs = 3 * dayMs

/** How long what waits is kept beyond the others, in milliseconds: nothing waits so long that still has its job. */
const longestWaitMs = 7 * dayMs

/** How long the outbox of `embedded:` shows a secret, in milliseconds. */
const secretLifeMs = dayMs

/** Deletes once a day what is older than the operator keeps it; not that a phone wants nothing. */
export const defineForgetting = async ({ storage, jobs, clock, keepDays }: ForgettingParts): Promise<void> => {
  jobs.define(forgetJob, z.object({}), async () => {
    const until = clock.now() - keepDays * dayMs
    await storage.write(async tx => {
      await tx
        .deleteFrom('sms_messages')
        .where('created_at', '<', until)
        .where(of =>
          of.or([of('state', 'not in', ['waiting', 'held', 'sending']), of('created_at', '<', until - longestWaitMs)]),
        )
        .execute()
      await tx
        .updateTable('sms_messages')
        .set({ text: '' })
        .where('sensitive', '=', true)
        .where('text', '!=', '')
        .where('created_at', '<', clock.now() - secretLifeMs)
        .execute()
      await tx
        .updateTable('sms_messages')
        .set({ phone_hash: '', cause: null, holder: null })
        .where('state', '=', 'erased')
        .where(of => of.or([of('phone_hash', '!=', ''), of('cause', 'is not', null), of('holder', 'is not', null)]))
        .where('created_at', '<', clock.now() - dayMs)
        .execute()
      await tx.deleteFrom('sms_links').where('used_at', '<', until).execute()
      await tx
        .updateTable('sms_links')
        .set({ code: null, code_sent_at: null })
        .where('code_sent_at', '<', clock.now() - dayMs)
        .execute()
      await tx.deleteFrom('sms_links').where('linked_at', 'is', null).where('code', 'is', null).execute()
      await tx
        .deleteFrom('sms_inbound')
        .where('received_at', '<', until)
        .where(of => of.or([of('state', '!=', 'waiting'), of('received_at', '<', until - longestWaitMs)]))
        .execute()
      await tx.deleteFrom('sms_phones').where('seen_at', '<', until).execute()
      await tx
        .deleteFrom('sms_early_reports')
        .where('at', '<', clock.now() - earlyLifeMs)
        .execute()
    })
  })
  await jobs.schedule(forgetJob, '17 3 * * *', 'UTC', forgetJob, {})
}
