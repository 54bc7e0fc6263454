import { hash } from 'node:crypto'
import { type JsonValue, normalDid } from '@sibyl/protocol'
import type { DomainClass, EntityStatus } from '../records/entity-members.ts'
import type { StoredEntity } from '../records/stored-entity.ts'

/** Filters of a list; an entity must match all of them. */
export interface EntityFilters {
  readonly type?: string | undefined
  readonly domainClass?: DomainClass | undefined
  readonly protocol?: string | undefined
  readonly controller?: string | undefined
  readonly status?: EntityStatus | undefined
  /** Top-level properties with an equal value, as strings: `{ fuel: 'wood', ports: '4', lit: 'true' }`. */
  readonly properties?: Readonly<Record<string, string>> | undefined
  /** Milliseconds since 1970, inclusive. */
  readonly updatedSince?: number | undefined
}

/** Returns whether an entity matches the filters of a list. */
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

/**
 * Returns the terms of an entity: a number of 48 bits for each value that a list can be filtered by. Two values may
 * have the same number, so results of the index are compared with the entity itself.
 */
export const termsOf = ({ properties, ...entity }: StoredEntity): readonly number[] => {
  const terms = filterTerms({
    type: entity.type,
    domainClass: entity.domainClass,
    ...(entity.protocol ? { protocol: entity.protocol.did } : {}),
    controller: entity.controller,
    status: entity.status,
  })
  const own = Object.entries(properties).flatMap(([name, value]) => {
    const text = comparedText(value)
    return text === undefined ? [] : [propertyTerm(name, text)]
  })
  return [...new Set([...terms, ...own])]
}

/** Returns the terms of an entity that matches the filters. Times have no terms. */
export const filterTerms = (filters: EntityFilters): readonly number[] => {
  const { type, domainClass, protocol, controller, status, properties = {} } = filters
  const terms: number[] = []
  if (type !== undefined) terms.push(termOf('type', type))
  if (domainClass !== undefined) terms.push(termOf('class', domainClass))
  if (protocol !== undefined) terms.push(termOf('protocol', comparedDid(protocol)))
  if (controller !== undefined) terms.push(termOf('controller', comparedDid(controller)))
  if (status !== undefined) terms.push(termOf('status', status))
  for (const [name, value] of Object.entries(properties)) terms.push(propertyTerm(name, value))
  return terms
}

/** Returns a property as filters compare it: strings, numbers and booleans, as a string; otherwise undefined. */
const comparedText = (value: JsonValue): string | undefined => (typeof value === 'object' ? undefined : String(value))

/** Returns a DID as filters compare it; URLs decode the `%3A` of a port. */
const comparedDid = (did: string): string => normalDid(did).replaceAll('%3A', ':')

const propertyTerm = (name: string, value: string): number => termOf(`property.${name}`, value)

const termOf = (what: string, value: string): number =>
  Number.parseInt(hash('sha256', JSON.stringify([what, value]), 'hex').slice(0, 12), 16)
