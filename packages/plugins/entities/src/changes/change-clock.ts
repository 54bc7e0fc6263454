import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage } from '../storage/entities-tables.ts'

/**
 * Sees to it at boot that transactions go on being counted upwards when a PostgreSQL database was moved to another server,
 * whose own count may be lower: new changes come after all that are there, and positions that followers know stay right.
 */
export const keepCounting = async (storage: EntitiesStorage): Promise<void> => {
  if (storage.engine !== 'postgres') return
  const { ahead } = await storage.read
    .selectFrom('entities_change_clock')
    .select(
      sql<boolean>`coalesce((select max(transaction) from entities_events), 0)
        >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + past`.as('ahead'),
    )
    .executeTakeFirstOrThrow()
  if (!ahead) return
  await storage.write(async tx => {
    const { past } = await tx
      .updateTable('entities_change_clock')
      .set({ past: sql<number>`greatest(past, (select max(transaction) from entities_events))` })
      .returning('past')
      .executeTakeFirstOrThrow()
    const counted = sql.raw(`pg_current_xact_id()::text::bigint + ${BigInt(past)}`)
    await sql`alter table entities_events alter column transaction set default (${counted})`.execute(tx)
  })
}
