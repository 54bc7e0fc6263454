import type { Host } from '@sibyl/plugin'
import { toJson } from '@sibyl/plugin/storage'
import type { EntityChange, UnsignedEntity } from '../records/stored-entity.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import { inParts } from '../storage/statement-parts.ts'
import { linkHash, multibase } from './event-chain.ts'

export interface UnsignedChange
  extends Omit<EntityChange, 'after' | 'addedEdges' | 'removedEdges'>,
    Partial<Pick<EntityChange, 'addedEdges' | 'removedEdges'>> {
  readonly after: UnsignedEntity
}

export interface SignedChange extends EntityChange {
  readonly link: {
    readonly previousHash: string
    /** The oracle's Ed25519 signature over the hash, multibase. */
    readonly signature: string
    /** The did:key that signed. */
    readonly signer: string
  }
}

export const createLinkSigner = (identity: Pick<Host['identity'], 'did' | 'sign'>) => ({
  /**
   * Checks that the oracle can sign.
   *
   * @throws `signing_key_missing`
   */
  async assertReady(): Promise<void> {
    if (identity.did === undefined) await identity.sign(new Uint8Array())
  },
  /**
   * @param at milliseconds since 1970; not before the entity's last change
   * @throws `signing_key_missing`
   */
  async sign({ addedEdges = [], removedEdges = [], ...unsigned }: UnsignedChange, at: number): Promise<SignedChange> {
    const { before, after, kind, by, change } = unsigned
    const version = (before?.version ?? 0) + 1
    const updatedAt = Math.max(at, before?.updatedAt ?? at)
    const previousHash = before?.hash ?? ''
    const hash = linkHash({
      did: after.did,
      version,
      kind,
      at: new Date(updatedAt).toISOString(),
      by,
      change,
      previousHash,
    })
    const signature = multibase(await identity.sign(Buffer.from(hash, 'hex')))
    return {
      ...unsigned,
      after: { ...after, version, updatedAt, hash },
      addedEdges,
      removedEdges,
      link: { previousHash, signature, signer: identity.did ?? '' },
    }
  },
})

/** Signs changes as links of their entities' chains. */
export type LinkSigner = ReturnType<typeof createLinkSigner>

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
