import type { Clock, Host } from '@sibyl/plugin'
import { deleteInParts, updateInParts } from '@sibyl/plugin/storage'
import { z } from 'zod'
import type { SmsStorage } from '../storage/sms-tables.ts'

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
  jobs.define(forgetJob, z.object({}), async (_data, { signal }) => {
    const now = clock.now()
    const until = now - keepDays * dayMs
    await deleteInParts(storage, {
      table: 'sms_messages',
      key: ['id'],
      where: of =>
        of.and([
          of('created_at', '<', until),
          of.or([of('state', 'not in', ['waiting', 'held', 'sending']), of('created_at', '<', until - longestWaitMs)]),
        ]),
      signal,
    })
    await updateInParts(storage, {
      table: 'sms_messages',
      key: ['id'],
      where: of =>
        of.and([of('sensitive', '=', true), of('text', '!=', ''), of('created_at', '<', now - secretLifeMs)]),
      set: { text: '' },
      signal,
    })
    await updateInParts(storage, {
      table: 'sms_messages',
      key: ['id'],
      where: of =>
        of.and([
          of('state', '=', 'erased'),
          of.or([of('phone_hash', '!=', ''), of('cause', 'is not', null), of('holder', 'is not', null)]),
          of('created_at', '<', now - dayMs),
        ]),
      set: { phone_hash: '', cause: null, holder: null },
      signal,
    })
    await forgetLinks({ storage, now, until, signal })
    await deleteInParts(storage, {
      table: 'sms_inbound',
      key: ['id'],
      where: of =>
        of.and([
          of('received_at', '<', until),
          of.or([of('state', '!=', 'waiting'), of('received_at', '<', until - longestWaitMs)]),
        ]),
      signal,
    })
    await deleteInParts(storage, { table: 'sms_phones', key: ['did'], where: of => of('seen_at', '<', until), signal })
    await deleteInParts(storage, {
      table: 'sms_early_reports',
      key: ['provider_id'],
      where: of => of('at', '<', now - earlyLifeMs),
      signal,
    })
  })
  await jobs.schedule(forgetJob, '17 3 * * *', 'UTC', forgetJob, {})
}

/** Forgets links whose phone was not used for long, and codes that nobody entered. */
const forgetLinks = async ({ storage, now, until, signal }: LinksToForget): Promise<void> => {
  await deleteInParts(storage, { table: 'sms_links', key: ['id'], where: of => of('used_at', '<', until), signal })
  await updateInParts(storage, {
    table: 'sms_links',
    key: ['id'],
    where: of => of('code_sent_at', '<', now - dayMs),
    set: { code: null, code_sent_at: null },
    signal,
  })
  await deleteInParts(storage, {
    table: 'sms_links',
    key: ['id'],
    where: of => of.and([of('linked_at', 'is', null), of('code', 'is', null)]),
    signal,
  })
}

interface LinksToForget {
  readonly storage: SmsStorage
  readonly now: number
  readonly until: number
  readonly signal: AbortSignal
}
