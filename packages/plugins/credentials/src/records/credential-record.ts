import * as z from 'zod'

export const credentialStatuses = ['active', 'suspended', 'revoked'] as const

export type CredentialStatus = (typeof credentialStatuses)[number]

/** A credential in lists. */
export const credentialSummary = z.object({
  id: z.string().meta({ example: 'urn:uuid:0199d8a2-7c2e-7d4b-9c40-51b1f7a3a2d4' }),
  type: z.string(),
  subject: z.string(),
  status: z.enum(credentialStatuses),
  issuedBy: z.string(),
  issuedAt: z.iso.datetime(),
})

/** A credential with all its stored data. */
export const credentialRecord = credentialSummary.extend({
  credential: z.looseObject({}).meta({ description: 'The signed document (W3C VC Data Model 2.0)' }),
  erasedAt: z.iso.datetime().optional().meta({
    description:
      "Time when the subject's personal data was erased. The document then has no content and does not verify",
  }),
  changes: z.array(
    z.object({
      kind: z.enum(['suspended', 'reinstated', 'revoked']),
      by: z.string(),
      reason: z.string(),
      at: z.iso.datetime(),
    }),
  ),
})

export type CredentialSummary = z.infer<typeof credentialSummary>
export type CredentialRecord = z.infer<typeof credentialRecord>
