import { type EntityRecord, entityRecord } from '@sibyl/plugin-entities/records'
import type { ChainService } from './chain-message.ts'

/**
 * Returns a service for the chain; `{id}` stands for the DID of the document, as in the clients of the chain: it is
 * unknown before the creation.
 */
export const chainService = ({ id, type, endpoint }: EntityRecord['services'][number]): ChainService => ({
  id: `{id}${id}`,
  type,
  serviceEndpoint: endpoint,
})

/**
 * Returns a service of a document in the form of an entity.
 *
 * @param did Of the document.
 * @returns undefined for a service that other software wrote and an entity cannot have, such as one with an invalid URL
 */
export const readService = (
  { id, type, serviceEndpoint }: ChainService,
  did: string,
): EntityRecord['services'][number] | undefined =>
  entityRecord.shape.services.element.safeParse({ id: fragmentOf(id, did), type, endpoint: serviceEndpoint }).data

/** `#api` of `{id}#api`, of `did:ixo:entity:…#api` and of `#api`. */
export const fragmentOf = (id: string, did: string): string | undefined => {
  const at = id.indexOf('#')
  return at >= 0 && ['', '{id}', did].includes(id.slice(0, at)) ? id.slice(at) : undefined
}
