import { z } from 'zod'
import type { Change } from './change.ts'

/** A change, as it is sent: that an entity has changed, not to what. */
export const changeRecord = z.object({
  did: z.string(),
  type: z.string(),
  protocol: z.string().optional(),
  kind: z.enum(['created', 'updated', 'deactivated', 'related', 'unrelated', 'credential-added', 'credential-removed']),
  /** The entity's version after it. */
  version: z.int(),
  at: z.iso.datetime(),
  /** The DID of who changed it. */
  by: z.string(),
})

/** What `changeRecord` reads. */
export type ChangeRecord = z.infer<typeof changeRecord>

/** A change as it is sent. */
export const changeRecordOf = ({ did, type, protocol, kind, version, at, by }: Change): ChangeRecord => ({
  did,
  type,
  ...(protocol === undefined ? {} : { protocol }),
  kind,
  version,
  at: new Date(at).toISOString(),
  by,
})
