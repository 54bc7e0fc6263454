import type { StoredEntity } from '../records/stored-entity.ts'

/** Maximum length of a tool's output, in characters of JSON; a model's input stays in its history. */
export const maxOutput = 2_000

/**
 * Returns the first items that fit.
 *
 * @param room total characters of JSON
 * @returns the items, and the number of omitted ones if any
 */
export const firstThatFit = <Item>(
  items: readonly Item[],
  room: number,
): { readonly shown: readonly Item[]; readonly more?: number } => {
  let left = room
  const shown: Item[] = []
  for (const item of items) {
    left -= JSON.stringify(item).length + 1
    if (left < 0) break
    shown.push(item)
  }
  return shown.length < items.length ? { shown, more: items.length - shown.length } : { shown }
}

const namingProperties = ['name', 'title', 'label', 'nom', 'jina']

/** Returns the name of an entity: a property such as `name`, else the first of `alsoKnownAs`. */
export const entityName = ({
  properties,
  alsoKnownAs,
}: Pick<StoredEntity, 'properties' | 'alsoKnownAs'>): string | undefined => {
  for (const property of namingProperties) {
    const name = Object.hasOwn(properties, property) ? properties[property] : undefined
    if (typeof name === 'string' && name.trim() !== '') return shortened(name.trim(), 100)
  }
  const [alias] = alsoKnownAs
  return alias === undefined ? undefined : shortened(alias, 100)
}

export const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text
