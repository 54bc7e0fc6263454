import type { StoredEntity } from './stored-entity.ts'

const namingProperties = ['name', 'title', 'label', 'nom', 'jina']

/**
 * Returns the name of an entity: a property such as `name`, else the first of `alsoKnownAs`. The properties of a Protocol
 * are rules, and never its name.
 */
export const entityName = ({
  type,
  properties,
  alsoKnownAs,
}: Pick<StoredEntity, 'type' | 'properties' | 'alsoKnownAs'>): string | undefined => {
  for (const property of type === 'Protocol' ? [] : namingProperties) {
    const name = Object.hasOwn(properties, property) ? properties[property] : undefined
    if (typeof name === 'string' && name.trim() !== '') return shortened(name.trim(), 100)
  }
  const [alias] = alsoKnownAs
  return alias === undefined ? undefined : shortened(alias, 100)
}

export const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text
