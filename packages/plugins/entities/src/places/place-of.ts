import { entityName } from '../records/entity-name.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { cellNumber } from './grid.ts'
import { positionOf } from './position.ts'

/** A row of `entities_places`: an active entity with a position. */
export interface PlaceRow {
  entity_id: string
  type: string
  name: string | null
  latitude: number
  longitude: number
  /** Number of its cell in the grid. */
  cell: number
}

/** Returns the place of an active entity with a position; undefined for others. */
export const placeOf = ({
  id,
  type,
  status,
  properties,
  alsoKnownAs,
}: Pick<StoredEntity, 'id' | 'type' | 'status' | 'properties' | 'alsoKnownAs'>): PlaceRow | undefined => {
  const position = status === 'active' ? positionOf(properties) : undefined
  if (!position) return undefined
  const name = entityName({ type, properties, alsoKnownAs }) ?? null
  return { entity_id: id, type, name, ...position, cell: cellNumber(position) }
}
