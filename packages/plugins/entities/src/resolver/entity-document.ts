import { type Host, verificationMethodId } from '@sibyl/plugin'
import type { DidDocument } from '@sibyl/protocol'
import type { StoredEntity } from '../records/stored-entity.ts'

export type DocumentIdentity = Pick<Host['identity'], 'did' | 'publicDid'>

export type DocumentEntity = Pick<StoredEntity, 'did' | 'controller' | 'services' | 'alsoKnownAs'>

/**
 * Returns the DID document of an entity (W3C DID Core 1.0). It has the key of its controller if that is a did:key or
 * the oracle itself; the document of any other controller has its keys.
 */
export const entityDocument = (entity: DocumentEntity, identity: DocumentIdentity): DidDocument => {
  const { did, controller, services, alsoKnownAs } = entity
  const key = controllerKey(controller, identity)
  const method = key && verificationMethodId(did, key)
  const aliases = alsoKnownAs.filter(alias => URL.canParse(alias))
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    controller,
    ...(aliases.length === 0 ? {} : { alsoKnownAs: aliases }),
    ...(key === undefined || method === undefined
      ? {}
      : {
          verificationMethod: [
            { id: method, type: 'Multikey', controller, publicKeyMultibase: key.slice('did:key:'.length) },
          ],
          authentication: [method],
          assertionMethod: [method],
          capabilityInvocation: [method],
        }),
    ...(services.length === 0
      ? {}
      : { service: services.map(({ id, type, endpoint }) => ({ id: did + id, type, serviceEndpoint: endpoint })) }),
  }
}

const controllerKey = (controller: string, { did, publicDid }: DocumentIdentity): string | undefined => {
  if (controller === publicDid) return did
  return controller.startsWith('did:key:z6Mk') ? controller : undefined
}
