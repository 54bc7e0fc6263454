import { z } from 'zod'

const verificationMethod = z.object({
  id: z.string(),
  type: z.string(),
  controller: z.string(),
  publicKeyMultibase: z.string(),
})

/** A DID document as it is answered. */
export const didDocumentRecord = z.object({
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

/** The result of a resolution as it is answered (W3C DID Resolution §9). */
export const didResolutionRecord = z.object({
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
