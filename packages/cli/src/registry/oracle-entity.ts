import type { EntityCreation, RegisteredEntity, ServiceEntry } from '@sibyl/protocol'
import type { OpenedRegistry } from './opened-registry.ts'

/** What a registry shows of an oracle. */
export interface OracleProfile {
  readonly name: string
  /** What it is for, in one sentence. */
  readonly description: string
  /** What a conversation costs, in words: `free`, `0.10 IXO a question`. */
  readonly price: string
  /** The language model, as its provider names it; `offline` for the one that needs no network. */
  readonly model: string
}

interface OracleFacts {
  readonly profile: OracleProfile
  /** Where it answers: `http://localhost:4000`; a path below which it is mounted is kept. */
  readonly apiUrl: string
  readonly oracleDid: string
  /** The DID of who may change the entity. */
  readonly controller: string
}

/** The service of an oracle's entity that has its API URL. */
export const apiServiceId = '#api'

/** Returns what a registry lists of an oracle at one address: its API, and what else can be read there. */
const oracleServices = (apiUrl: string): ServiceEntry[] => {
  const url = apiUrl.replace(/\/+$/, '')
  return [
    { id: apiServiceId, type: 'OracleApi', endpoint: url },
    { id: '#identity', type: 'OracleIdentity', endpoint: `${url}/.well-known/oracle.json` },
    { id: '#openapi', type: 'OpenApi', endpoint: `${url}/openapi.json` },
    { id: '#health', type: 'OracleHealth', endpoint: `${url}/health` },
  ]
}

/**
 * The services of an oracle that moved: what stood at its old address, and the API itself, at the new one; what stands
 * elsewhere stays.
 */
export const movedServices = (services: readonly ServiceEntry[], apiUrl: string): ServiceEntry[] => {
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

/** Returns what follows an address in another one that begins with it; a space where it does not. */
const below = (endpoint: string, address: string): string =>
  endpoint.startsWith(address) ? endpoint.slice(address.length) : ' '

/** Returns the entity that stands for an oracle in a registry. */
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

/** What to register, where, and under which key. */
interface OracleRegistration extends Omit<OracleFacts, 'controller'> {
  readonly opened: Pick<OpenedRegistry, 'registry' | 'controller'>
  /** Kept by the caller before the first try: with the same key and facts again, for a day, no second entity is made. */
  readonly idempotencyKey: string
}

/**
 * Registers an oracle's entity under its controller. May be called again after a kill or a lost answer.
 *
 * @throws CommandError with the registry's reason (`registry_refused`, `registry_unavailable`, `access_refused`)
 */
export const registerOracle = ({ opened, idempotencyKey, ...facts }: OracleRegistration): Promise<RegisteredEntity> =>
  opened.registry.create(oracleEntity({ ...facts, controller: opened.controller.did }), { idempotencyKey })
