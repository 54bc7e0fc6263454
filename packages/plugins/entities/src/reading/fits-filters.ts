import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntityFilters } from './entity-reader.ts'
import { comparedDid, comparedText } from './entity-terms.ts'

/** Whether an entity is what a list is narrowed to. */
export const fitsFilters = (entity: StoredEntity, filters: EntityFilters): boolean => {
  const { type, domainClass, protocol, controller, status, properties = {}, updatedSince } = filters
  return (
    (type === undefined || entity.type === type) &&
    (domainClass === undefined || entity.domainClass === domainClass) &&
    (protocol === undefined ||
      (entity.protocol !== undefined && comparedDid(entity.protocol.did) === comparedDid(protocol))) &&
    (controller === undefined || comparedDid(entity.controller) === comparedDid(controller)) &&
    (status === undefined || entity.status === status) &&
    (updatedSince === undefined || entity.updatedAt >= updatedSince) &&
    Object.entries(properties).every(([name, value]) => {
      const own = Object.hasOwn(entity.properties, name) ? entity.properties[name] : undefined
      return own !== undefined && comparedText(own) === value
    })
  )
}
