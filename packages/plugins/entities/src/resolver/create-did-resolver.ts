import { didKeyDocument, type HostIdentity } from '@sibyl/core'
import type { DidDocument, DidResolution, DidResolver } from '@sibyl/protocol'
import type { StoredEntity } from '../records/stored-entity.ts'
import { didFailure } from './did-failure.ts'
import { isDid } from './did-text.ts'
import { entityDocument } from './entity-document.ts'

/** What resolving rests on. */
export interface DidResolverParts {
  readonly identity: Pick<HostIdentity, 'did' | 'publicDid' | 'document'>
  /** An entity by its whole DID. */
  readonly findEntity: (did: string) => Promise<StoredEntity | undefined>
}

/** Makes the resolver of DIDs that need no network. */
export const createDidResolver = (parts: DidResolverParts): DidResolver => ({
  async resolve(did, options = {}) {
    if (!isDid(did)) {
      return didFailure(
        'INVALID_DID',
        'Give a DID alone, such as did:web:example.org, without path, query or fragment.',
      )
    }
    const [, method] = did.split(':')
    if (method !== 'key' && method !== 'web') {
      return didFailure(
        'METHOD_NOT_SUPPORTED',
        `DIDs of the method '${method}' are not resolved here; did:key and did:web are.`,
      )
    }
    if (options.versionId !== undefined || options.versionTime !== undefined) {
      return didFailure(
        'FEATURE_NOT_SUPPORTED',
        'Only the present state of a document is resolved, without versionId and versionTime.',
      )
    }
    return method === 'key' ? resolveKey(did) : resolveWeb(did, parts)
  },
})

const resolveKey = (did: string): DidResolution => {
  const document = didKeyDocument(did)
  if (document) return resolved(document)
  return did.startsWith('did:key:z6Mk')
    ? didFailure('INVALID_DID', 'This did:key has no usable Ed25519 key.')
    : didFailure('FEATURE_NOT_SUPPORTED', 'Of did:key, only those of Ed25519 keys are resolved here: did:key:z6Mk….')
}

const resolveWeb = async (did: string, { identity, findEntity }: DidResolverParts): Promise<DidResolution> => {
  if (did === identity.publicDid) return resolved(await identity.document())
  const entity = await findEntity(did)
  if (entity) return resolveEntity(entity, identity)
  return did.startsWith(`${identity.publicDid}:`)
    ? didFailure('NOT_FOUND', 'This oracle has no entity of that DID.')
    : didFailure(
        'FEATURE_NOT_SUPPORTED',
        `Of did:web, only ${identity.publicDid} and its entities are resolved here. Another host is asked itself.`,
      )
}

const resolveEntity = (entity: StoredEntity, identity: DidResolverParts['identity']): DidResolution => {
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

/** UTC without fractions of a second, as W3C DID Resolution §3.1 wants it. */
const dateTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
