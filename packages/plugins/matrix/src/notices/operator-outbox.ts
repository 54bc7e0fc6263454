import type { PluginOutbox } from '@sibyl/plugin'
import type { MatrixHost } from '../store/matrix-tables.ts'

/** Creates the outbox of rooms for the operator. The process that sends reads retried messages within two seconds. */
export const operatorOutbox = ({ storage, clock }: Pick<MatrixHost, 'storage' | 'clock'>): PluginOutbox => {
  const { read } = storage
  return {
    name: 'matrix/messages',
    async counts() {
      const pending = await read
        .selectFrom('matrix_outbox')
        .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.min('at').as('first')])
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow()
      const dead = await read
        .selectFrom('matrix_outbox')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .where('state', '=', 'failed')
        .where('text', '!=', '')
        .executeTakeFirstOrThrow()
      return {
        pending: Number(pending.rows),
        dead: Number(dead.rows),
        firstDueAt: pending.first === null ? undefined : Number(pending.first),
      }
    },
    retry: limit =>
      storage.write(async tx => {
        // Erased messages, and those of rooms that the bot left, have no text.
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
