import { jsonValue } from '@sibyl/protocol'
import * as z from 'zod'

/** One change of an entity. */
export const entityEventRecord = z.object({
  version: z.int(),
  kind: z.enum(['created', 'updated', 'deactivated', 'related', 'unrelated', 'credential-added', 'credential-removed']),
  at: z.iso.datetime(),
  /** The DID of who changed it. */
  by: z.string(),
  /** The change: the body of the creation, the merge patch, or the edge. */
  change: jsonValue,
  /** SHA-256 over the change and the hash before, in hex. */
  hash: z.string(),
  /** When what it said of a person was erased; the hash is over what it said before. */
  erasedAt: z.iso.datetime().optional(),
})

export type EntityEventRecord = z.infer<typeof entityEventRecord>

/** A page of the changes of an entity. */
export const historyRecord = z.object({
  events: z.array(entityEventRecord).meta({ description: 'Newest first; a page ends early if changes are large' }),
  next: z.int().optional().meta({ description: 'Send it as `before` for the next page; missing on the last page' }),
})

const linkRecord = entityEventRecord.extend({
  did: z.string(),
  previousHash: z.string().meta({ description: 'Hash of the previous link; empty in the first' }),
  signature: z.string().meta({ description: 'Ed25519 over the 32 bytes of `hash`, multibase base64url' }),
  signer: z.string().meta({ description: 'The did:key that signed' }),
  erasure: z
    .object({
      at: z.iso.datetime(),
      signature: z.string().meta({ description: 'Ed25519 over the erased link, multibase base64url' }),
      signer: z.string(),
    })
    .optional()
    .meta({ description: "Set if content of the link was erased together with a person's data" }),
})

/** The signed links of an entity, and whether they are valid. */
export const proofRecord = z.object({
  did: z.string(),
  links: z.array(linkRecord).meta({ description: 'Oldest first; a page ends early if changes are large' }),
  verified: z.boolean().meta({
    description:
      "Whether hashes, order and signatures of these links are valid; with the last link also whether they lead to the entity's current state",
  }),
  fault: z
    .object({ version: z.int(), check: z.enum(['version', 'previousHash', 'hash', 'signer', 'signature', 'entity']) })
    .optional()
    .meta({
      description:
        "The first invalid link and its problem; `entity` if all links are valid but do not lead to the entity's current state",
    }),
  unchecked: z.literal('entity').optional().meta({
    description: 'With the last link, if the entity was not compared because its changes are too large',
  }),
  checks: z.array(z.string()).meta({ description: 'The verified facts, as text' }),
  next: z.int().optional().meta({ description: 'Send it as `after` for the next links; missing at the end' }),
})

export type ProofRecord = z.infer<typeof proofRecord>
