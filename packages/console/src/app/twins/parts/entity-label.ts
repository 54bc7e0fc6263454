import type { EntityRecord } from '@sibyl/plugin-entities/records'

const namingProperties = ['name', 'title', 'label', 'nom', 'jina']

/** Returns the name of an entity, as `GET /v1/names` does: a property such as `name`, else the first alias. */
export const nameOf = ({
  type,
  properties,
  alsoKnownAs,
}: Pick<EntityRecord, 'type' | 'properties' | 'alsoKnownAs'>): string | undefined => {
  for (const property of type === 'Protocol' ? [] : namingProperties) {
    const value = Object.hasOwn(properties, property) ? properties[property] : undefined
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 100)
  }
  return alsoKnownAs[0]?.slice(0, 100)
}

/** Returns the text that a view shows for an entity: its name, or its type and the end of its DID. */
export const labelOf = (name: string | undefined, type: string, did: string): string =>
  name ?? `${type} …${did.slice(-6)}`

/** Returns whether a DID is one of an entity of an oracle. */
export const isEntityDid = (did: string): boolean => /:entities:[0-9a-z]{26}$/.test(did)
