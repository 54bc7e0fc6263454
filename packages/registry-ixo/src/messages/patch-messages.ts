import { type EntityPatch, type EntityRecord, mergePatch } from '@sibyl/plugin-entities/records'
import type { JsonObject } from '@sibyl/protocol'
import type { ChainAccount } from '../account/chain-account.ts'
import { NotExpressibleError } from '../errors/entity-errors.ts'
import type { ChainDocument } from '../rpc/chain-queries.ts'
import type { ChainMessage } from './chain-message.ts'
import { mustBeExpressible } from './expressible.ts'
import { chainLink, edgesOf, readLink } from './links.ts'
import { findPropertiesResource, propertiesResource } from './properties-resource.ts'
import { chainService, readService } from './services.ts'
import { keyMethodId, keyVerification } from './verifications.ts'

/** A change with its author. */
export interface PatchedEntity {
  readonly record: EntityRecord
  readonly document: ChainDocument
  readonly account: Pick<ChainAccount, 'did' | 'address'>
}

/**
 * The messages that make a change; they go in one transaction, so that all of it happens or nothing. None where nothing
 * is different. What the document has of other software stays.
 *
 * @throws NotExpressibleError (`chain_not_expressible`)
 */
export const patchMessages = (entity: PatchedEntity, patch: EntityPatch): ChainMessage[] => {
  mustBeExpressible(patch)
  mustKeepNames(entity.record, patch)
  return [
    ...serviceMessages(entity, patch.services),
    ...propertyMessages(entity, patch.properties),
    ...relationshipMessages(entity, patch.relationships),
    ...controllerMessages(entity, patch.controller),
  ]
}

/** The one message that could change it replaces the whole document, and has no effect on some versions of the chain. */
const mustKeepNames = (record: EntityRecord, { alsoKnownAs }: EntityPatch): void => {
  if (alsoKnownAs === undefined || sameJson(alsoKnownAs ?? [], record.alsoKnownAs)) return
  const message = 'cannot be changed: the chain accepts it only at registration'
  throw new NotExpressibleError([{ path: '/alsoKnownAs', code: 'chain_not_expressible', message }])
}

const serviceMessages = ({ document, account }: PatchedEntity, services: EntityPatch['services']): ChainMessage[] => {
  if (services === undefined) return []
  const { id, service } = document
  const there = service.map(one => ({ chainId: one.id, entry: readService(one, id) }))
  const wanted = services ?? []
  const kept = (entry: EntityRecord['services'][number]) => wanted.some(one => sameService(one, entry))
  const removed = there.filter(({ entry }) => entry && !kept(entry))
  const added = wanted.filter(one => !there.some(({ entry }) => entry && sameService(one, entry)))
  const signer = account.address
  return [
    ...removed.map(({ chainId }): ChainMessage => {
      return { typeUrl: '/ixo.iid.v1beta1.MsgDeleteService', value: { id, serviceId: chainId, signer } }
    }),
    ...added.map((one): ChainMessage => {
      return { typeUrl: '/ixo.iid.v1beta1.MsgAddService', value: { id, serviceData: chainService(one), signer } }
    }),
  ]
}

const sameService = (one: EntityRecord['services'][number], other: EntityRecord['services'][number]): boolean =>
  one.id === other.id && one.type === other.type && one.endpoint === other.endpoint

const propertyMessages = (
  { record, document, account }: PatchedEntity,
  patch: EntityPatch['properties'],
): ChainMessage[] => {
  if (patch === undefined) return []
  const properties: Readonly<JsonObject> = patch === null ? {} : mergePatch(record.properties, patch)
  mustBeExpressible({ properties })
  if (sameJson(properties, record.properties)) return []
  const { id, linkedResource } = document
  const signer = account.address
  const there = findPropertiesResource(linkedResource, id)
  const messages: ChainMessage[] = []
  if (there)
    messages.push({
      typeUrl: '/ixo.iid.v1beta1.MsgDeleteLinkedResource',
      value: { id, resourceId: there.id, signer },
    })
  if (Object.keys(properties).length > 0)
    messages.push({
      typeUrl: '/ixo.iid.v1beta1.MsgAddLinkedResource',
      value: { id, linkedResource: propertiesResource(properties), signer },
    })
  return messages
}

const relationshipMessages = (
  { document, account }: PatchedEntity,
  relationships: EntityPatch['relationships'],
): ChainMessage[] => {
  if (relationships === undefined) return []
  const { id } = document
  const signer = account.address
  const there = document.linkedEntity.map(readLink).filter(edge => edge !== undefined)
  const changed = there.filter(({ name }) => Object.hasOwn(relationships, name))
  const wanted = edgesOf(relationships)
  const same = (one: (typeof wanted)[number]) => (other: (typeof wanted)[number]) =>
    one.name === other.name && one.to === other.to
  const removed = changed.filter(edge => !wanted.some(same(edge)))
  const added = wanted.filter(edge => !changed.some(same(edge)))
  const left = there.filter(edge => !removed.includes(edge))
  const taken = added.find(({ to }) => left.some(edge => edge.to === to))
  if (taken) {
    const path = `/relationships/${taken.name}`
    const message = 'have the same target as another relationship: the chain stores one relationship per DID'
    throw new NotExpressibleError([{ path, code: 'chain_not_expressible', message }])
  }
  return [
    ...removed.map(({ to }): ChainMessage => {
      return { typeUrl: '/ixo.iid.v1beta1.MsgDeleteLinkedEntity', value: { id, entityId: to, signer } }
    }),
    ...added.map((edge): ChainMessage => {
      return { typeUrl: '/ixo.iid.v1beta1.MsgAddLinkedEntity', value: { id, linkedEntity: chainLink(edge), signer } }
    }),
  ]
}

/** Keeps the account as a controller: without it no further change could be signed. */
const controllerMessages = (
  { record, document, account }: PatchedEntity,
  controller: string | undefined,
): ChainMessage[] => {
  if (controller === undefined || controller === record.controller) return []
  const { id } = document
  const signer = account.address
  const has = (methodId: string) => document.verificationMethod.some(method => method.id === methodId)
  const messages: ChainMessage[] = []
  if (!document.controller.includes(controller))
    messages.push({ typeUrl: '/ixo.iid.v1beta1.MsgAddController', value: { id, controllerDid: controller, signer } })
  const verification = keyVerification(controller)
  if (verification && !has(keyMethodId(controller)))
    messages.push({ typeUrl: '/ixo.iid.v1beta1.MsgAddVerification', value: { id, verification, signer } })
  const former = record.controller
  if (former === account.did || former === id) return messages
  messages.push({ typeUrl: '/ixo.iid.v1beta1.MsgDeleteController', value: { id, controllerDid: former, signer } })
  if (keyVerification(former) && has(keyMethodId(former)) && !record.alsoKnownAs.includes(former))
    messages.push({
      typeUrl: '/ixo.iid.v1beta1.MsgRevokeVerification',
      value: { id, methodId: keyMethodId(former), signer },
    })
  return messages
}

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
