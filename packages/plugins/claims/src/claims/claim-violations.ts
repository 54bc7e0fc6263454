import {
  type entityDirectory,
  type JsonValue,
  jsonPointer,
  type propertyRules,
  type ServiceOf,
  type Violation,
} from '@sibyl/protocol'
import { type Collection, closedBecause } from '../collections/collection.ts'
import type { CollectionStore } from '../collections/collection-store.ts'
import { violation } from '../definitions/claims-errors.ts'
import type { ClaimCreation } from '../records/claim-records.ts'
import { type ClaimDefinition, parseClaimDefinition } from '../rubric/claim-definition.ts'

type DirectoryEntity = NonNullable<ReturnType<Awaited<ReturnType<ServiceOf<typeof entityDirectory>['find']>>['get']>>

/** Subject of a claim: its asset, collection and protocol, as far as they exist. */
export interface Subject {
  readonly collection: Collection | undefined
  readonly asset: DirectoryEntity | undefined
  /** True if the protocol of the asset is deactivated. */
  readonly isWithdrawn: boolean
  /** True if the asset's version of the protocol is retired. */
  readonly isRetired: boolean
  /** Rules of the protocol for claims. */
  readonly definition: ClaimDefinition | undefined
  readonly definitionFaults: readonly Violation[]
}

export const readSubject = async (
  { collection: id, asset: did }: ClaimCreation,
  {
    collections,
    directory,
    rules,
  }: {
    readonly collections: CollectionStore
    readonly directory: ServiceOf<typeof entityDirectory>
    readonly rules: ServiceOf<typeof propertyRules>
  },
): Promise<Subject> => {
  const [collection, found] = await Promise.all([
    collections.find(id),
    did === undefined ? undefined : directory.find([did]),
  ])
  const asset = did === undefined ? undefined : found?.get(did)
  const governs = asset?.protocol && (collection?.protocol ?? asset.protocol.did) === asset.protocol.did
  const protocol = governs ? await directory.protocol(asset.protocol.did, asset.protocol.version) : undefined
  const parsed = parseClaimDefinition(protocol?.claim, rules)
  return {
    collection,
    asset,
    isWithdrawn: governs ? protocol?.status !== 'active' : false,
    isRetired: protocol?.retired === true,
    definition: 'definition' in parsed ? parsed.definition : undefined,
    definitionFaults: 'faults' in parsed ? parsed.faults : [],
  }
}

export const violationsOfClaim = (
  { asset: did, data, evidence = [] }: ClaimCreation,
  { collection, asset, isWithdrawn, isRetired, definition, definitionFaults }: Subject,
  now: number,
  rules: ServiceOf<typeof propertyRules>,
): readonly Violation[] => {
  const closed = collection && closedBecause(collection, now)
  return [
    ...(collection
      ? []
      : [
          violation(
            '/collection',
            'unknown_collection',
            'The collection is unknown. GET /v1/collections lists the collections.',
          ),
        ]),
    ...(closed === undefined ? [] : [violation('/collection', 'collection_closed', closed)]),
    ...violationsOfAsset(did, asset, collection),
    ...(isWithdrawn ? [violation('/asset', 'deactivated_protocol', "The entity's protocol is deactivated.")] : []),
    ...(isRetired
      ? [violation('/asset', 'retired_version', `The entity's version of the protocol is retired. ${moveIt}`)]
      : []),
    ...definitionFaults.map(({ path, message }) =>
      violation('/asset', 'unreadable_protocol', `The entity's protocol cannot be read at ${path}: ${message}`),
    ),
    ...(definition ? rules.check(definition.properties, data, '/data') : []),
    ...contentViolations({ data, evidence }),
    ...evidence.flatMap(({ hash }, index) =>
      evidence.findIndex(one => one.hash === hash) < index
        ? [violation(`/evidence/${index}/hash`, 'evidence_twice', 'This hash is already in the list.')]
        : [],
    ),
  ]
}

const violationsOfAsset = (
  did: string | undefined,
  asset: DirectoryEntity | undefined,
  collection: Collection | undefined,
): readonly Violation[] => {
  if (did === undefined) {
    return collection?.protocol === undefined
      ? []
      : [
          violation(
            '/asset',
            'missing_property',
            'The asset is missing: the claims of this collection are about entities.',
          ),
        ]
  }
  if (!asset) return [violation('/asset', 'unknown_entity', 'The entity is unknown here.')]
  return [
    ...(asset.status === 'active' ? [] : [violation('/asset', 'deactivated_entity', 'The entity is deactivated.')]),
    ...(collection?.protocol === undefined || asset.protocol?.did === collection.protocol
      ? []
      : [violation('/asset', 'wrong_protocol', "The entity does not follow the collection's protocol.")]),
    ...outdatedViolations(asset, collection),
  ]
}

const moveIt = 'Its controller can move it to the newest version by a PATCH with protocolVersion.'

const outdatedViolations = (
  { protocol }: DirectoryEntity,
  collection: Collection | undefined,
): readonly Violation[] => {
  const { protocol: own, leastProtocolVersion: least = 1 } = collection ?? {}
  if (protocol === undefined || protocol.did !== own || protocol.version >= least) return []
  const message = `The entity follows version ${protocol.version} of the protocol; the collection requires version ${least} or newer. ${moveIt}`
  return [violation('/asset', 'outdated_version', message)]
}

/** Maximum length of a claim's data as JSON, in characters. */
const maxData = 65_536

/** Maximum length of its evidence as JSON, in characters. */
const maxEvidence = 32_768

/** Maximum nesting depth of its data. */
const deepestData = 16

/**
 * Finds content that no credential can contain: data that is too large or too deep, and names that are keywords of
 * JSON-LD. Such a claim could be submitted but never approved.
 */
const contentViolations = ({ data, evidence = [] }: Pick<ClaimCreation, 'data' | 'evidence'>): readonly Violation[] => [
  ...sizeViolations(data, maxData, '/data'),
  ...sizeViolations(evidence, maxEvidence, '/evidence'),
  ...nameViolations(data, '/data'),
]

const sizeViolations = (content: unknown, max: number, path: string): readonly Violation[] =>
  JSON.stringify(content).length > max
    ? [violation(path, 'too_large', `Must have at most ${max} characters of JSON.`)]
    : []

const nameViolations = (value: JsonValue, path: string, depth = 1): readonly Violation[] => {
  if (typeof value !== 'object' || value === null) return []
  if (depth > deepestData) return [violation(path, 'too_deep', `Must be nested at most ${deepestData} levels deep.`)]
  return Object.entries(value).flatMap(([name, member]) => {
    const place = jsonPointer(path, name)
    const isKeyword = !Array.isArray(value) && name.startsWith('@')
    if (isKeyword) return [violation(place, 'name_invalid', 'Must not begin with @.')]
    return nameViolations(member, place, depth + 1)
  })
}
