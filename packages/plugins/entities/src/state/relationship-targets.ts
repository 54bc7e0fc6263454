import { entityIdOf, isSameDid } from '../records/entity-did.ts'
import type { Edge, KnownEntities, StoredEntity } from '../records/stored-entity.ts'

/** Relationship name to the DIDs of its targets. */
export type Relationships = Readonly<Record<string, readonly string[]>>

/** Relationships as lists without repetitions. */
export const listedRelationships = (given: Readonly<Record<string, string | readonly string[]>>): Relationships =>
  Object.fromEntries(Object.entries(given).map(([name, targets]) => [name, [...new Set([targets].flat())]]))

/** The targets of one relationship, whose name may be that of a member that every object has. */
export const targetsIn = (relationships: Relationships, name: string): readonly string[] =>
  Object.hasOwn(relationships, name) ? (relationships[name] ?? []) : []

/** The ids of the entities that relationships lead to. */
export const targetIds = (relationships: Relationships): readonly string[] =>
  Object.values(relationships)
    .flat()
    .flatMap(target => entityIdOf(target) ?? [])

/** The entities that relationships lead to, by what was given. */
export const resolveTargets = (relationships: Relationships, known: KnownEntities): ReadonlyMap<string, StoredEntity> =>
  new Map(
    Object.values(relationships)
      .flat()
      .flatMap(given => {
        const entity = known.get(entityIdOf(given) ?? '')
        return entity && isSameDid(entity.did, given) ? [[given, entity] as const] : []
      }),
  )

/** The edges of relationships whose targets are all known. */
export const edgesTo = (
  fromId: string,
  relationships: Relationships,
  targets: ReadonlyMap<string, Pick<StoredEntity, 'id'>>,
): readonly Edge[] =>
  Object.entries(relationships).flatMap(([relationship, given]) =>
    given.map(target => ({ from: fromId, relationship, to: targets.get(target)?.id ?? target })),
  )

/** Relationships with the DIDs as they are stored. */
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
