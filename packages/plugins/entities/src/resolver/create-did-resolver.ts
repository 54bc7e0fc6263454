import { didKeyDocument, type Host } from '@sibyl/plugin'
import type { DidDocument, didResolver, ServiceOf } from '@sibyl/protocol'
import { entityIdOf } from '../records/entity-did.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { findEntity } from '../storage/entity-rows.ts'
import { didFailure } from './did-failure.ts'
import type { DidResolution } from './did-resolution.ts'
import { isDid } from './did-text.ts'
import { type DocumentIdentity, entityDocument } from './entity-document.ts'
import { type DocumentState, pastState, type StateAsked, stateAsked } from './past-state.ts'

type Identity = Pick<Host['identity'], 'did' | 'publicDid' | 'keys' | 'document'>
type Read = EntitiesStorage['read']

/** Creates the resolver of DIDs that need no network access. */
export const createDidResolver = (identity: Identity, read: Read): ServiceOf<typeof didResolver> => ({
  async resolve(did, options = {}) {
    if (!isDid(did)) {
      return didFailure(
        'INVALID_DID',
        'The DID has a path, query or fragment. Send only the DID, such as did:web:example.org.',
      )
    }
    const [, method] = did.split(':')
    if (method !== 'key' && method !== 'web') {
      return didFailure(
        'METHOD_NOT_SUPPORTED',
        `DIDs of the method '${method}' are not supported here; use did:key or did:web.`,
      )
    }
    const asked = stateAsked(options)
    if (typeof asked === 'string') return didFailure('INVALID_OPTIONS', asked)
    return asked ? resolvePast(did, asked, identity, read) : resolvePresent(did, identity, read)
  },
})

const resolvePresent = async (did: string, identity: Identity, read: Read): Promise<DidResolution> =>
  did.startsWith('did:key:') ? resolveKey(did) : resolveWeb(did, identity, read)

/** Resolves past states of entities; the oracle's own document and those of keys have no versions. */
const resolvePast = async (did: string, asked: StateAsked, present: Identity, read: Read): Promise<DidResolution> => {
  const entity = await entityOf(did, read)
  if (!entity) {
    const resolution = await resolvePresent(did, present, read)
    return resolution.didDocument
      ? didFailure('FEATURE_NOT_SUPPORTED', 'Only the current document of this DID can be resolved.')
      : resolution
  }
  const past = await pastState(read, entity, asked)
  if (past === undefined) return didFailure('NOT_FOUND', 'The DID had no document with that version or at that time.')
  const { next } = past
  const ended = next?.at
  const identity = { did: await keyBefore(present, ended), publicDid: present.publicDid }
  const resolution = resolveEntity(past.entity, identity)
  if (!next || ended === undefined) return resolution
  const { didDocumentMetadata } = resolution
  const following = { nextUpdate: dateTime(ended), nextVersionId: String(next.version) }
  return { ...resolution, didDocumentMetadata: { ...didDocumentMetadata, ...following } }
}

/** Returns an entity by its complete DID. */
const entityOf = async (did: string, read: Read): Promise<StoredEntity | undefined> => {
  const entity = await findEntity(read, entityIdOf(did))
  return entity?.did === did ? entity : undefined
}

/** Returns the oracle's key just before a time; the current one without a time. */
const keyBefore = async ({ did, keys }: Identity, time: number | undefined) => {
  if (time === undefined) return did
  const inUse = (await keys()).filter(({ since, until }) => since < time && (until === undefined || until >= time))
  return inUse.at(-1)?.did ?? did
}

const resolveKey = (did: string): DidResolution => {
  const document = didKeyDocument(did)
  if (document) return resolved(document)
  return did.startsWith('did:key:z6Mk')
    ? didFailure('INVALID_DID', 'This did:key has no usable Ed25519 key.')
    : didFailure('FEATURE_NOT_SUPPORTED', 'Only did:key with an Ed25519 key is supported here: did:key:z6Mk….')
}

const resolveWeb = async (did: string, identity: Identity, read: Read): Promise<DidResolution> => {
  if (did === identity.publicDid) return resolved(await identity.document())
  const entity = await entityOf(did, read)
  if (entity) return resolveEntity(entity, identity)
  return did.startsWith(`${identity.publicDid}:`)
    ? didFailure('NOT_FOUND', 'This oracle has no entity with that DID.')
    : didFailure(
        'FEATURE_NOT_SUPPORTED',
        `Only ${identity.publicDid} and its entities are supported here for did:web. Resolve other DIDs at their own host.`,
      )
}

const resolveEntity = (entity: DocumentState, identity: DocumentIdentity): DidResolution => {
  const { version, createdAt, updatedAt, status } = entity
  const metadata = {
    created: dateTime(createdAt),
    ...(version > 1 ? { updated: dateTime(updatedAt) } : {}),
    versionId: String(version),
  }
  return status === 'deactivated'
    ? { didDocument: null, didResolutionMetadata: {}, didDocumentMetadata: { ...metadata, deactivated: true } }
    : resolved(entityDocument(entity, identity), metadata)
}

const resolved = (
  didDocument: DidDocument,
  didDocumentMetadata: DidResolution['didDocumentMetadata'] = {},
): DidResolution => ({
  didDocument,
  didResolutionMetadata: { contentType: 'application/did' },
  didDocumentMetadata,
})

/** Returns a time in UTC without fractions of a second, as W3C DID Resolution §3.1 requires. */
const dateTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
