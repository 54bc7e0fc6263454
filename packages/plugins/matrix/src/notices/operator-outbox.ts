import type { PluginOutbox } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import type { MatrixHost } from '../store/matrix-tables.ts'

/** Creates the outbox of rooms for the operator. The process that sends reads retried messages within two seconds. */
export const operatorOutbox = ({ storage, clock }: Pick<MatrixHost, 'storage' | 'clock'>): PluginOutbox => {
  const { read } = storage
  return {
    name: 'matrix/messages',
    async counts() {
      const row = await read
        .selectFrom('matrix_outbox')
        .select([
          sql<number>`count(case when state = 'waiting' then 1 end)`.as('pending'),
          sql<number | null>`min(case when state = 'waiting' then at end)`.as('first'),
          // Erased messages, and those of rooms that the bot left, have no text.
          sql<number>`count(case when state = 'failed' and text != '' then 1 end)`.as('dead'),
        ])
        .where('state', 'in', ['waiting', 'failed'])
        .executeTakeFirstOrThrow()
      return {
        pending: Number(row.pending),
        dead: Number(row.dead),
        firstDueAt: row.first === null ? undefined : Number(row.first),
      }
    },
    retry: limit =>
      storage.write(async tx => {
        const dead = tx
          .selectFrom('matrix_outbox')
          .select('place')
          .where('state', '=', 'failed')
          .where('text', '!=', '')
          .orderBy('place')
          .limit(limit)
        const rows = await tx
          .updateTable('matrix_outbox')
          .set({ state: 'waiting', at: clock.now() })
          .where('place', 'in', dead)
          .returning('place')
          .execute()
        return rows.length
      }),
  }
}
