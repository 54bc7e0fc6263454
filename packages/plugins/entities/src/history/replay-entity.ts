import type { CredentialEntry, DomainClass, EntityCreation, EntityPatch } from '@sibyl/protocol'
import type { StoredEntity } from '../records/stored-entity.ts'
import { maxShownCredentials } from '../writing/credential-changes.ts'
import { patchedEntity, patchedRelationships } from '../writing/patched-entity.ts'
import { patchedDefinition, postedDefinition, protocolType } from '../writing/posted-protocol.ts'
import { listedRelationships, targetsIn } from '../writing/relationship-targets.ts'
import type { ChainLink } from './verify-chain.ts'

/** An entity as it was, with the edges that it was given itself. */
export interface PastEntity {
  readonly entity: StoredEntity
  readonly relationships: Readonly<Record<string, readonly string[]>>
}

/** The class of an entity of a type under a version of a protocol. */
export type ClassOf = (type: string, protocol: StoredEntity['protocol']) => Promise<DomainClass>

/**
 * Builds an entity from the links of its chain, the first one first. Edges that other plugins wrote (`produces`,
 * `verifies`, `becomes`) are no changes of the entity and not in it.
 *
 * @returns undefined of no links
 */
export const replayEntity = async (
  id: string,
  links: Iterable<ChainLink> | AsyncIterable<ChainLink>,
  classOf: ClassOf,
): Promise<PastEntity | undefined> => {
  let past: PastEntity | undefined
  for await (const link of links) past = past ? applied(past, link) : created(id, link)
  if (past === undefined) return undefined
  const { entity, relationships } = past
  const domainClass = await classOf(entity.type, entity.protocol)
  const held = Object.entries(relationships).filter(([, targets]) => targets.length > 0)
  return { entity: { ...entity, domainClass }, relationships: Object.fromEntries(held) }
}

/** What an event of a creation holds. */
type Created = EntityCreation & { readonly controller: string }

const created = (id: string, link: ChainLink): PastEntity => {
  const change = link.change as Created
  const { type, controller, protocol, protocolVersion = 1, claim } = change
  const isProtocol = type === protocolType
  const entity: StoredEntity = {
    id,
    did: link.did,
    type,
    domainClass: 'Physical Twins',
    controller,
    status: 'active',
    ...(protocol === undefined ? {} : { protocol: { did: protocol, version: protocolVersion } }),
    properties: change.properties ?? {},
    services: change.services ?? [],
    credentials: [],
    alsoKnownAs: change.alsoKnownAs ?? [],
    ...(claim === undefined ? {} : { claim }),
    ...(isProtocol ? { definition: postedDefinition(change) } : {}),
    version: 1,
    createdAt: Date.parse(link.at),
    updatedAt: Date.parse(link.at),
    hash: link.hash,
  }
  return { entity, relationships: isProtocol ? {} : listedRelationships(change.relationships ?? {}) }
}

const applied = (past: PastEntity, link: ChainLink): PastEntity => {
  const changed = changedBy(past, link)
  const { version, at, hash } = link
  return { ...changed, entity: { ...changed.entity, version, updatedAt: Date.parse(at), hash } }
}

const changedBy = (past: PastEntity, { kind, change }: ChainLink): PastEntity => {
  const { entity, relationships } = past
  switch (kind) {
    case 'created':
      return past
    case 'updated':
      return patched(past, change as EntityPatch)
    case 'deactivated':
      return { ...past, entity: { ...entity, status: 'deactivated' } }
    case 'related':
    case 'unrelated': {
      const [[name, targets] = ['', []]] = Object.entries((change as unknown as Edges).relationships)
      const kept = targetsIn(relationships, name).filter(target => !targets.includes(target))
      return { ...past, relationships: { ...relationships, [name]: kind === 'related' ? [...kept, ...targets] : kept } }
    }
    case 'credential-added':
      return {
        ...past,
        entity: {
          ...entity,
          credentials: [...entity.credentials, change as CredentialEntry].slice(-maxShownCredentials),
        },
      }
    case 'credential-removed': {
      const { id } = change as { readonly id: string }
      return { ...past, entity: { ...entity, credentials: entity.credentials.filter(one => one.id !== id) } }
    }
  }
}

interface Edges {
  readonly relationships: Readonly<Record<string, readonly string[]>>
}

const patched = ({ entity, relationships }: PastEntity, patch: EntityPatch): PastEntity => {
  const after = patchedEntity(entity, patch)
  const definition = patchedDefinition(entity, after, patch)
  return {
    entity: {
      ...after,
      version: entity.version,
      updatedAt: entity.updatedAt,
      hash: entity.hash,
      ...(entity.protocol && patch.protocolVersion !== undefined
        ? { protocol: { ...entity.protocol, version: patch.protocolVersion } }
        : {}),
      ...(definition ? { definition } : {}),
    },
    relationships: entity.definition ? {} : { ...relationships, ...patchedRelationships(patch) },
  }
}
