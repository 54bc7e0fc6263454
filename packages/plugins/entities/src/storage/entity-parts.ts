import { setImmediate } from 'node:timers/promises'
import { sql } from '@sibyl/plugin/storage'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage, EntityRow } from './entities-tables.ts'
import { entityOfRow } from './entity-rows.ts'
import { idIn } from './statement-parts.ts'

/**
 * Maximum number of bytes of entities in one batch; an entity with many credentials may be larger, and is then a batch
 * of its own.
 */
const partBytes = 128_000

export interface EntityPart {
  /** The requested ids, in the given order. */
  readonly ids: readonly string[]
  readonly entities: ReadonlyMap<string, StoredEntity>
  readonly bytes: number
}

/**
 * Reads entities in batches, in the order of the given ids; other requests run between two batches.
 *
 * @param updatedSince milliseconds since 1970; only those changed then or later
 */
export async function* entityParts(
  { engine, read }: Pick<EntitiesStorage, 'engine' | 'read'>,
  ids: readonly string[],
  updatedSince = 0,
): AsyncGenerator<EntityPart> {
  if (ids.length === 0) return
  const { rows } = await sizesStatement(engine, ids, updatedSince).execute(read)
  const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]))
  let part: string[] = []
  let bytes = 0
  for (const [index, id] of ids.entries()) {
    part.push(id)
    bytes += sizes.get(id) ?? 0
    const next = ids[index + 1]
    if (next !== undefined && bytes + (sizes.get(next) ?? 0) <= partBytes) continue
    const known = part.filter(one => sizes.has(one))
    const found = known.length > 0 ? await rowsStatement(engine, known).execute(read) : { rows: [] }
    yield { ids: part, entities: new Map(found.rows.map(row => [row.id, entityOfRow(row)])), bytes }
    part = []
    bytes = 0
    if (next !== undefined) await setImmediate()
  }
}

/**
 * Returns the statement that reads the sizes of entities, optionally only of those changed since a time. SQLite does
 * not read their content for it.
 */
export const sizesStatement = (engine: EntitiesStorage['engine'], ids: readonly string[], updatedSince = 0) =>
  sql<{ id: string; bytes: number }>`
    select entity.id, octet_length(cast(entity.details as text)) as bytes from entities_entities as entity
    where ${idIn(engine, 'entity.id', ids)} and entity.updated_at >= ${updatedSince}
  `

export const rowsStatement = (engine: EntitiesStorage['engine'], ids: readonly string[]) =>
  sql<EntityRow>`select entity.* from entities_entities as entity where ${idIn(engine, 'entity.id', ids)}`
