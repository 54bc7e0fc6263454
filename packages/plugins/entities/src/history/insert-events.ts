import { toJson } from '@sibyl/plugin/storage'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import { inParts } from '../storage/in-parts.ts'
import type { SignedChange } from './sign-links.ts'

/** Adds the links of changes to the chains of their entities. */
export const insertEvents = async (tx: EntitiesTransaction, changes: readonly SignedChange[]): Promise<void> => {
  for (const part of inParts(changes)) {
    await tx
      .insertInto('entities_events')
      .values(
        part.map(({ after, kind, by, change, link }) => ({
          entity_id: after.id,
          version: after.version,
          kind,
          at: after.updatedAt,
          by,
          change: toJson(change),
          previous_hash: link.previousHash,
          hash: after.hash,
          signature: link.signature,
          signer: link.signer,
          erasure: null,
        })),
      )
      .execute()
  }
}
