import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { type Change, type ChangePosition, firstPosition } from './change.ts'

export interface ChangePage {
  readonly changes: readonly Change[]
  /** True if more changes are available. */
  readonly isFull: boolean
  /** PostgreSQL: true if later changes wait for earlier transactions to end. */
  readonly isHeldBack: boolean
}

/** Maximum number of changes of one read. */
const pageSize = 200

/**
 * Creates the feed. On SQLite changes are numbered in the order of their commits. On PostgreSQL a number is given before the
 * commit, so changes are ordered by their transactions, and only those are returned that are older than any that still runs:
 * no change can precede them any more.
 */
export const createChangeFeed = (storage: Pick<EntitiesStorage, 'engine' | 'read'>) => {
  const isPostgres = storage.engine === 'postgres'
  const rows = () => storage.read.selectFrom('entities_events as event')
  const settled = sql<boolean>`event.transaction < ${horizon}`
  const underWay = new Map<string, Promise<ChangePage>>()

  const readPage = async ({ transaction, sequence }: ChangePosition): Promise<ChangePage> => {
    const query = rows()
      .innerJoin('entities_entities as entity', 'entity.id', 'event.entity_id')
      .select([
        'event.transaction',
        'event.sequence',
        'event.entity_id',
        'event.kind',
        'event.version',
        'event.at',
        'event.by',
      ])
      .select(['entity.did', 'entity.type', 'entity.protocol'])
      .limit(pageSize)
    const found = isPostgres
      ? await query
          .where(sql<boolean>`(event.transaction, event.sequence) > (${transaction}, ${sequence})`)
          .where(settled)
          .orderBy('event.transaction')
          .orderBy('event.sequence')
          .execute()
      : await query.where('event.sequence', '>', sequence).orderBy('event.sequence').execute()
    const isFull = found.length === pageSize
    return {
      changes: found.map(row => ({
        position: { transaction: row.transaction, sequence: row.sequence },
        entityId: row.entity_id,
        did: row.did,
        type: row.type,
        protocol: row.protocol ?? undefined,
        kind: row.kind,
        version: row.version,
        at: row.at,
        by: row.by,
      })),
      isFull,
      isHeldBack: isPostgres && !isFull && (await isHeldBack()),
    }
  }

  const isHeldBack = async (): Promise<boolean> => {
    const later = await rows()
      .select('sequence')
      .where(sql<boolean>`event.transaction >= ${horizon}`)
      .limit(1)
      .execute()
    return later.length > 0
  }

  return {
    /** Returns the next changes after a position. Concurrent calls for the same position share one read. */
    read(after: ChangePosition): Promise<ChangePage> {
      const key = `${after.transaction}-${after.sequence}`
      const reading = underWay.get(key) ?? readPage(after).finally(() => underWay.delete(key))
      underWay.set(key, reading)
      return reading
    },
    async tip(): Promise<ChangePosition> {
      const query = rows().select(['event.transaction', 'event.sequence']).limit(1)
      const last = isPostgres
        ? await query
            .where(settled)
            .orderBy('event.transaction', 'desc')
            .orderBy('event.sequence', 'desc')
            .executeTakeFirst()
        : await query.orderBy('event.sequence', 'desc').executeTakeFirst()
      return last ?? firstPosition
    },
  }
}

/** The changes of all entities in an order that never changes, across all processes. */
export type ChangeFeed = ReturnType<typeof createChangeFeed>

/** Returns the oldest running transaction, counted as in the events. */
const horizon = sql<number>`(select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + past from entities_change_clock)`

/**
 * Keeps transaction numbers ascending after a PostgreSQL database was moved to another server, whose counter may be
 * lower. New changes come after all existing ones, and the positions of followers stay valid.
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
