import { isObject, type JsonValue } from '@sibyl/protocol'
import type { EntityPatch } from '../records/entity-contract.ts'
import type { CredentialEntry } from '../records/entity-members.ts'
import type { NewEntity, StoredEntity } from '../records/stored-entity.ts'
import { maxShownCredentials } from '../state/entity-limits.ts'
import { patchedEntity, patchedRelationships } from '../state/patched-entity.ts'
import { patchedDefinition, postedDefinition, protocolType } from '../state/posted-protocol.ts'
import { listedRelationships } from '../state/relationship-targets.ts'
import type { ChainLink } from './verify-chain.ts'

/** A past state of an entity, with the edges that its controller set. Its class is the current one. */
export interface PastEntity {
  readonly entity: StoredEntity
  readonly relationships: Readonly<Record<string, readonly string[]>>
  /** Number of links that were erased up to this version. */
  readonly erasures?: number
}

/**
 * Builds an entity from the links of its chain, in order. The cost of a link depends on its change, not on the size of
 * the entity. Edges from other plugins (`produces`, `verifies`, `becomes`) are not changes of the entity, and are not
 * included.
 */
export class EntityReplay {
  readonly #id: string
  #entity: StoredEntity | undefined
  #relationships = new Map<string, Set<string>>()
  #erasures: number

  /** @param from Known state; the replay begins after that version and modifies it. */
  constructor(id: string, from?: PastEntity) {
    this.#id = id
    this.#entity = from?.entity
    this.#erasures = from?.erasures ?? 0
    if (from) this.#relate(from.relationships)
  }

  /** The entity after the links so far; undefined before the first. */
  get past(): PastEntity | undefined {
    if (this.#entity === undefined) return undefined
    const held = [...this.#relationships].filter(([, targets]) => targets.size > 0)
    return {
      entity: this.#entity,
      relationships: Object.fromEntries(held.map(([name, targets]) => [name, [...targets]])),
      ...(this.#erasures === 0 ? {} : { erasures: this.#erasures }),
    }
  }

  apply(link: ChainLink): void {
    if (link.erasure) this.#erasures += 1
    if (this.#entity === undefined) this.#entity = this.#created(link)
    else {
      const { version, at, hash } = link
      this.#entity = { ...this.#changed(this.#entity, link), version, updatedAt: Date.parse(at), hash }
    }
  }

  #created(link: ChainLink): StoredEntity {
    const change = link.change as unknown as Created
    const { type, controller, protocol, protocolVersion = 1, claim } = change
    const isProtocol = type === protocolType
    if (!isProtocol) this.#relate(listedRelationships(change.relationships ?? {}))
    return {
      id: this.#id,
      did: link.did,
      type,
      domainClass: 'Physical Twins',
      controller,
      ...(change.pendingController === undefined ? {} : { pendingController: change.pendingController }),
      status: 'active',
      ...(protocol === undefined ? {} : { protocol: { did: protocol, version: protocolVersion } }),
      properties: structuredClone(change.properties ?? {}),
      services: change.services ?? [],
      credentials: change.verifiableCredential ?? [],
      alsoKnownAs: change.alsoKnownAs ?? [],
      ...(claim === undefined ? {} : { claim }),
      ...(isProtocol ? { definition: postedDefinition(change) } : {}),
      version: 1,
      createdAt: Date.parse(link.at),
      updatedAt: Date.parse(link.at),
      hash: link.hash,
    }
  }

  #changed(entity: StoredEntity, { kind, change }: ChainLink): StoredEntity {
    switch (kind) {
      case 'created':
        return entity
      case 'updated':
        return this.#patched(entity, change as EntityPatch)
      case 'deactivated':
        return { ...entity, status: 'deactivated' }
      case 'related':
      case 'unrelated': {
        const [[name, targets] = ['', []]] = Object.entries((change as unknown as Edges).relationships)
        const held = this.#relationships.get(name) ?? new Set()
        for (const target of targets) kind === 'related' ? held.add(target) : held.delete(target)
        this.#relationships.set(name, held)
        return entity
      }
      case 'credential-added':
        return {
          ...entity,
          credentials: [...entity.credentials, change as CredentialEntry].slice(-maxShownCredentials),
        }
      case 'credential-removed': {
        const { id } = change as { readonly id: string }
        return { ...entity, credentials: entity.credentials.filter(one => one.id !== id) }
      }
    }
  }

  #patched(entity: StoredEntity, patch: EntityPatch): StoredEntity {
    const { version, updatedAt, hash } = entity
    if (entity.definition) {
      const after = patchedEntity(entity, patch)
      const definition = patchedDefinition(entity, after, patch)
      return { ...after, version, updatedAt, hash, ...(definition ? { definition } : {}) }
    }
    this.#relate(patchedRelationships(patch))
    const { properties, ...rest } = patch
    return {
      ...patchedEntity({ ...entity, properties: {} }, rest),
      properties: properties === null ? {} : mergedInto(entity.properties as Members, properties ?? {}),
      version,
      updatedAt,
      hash,
      ...(entity.protocol && patch.protocolVersion !== undefined
        ? { protocol: { ...entity.protocol, version: patch.protocolVersion } }
        : {}),
    }
  }

  /** Sets the targets of each given name. */
  #relate(relationships: Readonly<Record<string, readonly string[]>>): void {
    for (const [name, targets] of Object.entries(relationships)) this.#relationships.set(name, new Set(targets))
  }
}

/** Content of the event of a creation. */
type Created = NewEntity & { readonly controller: string }

interface Edges {
  readonly relationships: Readonly<Record<string, readonly string[]>>
}

type Members = { [name: string]: JsonValue }

/** Applies a merge patch (RFC 7396) to an object in place; the result of `mergePatch` without a copy of all members. */
const mergedInto = (target: Members, patch: Readonly<Members>): Members => {
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete target[name]
    else if (!isObject(value)) target[name] = value
    else {
      const before = Object.hasOwn(target, name) ? target[name] : undefined
      target[name] = mergedInto(isObject(before) ? before : {}, value)
    }
  }
  return target
}
