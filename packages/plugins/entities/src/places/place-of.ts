import { entityName } from '../records/entity-name.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { cellNumber } from './grid.ts'
import { positionOf } from './position.ts'

/** Returns the place of an active entity with a position; undefined for others. */
export const placeOf = ({
  id,
  type,
  status,
  properties,
  alsoKnownAs,
}: Pick<StoredEntity, 'id' | 'type' | 'status' | 'properties' | 'alsoKnownAs'>) => {
  const position = status === 'active' ? positionOf(properties) : undefined
  if (!position) return undefined
  const name = entityName({ type, properties, alsoKnownAs }) ?? null
  return { entity_id: id, type, name, ...position, cell: cellNumber(position) }
}

/** A row of `entities_places`: an active entity with a position. */
export type PlaceRow = NonNullable<ReturnType<typeof placeOf>>
