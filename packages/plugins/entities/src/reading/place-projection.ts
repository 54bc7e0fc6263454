import { sql } from '@sibyl/plugin/storage'
import { type PlaceRow, placeOf } from '../places/place-of.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import { latestChanges, type Projection } from '../storage/projection.ts'
import { inParts } from '../storage/statement-parts.ts'

/** Updates the places of active entities with a position. */
export const placeProjection: Projection = {
  async apply(changes, tx) {
    const placed: PlaceRow[] = []
    const removed: string[] = []
    for (const { before, after } of latestChanges(changes)) {
      const place = placeOf(after)
      const earlier = before && placeOf(before)
      if (place && !isSamePlace(place, earlier)) placed.push(place)
      if (!place && earlier) removed.push(after.id)
    }
    for (const part of inParts(placed)) await savePlaces(part, tx)
    if (removed.length > 0) await tx.deleteFrom('entities_places').where('entity_id', 'in', removed).execute()
  },
}

const isSamePlace = (place: PlaceRow, earlier: PlaceRow | undefined): boolean =>
  earlier !== undefined &&
  place.name === earlier.name &&
  place.latitude === earlier.latitude &&
  place.longitude === earlier.longitude

const savePlaces = (places: readonly PlaceRow[], tx: EntitiesTransaction) =>
  tx
    .insertInto('entities_places')
    .values([...places])
    .onConflict(conflict =>
      conflict.column('entity_id').doUpdateSet({
        name: sql`excluded.name`,
        latitude: sql`excluded.latitude`,
        longitude: sql`excluded.longitude`,
        cell: sql`excluded.cell`,
      }),
    )
    .execute()
