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
