import type { Clock, Host, PluginOutbox } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import type { SmsStorage } from '../definitions/sms-tables.ts'
import { lifeMs } from './define-sending.ts'
import { sendJob } from './outbox.ts'

interface OutboxParts {
  readonly storage: SmsStorage
  readonly jobs: Host['jobs']
  readonly clock: Clock
}

/**
 * Creates the outbox of SMS for the operator. A message that failed counts, and can be sent again, while it is young enough to be
 * sent; the text of a secret one is gone.
 */
export const operatorOutbox = ({ storage, jobs, clock }: OutboxParts): PluginOutbox => {
  const { read } = storage
  const failed = (db: Pick<typeof read, 'selectFrom'>) =>
    db
      .selectFrom('sms_messages')
      .where('state', '=', 'failed')
      .where('created_at', '>', clock.now() - lifeMs)
      .where('text', '!=', '')
  return {
    name: 'sms/messages',
    async counts() {
      const waiting = await read
        .selectFrom('sms_messages')
        .select([
          sql<number>`count(*)`.as('pending'),
          sql<number>`count(case when state = 'waiting' then reason end)`.as('retrying'),
          sql<number | null>`min(coalesce(held_until, created_at))`.as('first'),
        ])
        .where('state', 'in', ['waiting', 'held', 'sending'])
        .executeTakeFirstOrThrow()
      const { dead } = await failed(read).select(sql<number>`count(*)`.as('dead')).executeTakeFirstOrThrow()
      const latest = await failed(read).select('reason').orderBy('created_at', 'desc').limit(1).executeTakeFirst()
      return {
        pending: Number(waiting.pending),
        retrying: Number(waiting.retrying),
        dead: Number(dead),
        firstDueAt: waiting.first === null ? undefined : Number(waiting.first),
        reason: latest?.reason ?? undefined,
      }
    },
    retry: limit =>
      storage.write(async tx => {
        const ids = await failed(tx).select('id').orderBy('created_at').limit(limit).execute()
        for (const { id } of ids) {
          await tx
            .updateTable('sms_messages')
            .set({ state: 'waiting', reason: null, attempts: 0, settled_at: null })
            .where('id', '=', id)
            .execute()
          await jobs.enqueue(sendJob, { id }, { tx })
        }
        return ids.length
      }),
  }
}
