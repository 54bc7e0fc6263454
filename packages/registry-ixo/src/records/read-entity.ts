import { createHash } from 'node:crypto'
import type { EntityRecord, RegisteredEntity } from '@sibyl/plugin-entities/records'
import { didText } from '@sibyl/protocol'
import { protocolContext } from '../messages/creation-message.ts'
import { deactivatedStatus } from '../messages/deactivation-message.ts'
import { readLink } from '../messages/links.ts'
import { findPropertiesResource, readProperties } from '../messages/properties-resource.ts'
import { readService } from '../messages/services.ts'
import { domainClassOfType, typeOf } from '../messages/type-names.ts'
import type { ChainDocument, ChainState } from '../rpc/chain-queries.ts'

/**
 * An entity of the chain as registries answer it.
 *
 * @returns undefined when it is broken: without times, or with properties that do not fit their proof
 */
export const readEntity = ({ entity, document, bytes }: ChainState): RegisteredEntity | undefined => {
  const resource = findPropertiesResource(document.linkedResource, document.id)
  const properties = resource ? readProperties(resource) : {}
  const times = [document.metadata?.created, document.metadata?.updated, entity.metadata?.updated].map(millisecondsOf)
  const [created, ...updates] = times
  if (properties === undefined || created === undefined) return undefined
  const updated = Math.max(created, ...updates.filter(time => time !== undefined))
  const type = typeOf(entity.type)
  const protocol = document.context.find(({ key }) => key === protocolContext)?.val
  const record: EntityRecord = {
    did: document.id,
    type,
    controller: controllerOf(document),
    domainClass: domainClassOfType(type),
    status: isDeactivated({ entity, document }) ? 'deactivated' : 'active',
    ...(didText.safeParse(protocol).success ? { protocol } : {}),
    properties: { ...properties },
    services: document.service.map(one => readService(one, document.id)).filter(one => one !== undefined),
    relationships: relationshipsOf(document),
    verifiableCredential: [],
    alsoKnownAs: document.alsoKnownAs === '' ? [] : [document.alsoKnownAs],
    version: 1 + updated - created,
    createdAt: new Date(created).toISOString(),
    updatedAt: new Date(updated).toISOString(),
  }
  return { entity: record, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` }
}

/** Whether an entity is out of use, by its status or as DID documents say it. */
export const isDeactivated = ({ entity, document }: Pick<ChainState, 'entity' | 'document'>): boolean =>
  entity.status === deactivatedStatus || document.metadata?.deactivated === true

/**
 * Returns the controller. The document also lists itself and the account of its owner, in no defined order: a key is
 * preferred, then any other.
 */
const controllerOf = ({ id, controller }: ChainDocument): string => {
  const others = controller.filter(did => did !== id)
  return (
    others.find(did => did.startsWith('did:key:')) ?? others.find(did => !did.startsWith('did:x:')) ?? others[0] ?? id
  )
}

const relationshipsOf = ({ linkedEntity }: ChainDocument): Record<string, string[]> => {
  const edges = linkedEntity.map(readLink).filter(edge => edge !== undefined)
  const names = Object.groupBy(edges, ({ name }) => name)
  return Object.fromEntries(
    Object.entries(names).map(([name, of = []]) => [name, of.slice(0, 100).map(({ to }) => to)]),
  )
}

/** Returns the milliseconds of a protobuf timestamp; undefined if it is out of range. */
const millisecondsOf = (time: { seconds: { toString(): string }; nanos: number } | undefined): number | undefined => {
  const milliseconds = time && Number(time.seconds.toString()) * 1_000 + Math.floor(time.nanos / 1_000_000)
  return milliseconds !== undefined && milliseconds > 0 && milliseconds < 253_402_300_800_000 ? milliseconds : undefined
}
