import { type ServiceEntry, serviceEntry } from '@sibyl/protocol'
import type { ChainService } from './chain-message.ts'

/** `{id}` stands for the DID of the document, as in the chain's own clients: before it is created, nobody knows it. */
export const chainService = ({ id, type, endpoint }: ServiceEntry): ChainService => ({
  id: `{id}${id}`,
  type,
  serviceEndpoint: endpoint,
})

/**
 * A service of a document as an entity has it.
 *
 * @param did Of the document.
 * @returns undefined for what other software wrote and an entity cannot have, such as an endpoint that is no URL
 */
export const readService = ({ id, type, serviceEndpoint }: ChainService, did: string): ServiceEntry | undefined =>
  serviceEntry.safeParse({ id: fragmentOf(id, did), type, endpoint: serviceEndpoint }).data

/** `#api` of `{id}#api`, of `did:ixo:entity:…#api` and of `#api`. */
export const fragmentOf = (id: string, did: string): string | undefined => {
  const at = id.indexOf('#')
  return at >= 0 && ['', '{id}', did].includes(id.slice(0, at)) ? id.slice(at) : undefined
}
