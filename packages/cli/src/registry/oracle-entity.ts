import type { EntityCreation, EntityRecord, RegisteredEntity } from '@sibyl/plugin-entities/records'
import type { OpenedRegistry } from './opened-registry.ts'

/** The profile of an oracle in a registry. */
export interface OracleProfile {
  readonly name: string
  /** Its purpose, in one sentence. */
  readonly description: string
  /** The price of a conversation, as text: `free`, `0.10 IXO a question`. */
  readonly price: string
  /** The language model, as its provider names it; `offline` for the one without a network. */
  readonly model: string
}

interface OracleFacts {
  readonly profile: OracleProfile
  /** Its address: `http://localhost:4000`; the path of a mounted oracle is kept. */
  readonly apiUrl: string
  readonly oracleDid: string
  /** The DID of the controller of the entity. */
  readonly controller: string
}

/** The service ID of the API URL in the entity of an oracle. */
export const apiServiceId = '#api'

/** Returns the services of an oracle at an address: its API and its public documents. */
const oracleServices = (apiUrl: string): EntityRecord['services'][number][] => {
  const url = apiUrl.replace(/\/+$/, '')
  return [
    { id: apiServiceId, type: 'OracleApi', endpoint: url },
    { id: '#identity', type: 'OracleIdentity', endpoint: `${url}/.well-known/oracle.json` },
    { id: '#openapi', type: 'OpenApi', endpoint: `${url}/openapi.json` },
    { id: '#health', type: 'OracleHealth', endpoint: `${url}/health` },
  ]
}

/**
 * Returns the services of an oracle that moved: the API and services at the old address move to the new one; others
 * stay.
 */
export const movedServices = (
  services: readonly EntityRecord['services'][number][],
  apiUrl: string,
): EntityRecord['services'][number][] => {
  const after = apiUrl.replace(/\/+$/, '')
  const before = services.find(({ id }) => id === apiServiceId)?.endpoint.replace(/\/+$/, '')
  if (before === undefined) {
    const missing = oracleServices(after).filter(({ id }) => services.every(service => service.id !== id))
    return [...services, ...missing]
  }
  const isBelow = (endpoint: string) => endpoint === before || /^[/?]/.test(below(endpoint, before))
  return services.map(service =>
    isBelow(service.endpoint) ? { ...service, endpoint: after + below(service.endpoint, before) } : service,
  )
}

/** Returns the rest of an address after a prefix; a space if it has another prefix. */
const below = (endpoint: string, address: string): string =>
  endpoint.startsWith(address) ? endpoint.slice(address.length) : ' '

/** Returns the entity of an oracle in a registry. */
export const oracleEntity = ({ profile, apiUrl, oracleDid, controller }: OracleFacts): EntityCreation => {
  const { name, description, price, model } = profile
  return {
    type: 'Oracle',
    controller,
    properties: { name, description, price, model, did: oracleDid },
    services: oracleServices(apiUrl),
    alsoKnownAs: [oracleDid],
  }
}

interface OracleRegistration extends Omit<OracleFacts, 'controller'> {
  readonly opened: Pick<OpenedRegistry, 'registry' | 'controller'>
  /**
   * Stored by the caller before the first attempt: with the same key and facts, no second entity is created for a day.
   */
  readonly idempotencyKey: string
}

/**
 * Registers the entity of an oracle under its controller. May be repeated after a crash or a lost response.
 *
 * @throws CommandError with the reason of the registry (`registry_refused`, `registry_unavailable`, `access_refused`)
 */
export const registerOracle = ({ opened, idempotencyKey, ...facts }: OracleRegistration): Promise<RegisteredEntity> =>
  opened.registry.create(oracleEntity({ ...facts, controller: opened.controller.did }), { idempotencyKey })
