import type { Clock } from '@sibyl/plugin'
import type { entityDirectory, propertyRules, ServiceOf, Violation } from '@sibyl/protocol'
import type { Caller } from '../access/caller.ts'
import { knownDid, type Parties } from '../access/parties.ts'
import { claimsFailures, invalidInput, violation } from '../definitions/claims-errors.ts'
import type { ClaimsStorage } from '../definitions/claims-tables.ts'
import type { ClaimQuota, CollectionCreation, CollectionPatch } from '../records/collection-records.ts'
import { checkConditions } from '../rubric/check-conditions.ts'
import { type ClaimDefinition, parseClaimDefinition } from '../rubric/claim-definition.ts'
import type { Collection } from './collection.ts'
import type { CollectionChange, CollectionStore } from './collection-store.ts'

export interface CollectionsDependencies {
  readonly storage: ClaimsStorage
  readonly collections: CollectionStore
  readonly directory: ServiceOf<typeof entityDirectory>
  readonly rules: ServiceOf<typeof propertyRules>
  readonly parties: Parties
  readonly clock: Clock
  readonly newId: () => string
}

export type Collections = ReturnType<typeof createCollections>

/** Default type of credentials. */
const usualCredentialType = 'ClaimCredential'

/** Creates the service that creates and changes collections. */
export const createCollections = (parts: CollectionsDependencies) => {
  const { storage, collections: store, parties, clock, newId } = parts
  /** @throws `collection_not_found` */
  const get = async (id: string): Promise<Collection> => {
    const found = await store.find(id)
    if (!found) throw claimsFailures.collection_not_found()
    return found
  }
  return {
    get,
    /** @throws `collection_invalid` with every problem */
    async create(creation: CollectionCreation, by: Caller): Promise<Collection> {
      const now = clock.now()
      const known = await withKnownDids(creation, parts.directory)
      const { faults: violationsOfParts, newest } = await checkCreation(creation, parts)
      const facts = { id: newId(), controller: by.did, now, parties, ...(newest === undefined ? {} : { newest }) }
      const collection = collectionFrom(known, facts)
      const violations = [...violationsOfParts, ...windowViolations(collection)]
      if (violations.length > 0) throw invalidInput('collection_invalid', 'The collection', violations)
      await storage.write(tx => store.insert(collection, tx))
      return collection
    },
    /** @throws `collection_not_found`, `collection_controller_needed`, `collection_invalid` */
    async change(id: string, patch: CollectionPatch, by: Caller): Promise<Collection> {
      const protocol = (await store.find(id))?.protocol
      const newest = protocol === undefined ? undefined : (await parts.directory.protocol(protocol))?.newest
      await storage.write(async tx => {
        const before = await store.find(id, tx)
        if (!before) throw claimsFailures.collection_not_found()
        if (!parties.isSame(before.controller, by.did)) throw claimsFailures.collection_controller_needed()
        const change = changed(before, patch)
        const violations = [...windowViolations(change), ...versionViolations(patch, newest)]
        if (violations.length > 0) throw invalidInput('collection_invalid', 'The change', violations)
        await store.change(before, change, clock.now(), tx)
      })
      return get(id)
    },
  }
}

const withKnownDids = async (
  { protocol, verifier, ...creation }: CollectionCreation,
  directory: ServiceOf<typeof entityDirectory>,
): Promise<CollectionCreation> => ({
  ...creation,
  ...(protocol === undefined ? {} : { protocol: await knownDid(protocol, directory) }),
  ...(verifier === undefined ? {} : { verifier: await knownDid(verifier, directory) }),
})

const collectionFrom = (
  creation: CollectionCreation,
  facts: { id: string; controller: string; now: number; parties: Parties; newest?: number },
): Collection => {
  const { id, controller, now, parties, newest } = facts
  const { submitters = 'controllers', evaluators = 'oracle', evaluation = 'rules' } = creation
  const partiesOf = (dids: readonly string[]) => [...new Set(dids.map(did => parties.partyOf(did)))]
  return {
    id,
    title: creation.title,
    controller,
    ...(creation.protocol === undefined ? {} : { protocol: creation.protocol }),
    ...(newest === undefined
      ? {}
      : { leastProtocolVersion: creation.leastProtocolVersion ?? newest, acceptedProtocolVersion: newest }),
    quota: creation.quota ?? {},
    taken: 0,
    ...(creation.opensAt === undefined ? {} : { opensAt: Date.parse(creation.opensAt) }),
    ...(creation.closesAt === undefined ? {} : { closesAt: Date.parse(creation.closesAt) }),
    closed: false,
    submitters: typeof submitters === 'string' ? submitters : partiesOf(submitters),
    evaluators: evaluators === 'oracle' ? [parties.oracle] : partiesOf(evaluators),
    evaluation,
    confirm: creation.confirm ?? evaluation === 'agent',
    conditions: creation.conditions ?? [],
    ...(creation.guidance === undefined ? {} : { guidance: creation.guidance }),
    ...(creation.verifier === undefined ? {} : { verifier: creation.verifier }),
    credentialType: creation.credentialType ?? usualCredentialType,
    createdAt: now,
    updatedAt: now,
  }
}

const changed = (before: Collection, patch: CollectionPatch): CollectionChange => {
  const opensAt = timeAfter(before.opensAt, patch.opensAt)
  const closesAt = timeAfter(before.closesAt, patch.closesAt)
  const least = patch.leastProtocolVersion ?? before.leastProtocolVersion
  const accepted = patch.acceptedProtocolVersion ?? before.acceptedProtocolVersion
  return {
    closed: patch.closed ?? before.closed,
    confirm: patch.confirm ?? before.confirm,
    ...(least === undefined ? {} : { leastProtocolVersion: least }),
    ...(accepted === undefined ? {} : { acceptedProtocolVersion: accepted }),
    quota: quotaAfter(before.quota, patch.quota),
    ...(opensAt === undefined ? {} : { opensAt }),
    ...(closesAt === undefined ? {} : { closesAt }),
  }
}

/** Merges a quota: a limit that the change does not name stays. */
const quotaAfter = (before: ClaimQuota, patch: CollectionPatch['quota']): ClaimQuota => {
  if (patch === null) return {}
  const { all, perAsset } = { ...before, ...patch }
  return { ...(typeof all === 'number' ? { all } : {}), ...(typeof perAsset === 'number' ? { perAsset } : {}) }
}

const timeAfter = (before: number | undefined, patch: string | null | undefined): number | undefined => {
  if (patch === undefined) return before
  return patch === null ? undefined : Date.parse(patch)
}

/**
 * Returns the problems of versions that the protocol does not have. @param newest undefined if the collection has no
 * protocol
 */
const versionViolations = (
  given: Pick<CollectionPatch, 'leastProtocolVersion' | 'acceptedProtocolVersion'>,
  newest: number | undefined,
): readonly Violation[] =>
  (['leastProtocolVersion', 'acceptedProtocolVersion'] as const).flatMap(name => {
    const version = given[name]
    if (version === undefined || (newest !== undefined && version <= newest)) return []
    const message =
      newest === undefined ? 'The collection has no protocol.' : `The newest version of the protocol is ${newest}.`
    return [violation(`/${name}`, 'unknown_version', message)]
  })

const windowViolations = ({ opensAt, closesAt }: Pick<Collection, 'opensAt' | 'closesAt'>): readonly Violation[] => [
  ...yearViolations('/opensAt', opensAt),
  ...yearViolations('/closesAt', closesAt),
  ...(opensAt !== undefined && closesAt !== undefined && closesAt <= opensAt
    ? [violation('/closesAt', 'window_invalid', 'Must be later than opensAt.')]
    : []),
]

/** The time zone offset can move a time into a year that has no four digits in ISO 8601. */
const yearViolations = (path: string, time: number | undefined): readonly Violation[] =>
  time === undefined || /^\d{4}-/.test(new Date(time).toISOString())
    ? []
    : [violation(path, 'window_invalid', 'Must be in the years 0 to 9999, UTC.')]

/** Returns every problem of a new collection, and the newest version of its protocol. */
const checkCreation = async (
  creation: CollectionCreation,
  parts: CollectionsDependencies,
): Promise<{ readonly faults: readonly Violation[]; readonly newest?: number }> => {
  const { conditions = [], evaluation = 'rules' } = creation
  const [{ definition, faults: protocolViolations, newest }, verifierViolations] = await Promise.all([
    definitionOf(creation.protocol, parts),
    violationsOfVerifier(creation.verifier, parts.directory),
  ])
  const taken = new Set(definition?.rubric.map(({ id }) => id))
  const violations = [
    ...protocolViolations,
    ...(protocolViolations.length > 0 ? [] : versionViolations(creation, newest)),
    ...checkConditions(conditions, definition?.properties, '/conditions'),
    ...conditions.flatMap(({ id }, index) =>
      taken.has(id)
        ? [violation(`/conditions/${index}/id`, 'id_taken', `The protocol already has a condition ${id}.`)]
        : [],
    ),
    ...(evaluation === 'rules' && definition && definition.rubric.length + conditions.length === 0
      ? [
          violation(
            '/evaluation',
            'conditions_missing',
            'Neither the protocol nor the collection has conditions. Add conditions, or set evaluation to agent or person.',
          ),
        ]
      : []),
    ...verifierViolations,
  ]
  return newest === undefined ? { faults: violations } : { faults: violations, newest }
}

const definitionOf = async (
  protocol: string | undefined,
  { directory, rules }: Pick<CollectionsDependencies, 'directory' | 'rules'>,
): Promise<{
  readonly definition?: ClaimDefinition
  readonly faults: readonly Violation[]
  readonly newest?: number
}> => {
  if (protocol === undefined) return { definition: { rubric: [] }, faults: [] }
  const found = await directory.protocol(protocol)
  if (!found) return { faults: [violation('/protocol', 'unknown_protocol', 'The protocol is unknown here.')] }
  const { newest } = found
  if (found.status !== 'active') {
    return { faults: [violation('/protocol', 'deactivated_protocol', 'The protocol is deactivated.')] }
  }
  const parsed = parseClaimDefinition(found.claim, rules)
  if ('definition' in parsed) return { definition: parsed.definition, faults: [], newest }
  return {
    newest,
    faults: parsed.faults.map(({ path, code, message }) => violation(`/protocol${path}`, code, message)),
  }
}

const violationsOfVerifier = async (
  verifier: string | undefined,
  directory: ServiceOf<typeof entityDirectory>,
): Promise<readonly Violation[]> => {
  if (verifier === undefined) return []
  const entity = (await directory.find([verifier])).get(verifier)
  if (!entity) return [violation('/verifier', 'unknown_entity', 'The entity is unknown here.')]
  if (entity.status === 'active' && entity.domainClass === 'Oracle Twins') return []
  return [violation('/verifier', 'wrong_kind', 'Must be an active entity of the class Oracle Twins.')]
}
