import { type Route, route } from '@sibyl/plugin'
import type { didResolver, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { entitiesErrors, entitiesFailures } from '../errors/entities-errors.ts'
import { isEntityId } from '../records/entity-did.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { findEntity } from '../storage/entity-rows.ts'
import { didFailure, didStatus } from './did-failure.ts'
import type { DidResolution } from './did-resolution.ts'
import { decodeDid, rawPathAfter } from './did-text.ts'
import { negotiate, type ResolutionForm } from './negotiate.ts'

const verificationMethod = z.object({
  id: z.string(),
  type: z.string(),
  controller: z.string(),
  publicKeyMultibase: z.string(),
})

const didDocumentRecord = z.object({
  '@context': z.array(z.string()),
  id: z.string(),
  controller: z.union([z.string(), z.array(z.string())]).optional(),
  alsoKnownAs: z.array(z.string()).optional(),
  verificationMethod: z.array(verificationMethod).optional(),
  authentication: z.array(z.string()).optional(),
  assertionMethod: z.array(z.string()).optional(),
  capabilityInvocation: z.array(z.string()).optional(),
  capabilityDelegation: z.array(z.string()).optional(),
  service: z.array(z.object({ id: z.string(), type: z.string(), serviceEndpoint: z.string() })).optional(),
})

/** Schema of the result of a resolution in responses (W3C DID Resolution §9). */
const didResolutionRecord = z.object({
  didDocument: didDocumentRecord.nullable(),
  didResolutionMetadata: z.object({
    contentType: z.string().optional(),
    error: z.object({ type: z.string(), title: z.string(), detail: z.string() }).optional(),
  }),
  didDocumentMetadata: z.object({
    created: z.string().optional(),
    updated: z.string().optional(),
    deactivated: z.boolean().optional(),
    versionId: z.string().optional(),
    nextVersionId: z.string().optional(),
    nextUpdate: z.string().optional(),
  }),
})

const resolverPath = '/1.0/identifiers/'

const result = { 'application/did-resolution': { schema: didResolutionRecord } }

/**
 * Creates `GET /1.0/identifiers/{did}` (W3C DID Resolution, HTTP binding), and the URL of each entity's did:web.
 *
 * @param perMinute resolutions of one address; 0 means no limit
 */
export const resolverRoutes = (
  resolver: ServiceOf<typeof didResolver>,
  read: EntitiesStorage['read'],
  perMinute: number,
): Route[] => [
  route.get(
    '/1.0/identifiers/{did{.+}}',
    {
      auth: 'public',
      anyOrigin: true,
      summary: 'Resolve a did:key, or the did:web of this oracle or of one of its entities',
      description:
        'The HTTP binding of W3C DID Resolution. `Accept` selects the complete result (`application/did-resolution`) or only the document (`application/did`, `application/did+json`, `application/did+ld+json`). `versionId` or `versionTime` in the query select an earlier document of an entity.',
      params: z.object({ did: z.string().meta({ description: 'The DID', example: 'did:web:localhost%3A3000' }) }),
      ok: {
        200: {
          description: 'The DID document',
          content: { ...result, 'application/did': { schema: didDocumentRecord } },
        },
        400: { description: 'The DID or an option is invalid', content: result },
        404: { description: 'The DID is unknown', content: result },
        406: { description: 'No form that `Accept` names is available', content: result },
        410: { description: 'The DID is deactivated', content: result },
        501: { description: 'The method or the feature is not supported', content: result },
      },
      errors: [{ code: 'rate_limited', status: 429 }],
      rateLimit: { name: 'did-resolution', perMinute },
    },
    async c => {
      const form = negotiate(c.req.header('accept'))
      if (!form) {
        return answer(
          didFailure('REPRESENTATION_NOT_SUPPORTED', 'Request application/did-resolution or application/did.'),
        )
      }
      const url = c.req.url
      const did = decodeDid(rawPathAfter(url, resolverPath))
      return answer(await resolve(resolver, did ?? '', new URL(url).searchParams), form)
    },
  ),
  route.get(
    '/entities/{id}/did.json',
    {
      auth: 'public',
      anyOrigin: true,
      summary: 'Get the DID document of an entity at the URL of its did:web',
      params: z.object({ id: z.string().max(100) }),
      ok: {
        200: { description: 'The DID document', content: { 'application/did+json': { schema: didDocumentRecord } } },
      },
      errors: [entitiesFailures.entity_not_found, entitiesErrors.did_deactivated],
    },
    async c => {
      const { id } = c.req.valid('param')
      const did = isEntityId(id) ? (await findEntity(read, id))?.did : undefined
      const resolution = did === undefined ? undefined : await resolver.resolve(did)
      if (resolution?.didDocumentMetadata.deactivated) throw entitiesErrors.did_deactivated()
      if (!resolution?.didDocument) throw entitiesFailures.entity_not_found()
      return c.body(JSON.stringify(resolution.didDocument), 200, { 'content-type': 'application/did+json' })
    },
  ),
]

const options = new Set(['versionId', 'versionTime', 'expandRelativeUrls'])

const resolve = async (
  resolver: ServiceOf<typeof didResolver>,
  did: string,
  query: URLSearchParams,
): Promise<DidResolution> => {
  const unknown = [...query.keys()].find(name => !options.has(name))
  if (unknown !== undefined) {
    return didFailure(
      'FEATURE_NOT_SUPPORTED',
      'Only the options versionId, versionTime and expandRelativeUrls are supported here.',
    )
  }
  const [versionId, versionTime] = [query.get('versionId') ?? undefined, query.get('versionTime') ?? undefined]
  return resolver.resolve(did, { versionId, versionTime })
}

/** Returns the response with a result; a result without a document is always sent complete. */
const answer = (resolution: DidResolution, form?: ResolutionForm): Response => {
  const isDocument = form?.part === 'document' && resolution.didDocument !== null
  const contentType =
    form === undefined || (form.part === 'document' && !isDocument) ? 'application/did-resolution' : form.contentType
  return new Response(JSON.stringify(isDocument ? resolution.didDocument : resolution), {
    status: didStatus(resolution),
    headers: { 'content-type': contentType, vary: 'accept' },
  })
}
