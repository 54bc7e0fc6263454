import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '@sibyl/protocol'
import { type EntityRow, type EventRow, edgeText, type StoredEntities } from './read-entities.ts'

type Properties = Record<string, JsonValue>

/** State of an entity, rebuilt only from its events. */
interface Replayed {
  readonly properties: Properties
  readonly status: string
  readonly credentials: readonly string[]
  /** Relationship to ids of entities. */
  readonly edges: Readonly<Record<string, readonly string[]>>
}

/** Edges that follow from claims, not from events of an entity. */
const ofClaims = new Set(['produces', 'verifies', 'becomes'])

/**
 * Finds what was written in part: an entity, its events, its edges and its places in the indexes have to agree.
 *
 * @returns a line for each that does not
 */
export const halfWritten = (stored: StoredEntities): readonly string[] => {
  const { entities, events, edges, replied, listed, termed, documents, worded } = stored
  const found: string[] = []
  const ids = [...entities.keys()]
  const inUse = ids.filter(id => entities.get(id)?.status === 'active')
  const wanted = new Set<string>()
  for (const entity of entities.values()) {
    const own = events.get(entity.id) ?? []
    const broken = brokenChain(entity, own)
    if (broken !== undefined) {
      found.push(`${entity.type} ${entity.id}: ${broken}`)
      continue
    }
    const replayed = own.reduce(applied, nothing)
    const isSame =
      isDeepStrictEqual(replayed.properties, entity.details.properties) &&
      replayed.status === entity.status &&
      isDeepStrictEqual(
        replayed.credentials,
        (entity.details.credentials ?? []).map(({ id }) => id),
      )
    if (!isSame) found.push(`${entity.type} ${entity.id}: another one than its events make`)
    if (entity.type === 'Protocol') continue
    for (const [name, targets] of Object.entries(replayed.edges)) {
      for (const target of targets) wanted.add(edgeText(entity.id, name, target))
    }
  }
  const own = [...edges].filter(edge => !ofClaims.has(edge.split(' ')[1]!))
  return [
    ...found,
    ...differences(
      'events without an entity',
      [...events.keys()].filter(id => !entities.has(id)),
      [],
    ),
    ...differences('edge', own, [...wanted]),
    ...differences('place in lists', listed, ids),
    ...differences('terms of', termed, ids),
    ...differences('document of the search', documents, inUse),
    ...differences('words of', worded, inUse),
    ...replied.filter(id => !entities.has(id)).map(id => `a reply that names ${id}, which is not there`),
    ...repeated(replied).map(id => `two replies name ${id}`),
  ]
}

const brokenChain = (entity: EntityRow, events: readonly EventRow[]): string | undefined => {
  let previous = ''
  for (const [index, { version, previous_hash, hash }] of events.entries()) {
    if (version !== index + 1) return `event ${index + 1} is missing`
    if (previous_hash !== previous) return `event ${version} does not follow the one before`
    previous = hash
  }
  if (events.length !== entity.version) return `version ${entity.version} with ${events.length} events`
  return previous === entity.hash ? undefined : 'its last event is another one than it says'
}

const nothing: Replayed = { properties: {}, status: 'active', credentials: [], edges: {} }

interface Change {
  readonly id?: string
  readonly properties?: Properties
  readonly relationships?: Readonly<Record<string, string | readonly string[]>>
}

const applied = (past: Replayed, { kind, change: given }: EventRow): Replayed => {
  const change = given as Change
  const edges = Object.entries(change.relationships ?? {}).map(
    ([name, targets]) => [name, [targets].flat().map(idOf)] as const,
  )
  const kept = (name: string, without: readonly string[]) =>
    (past.edges[name] ?? []).filter(id => !without.includes(id))
  switch (kind) {
    case 'created':
      return { ...past, properties: change.properties ?? {}, edges: Object.fromEntries(edges) }
    case 'updated':
      return { ...past, properties: merged(past.properties, change.properties ?? {}) }
    case 'deactivated':
      return { ...past, status: 'deactivated' }
    case 'related':
      return {
        ...past,
        edges: {
          ...past.edges,
          ...Object.fromEntries(edges.map(([name, ids]) => [name, [...kept(name, ids), ...ids]])),
        },
      }
    case 'unrelated':
      return {
        ...past,
        edges: { ...past.edges, ...Object.fromEntries(edges.map(([name, ids]) => [name, kept(name, ids)])) },
      }
    case 'credential-added':
      return { ...past, credentials: [...past.credentials, change.id!] }
    case 'credential-removed':
      return { ...past, credentials: past.credentials.filter(id => id !== change.id) }
    default:
      throw new Error(`an event of an unknown kind: ${kind}`)
  }
}

/** A JSON Merge Patch (RFC 7396) of properties that are no objects. */
const merged = (properties: Properties, patch: Properties): Properties =>
  Object.fromEntries(Object.entries({ ...properties, ...patch }).filter(([, value]) => value !== null))

const idOf = (did: string): string => did.slice(did.lastIndexOf(':') + 1)

/** Lines for what is there and should not be, what should be and is not, and what is there twice. */
const differences = (what: string, there: readonly string[], wanted: readonly string[]): readonly string[] => {
  const [has, wants] = [new Set(there), new Set(wanted)]
  return [
    ...[...has].filter(one => !wants.has(one)).map(one => `${what} ${one}: is there`),
    ...[...wants].filter(one => !has.has(one)).map(one => `${what} ${one}: is missing`),
    ...repeated(there).map(one => `${what} ${one}: twice`),
  ]
}

const repeated = (list: readonly string[]): readonly string[] => {
  const seen = new Set<string>()
  return list.filter(one => seen.has(one) || !seen.add(one))
}
