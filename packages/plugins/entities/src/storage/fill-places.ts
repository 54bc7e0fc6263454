import type { Migration } from '@sibyl/plugin/storage'
import { placeOf } from '../places/place-of.ts'
import type { EntityRow } from './entities-tables.ts'

/**
 * Fills the places of a database from before 2026-11-29, which has none. Delete it with the first release, as `completeTable` of
 * the storage.
 */
export const fillPlaces = async (db: Parameters<Migration>[0]): Promise<void> => {
  if (await db.selectFrom('entities_places').select('entity_id').executeTakeFirst()) return
  for (let after = ''; ; ) {
    const found = await db
      .selectFrom('entities_entities')
      .select(['id', 'type', 'status', 'details'])
      .where('id', '>', after)
      .where('status', '=', 'active')
      .orderBy('id')
      .limit(64)
      .execute()
    const rows = found as unknown as Pick<EntityRow, 'id' | 'type' | 'status' | 'details'>[]
    const places = rows.flatMap(
      ({ details: { properties, alsoKnownAs = [] }, ...row }) => placeOf({ ...row, properties, alsoKnownAs }) ?? [],
    )
    if (places.length > 0)
      await db
        .insertInto('entities_places')
        .values(places.map(place => ({ ...place })))
        .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
