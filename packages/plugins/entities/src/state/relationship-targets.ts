import { sameDid } from '@sibyl/protocol'
import { entityIdOf } from '../records/entity-did.ts'
import type { Edge, KnownEntities, StoredEntity } from '../records/stored-entity.ts'

/** DIDs of targets by relationship name. */
export type Relationships = Readonly<Record<string, readonly string[]>>

/** Returns relationships as lists without duplicates. */
export const listedRelationships = (given: Readonly<Record<string, string | readonly string[]>>): Relationships =>
  Object.fromEntries(Object.entries(given).map(([name, targets]) => [name, [...new Set([targets].flat())]]))

/** Returns the targets of one relationship; its name may be that of a member of every object. */
export const targetsIn = (relationships: Relationships, name: string): readonly string[] =>
  Object.hasOwn(relationships, name) ? (relationships[name] ?? []) : []

export const targetIds = (relationships: Relationships): readonly string[] =>
  Object.values(relationships)
    .flat()
    .flatMap(target => entityIdOf(target) ?? [])

/** Returns the targets of relationships, by the given DID. */
export const resolveTargets = (relationships: Relationships, known: KnownEntities): ReadonlyMap<string, StoredEntity> =>
  new Map(
    Object.values(relationships)
      .flat()
      .flatMap(given => {
        const entity = known.get(entityIdOf(given) ?? '')
        return entity && sameDid(entity.did, given) ? [[given, entity] as const] : []
      }),
  )

/** Returns the edges of relationships whose targets are all known. */
export const edgesTo = (
  fromId: string,
  relationships: Relationships,
  targets: ReadonlyMap<string, Pick<StoredEntity, 'id'>>,
): readonly Edge[] =>
  Object.entries(relationships).flatMap(([relationship, given]) =>
    given.map(target => ({ from: fromId, relationship, to: targets.get(target)?.id ?? target })),
  )

/** Returns relationships with DIDs in stored form. */
export const storedDids = (
  relationships: Relationships,
  targets: ReadonlyMap<string, { readonly did: string }>,
): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(relationships).map(([name, given]) => [
      name,
      [...new Set(given.map(target => targets.get(target)?.did ?? target))],
    ]),
  )
