import { createHash } from 'node:crypto'
import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import type { ChainResource } from './chain-message.ts'
import { fragmentOf } from './services.ts'

/** Bytes of JSON that the properties of one entity may have: each costs gas. */
export const maxPropertyBytes = 32_000

const fragment = '#properties'
const prefix = 'data:application/json;base64,'

/** The properties, inside the document itself: a linked resource whose address is a data URL (RFC 2397). */
export const propertiesResource = (properties: Readonly<JsonObject>): ChainResource => {
  const bytes = Buffer.from(JSON.stringify(properties))
  return {
    id: `{id}${fragment}`,
    type: 'EntityProperties',
    description: 'Properties of the entity',
    mediaType: 'application/json',
    serviceEndpoint: prefix + bytes.toString('base64'),
    proof: integrityOf(bytes),
    encrypted: 'false',
    right: '',
  }
}

/** The resource of a document that has its properties. @param did of the document */
export const findPropertiesResource = (resources: readonly ChainResource[], did: string): ChainResource | undefined =>
  resources.find(({ id, type }) => type === 'EntityProperties' && fragmentOf(id, did) === fragment)

/**
 * The properties in a resource.
 *
 * @returns undefined where it holds something else, or does not fit its proof
 */
export const readProperties = ({ serviceEndpoint, proof }: ChainResource): Readonly<JsonObject> | undefined => {
  if (!serviceEndpoint.startsWith(prefix) || serviceEndpoint.length > 2 * maxPropertyBytes) return undefined
  const bytes = Buffer.from(serviceEndpoint.slice(prefix.length), 'base64')
  if (proof !== integrityOf(bytes)) return undefined
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}

/** As Subresource Integrity writes it: `sha256-` and base64. */
const integrityOf = (bytes: Uint8Array): string => `sha256-${createHash('sha256').update(bytes).digest('base64')}`
