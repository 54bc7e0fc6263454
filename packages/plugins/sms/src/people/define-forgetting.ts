import { type Clock, every, type Host } from '@sibyl/plugin'
import { deleteInParts, updateInParts } from '@sibyl/plugin/storage'
import type { SmsStorage } from '../definitions/sms-tables.ts'

const dayMs = 86_400_000

/** Retention of a report that matches no message, in milliseconds. */
const earlyLifeMs = 3 * dayMs

/** Additional retention of pending messages, in milliseconds; a message with a job never waits longer. */
const longestWaitMs = 7 * dayMs

/** Time for which the outbox of `embedded:` shows a secret, in milliseconds. */
const secretLifeMs = dayMs

/** Schedules the daily deletion of data that is past its retention, except opt-outs. */
export const defineForgetting = ({
  storage,
  jobs,
  clock,
  keepDays,
}: {
  readonly storage: SmsStorage
  readonly jobs: Host['jobs']
  readonly clock: Clock
  readonly keepDays: number
}): Promise<void> => {
  const run = async (signal: AbortSignal) => {
    const now = clock.now()
    const until = now - keepDays * dayMs
    const messages = { table: 'sms_messages', key: ['id'], signal } as const
    const links = { table: 'sms_links', key: ['id'], signal } as const
    await deleteInParts(storage, {
      ...messages,
      where: of =>
        of.and([
          of('created_at', '<', until),
          of.or([of('state', 'not in', ['waiting', 'held', 'sending']), of('created_at', '<', until - longestWaitMs)]),
        ]),
    })
    await updateInParts(storage, {
      ...messages,
      where: of =>
        of.and([of('sensitive', '=', true), of('text', '!=', ''), of('created_at', '<', now - secretLifeMs)]),
      set: { text: '' },
    })
    await updateInParts(storage, {
      ...messages,
      where: of =>
        of.and([
          of('state', '=', 'erased'),
          of.or([of('phone_hash', '!=', ''), of('cause', 'is not', null), of('holder', 'is not', null)]),
          of('created_at', '<', now - dayMs),
        ]),
      set: { phone_hash: '', cause: null, holder: null },
    })
    await deleteInParts(storage, { ...links, where: of => of('used_at', '<', until) })
    await updateInParts(storage, {
      ...links,
      where: of => of('code_sent_at', '<', now - dayMs),
      set: { code: null, code_sent_at: null },
    })
    await deleteInParts(storage, {
      ...links,
      where: of => of.and([of('linked_at', 'is', null), of('code', 'is', null)]),
    })
    await deleteInParts(storage, {
      table: 'sms_inbound',
      key: ['id'],
      signal,
      where: of =>
        of.and([
          of('received_at', '<', until),
          of.or([of('state', '!=', 'waiting'), of('received_at', '<', until - longestWaitMs)]),
        ]),
    })
    await deleteInParts(storage, { table: 'sms_phones', key: ['did'], where: of => of('seen_at', '<', until), signal })
    await deleteInParts(storage, {
      table: 'sms_early_reports',
      key: ['provider_id'],
      signal,
      where: of => of('at', '<', now - earlyLifeMs),
    })
  }
  return every(jobs, { kind: 'sms/forget', interval: '1d', run })
}
