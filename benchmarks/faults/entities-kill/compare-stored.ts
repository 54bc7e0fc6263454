import { isDeepStrictEqual } from 'node:util'
import type { EntityRow, StoredEntities } from '../entities/read-entities.ts'
import type { KnownEntity } from './known-entity.ts'

/** Data that clients know and that is not stored, and stored data that no client knows. */
export interface Comparison {
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
}

/** Compares acknowledged data with stored data. @param others DIDs of additional entities */
export const compareStored = (
  known: readonly KnownEntity[],
  { entities, edges }: StoredEntities,
  others: readonly string[],
): Comparison => {
  const groupsOf = new Map<string, EntityRow[]>()
  for (const edge of edges) {
    const [from = '', relationship, to = ''] = edge.split(' ')
    const group = entities.get(from)
    if (relationship === 'subDomainOf' && group) groupsOf.set(to, [...(groupsOf.get(to) ?? []), group])
  }
  const lost: string[] = []
  const ofClients = new Set(others)
  for (const { did, creation, state } of known) {
    if (did === undefined) continue
    const row = entities.get(did.slice(did.lastIndexOf(':') + 1))
    const groups = groupsOf.get(row?.id ?? '') ?? []
    for (const one of [did, ...groups.map(group => group.did)]) ofClients.add(one)
    const isSame =
      row?.version === state.version &&
      row.status === state.status &&
      isDeepStrictEqual(row.details.properties, state.properties)
    if (!isSame || !areGroups(groups, creation.membershipGroups ?? [], state.status)) {
      lost.push(JSON.stringify({ did, creation, state, row, groups }))
    }
  }
  const doubled = [...entities.values()]
    .filter(({ did }) => !ofClients.has(did))
    .map(({ type, did }) => `${type} ${did}`)
  return { lost, doubled }
}

const areGroups = (groups: readonly EntityRow[], names: readonly string[], status: string): boolean =>
  isDeepStrictEqual(groups.map(({ details }) => details.properties.name).sort(), [...names].sort()) &&
  groups.every(group => group.status === status)
