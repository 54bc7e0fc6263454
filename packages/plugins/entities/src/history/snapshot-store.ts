import { hash } from 'node:crypto'
import { type Host, type Logger, verifySignature } from '@sibyl/plugin'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { fromMultibase, multibase } from './event-chain.ts'
import { inRange } from './read-chain.ts'
import type { PastEntity } from './replay-entity.ts'

/** Maximum size of a snapshot, in characters of JSON. */
const largestSnapshot = 1_000_000

export interface Snapshot {
  readonly past: PastEntity
  /** Length of its JSON. */
  readonly characters: number
}

/** States of entities from which replays begin. Rows may be deleted at any time; they are rebuilt from the chain. */
export interface SnapshotStore {
  /** Returns the last snapshot up to a version that this oracle signed and whose link has not changed. */
  find(entity: { readonly id: string; readonly did: string }, version: number): Promise<Snapshot | undefined>
  /**
   * Signs and stores a state that was built from verified links.
   *
   * @returns its length; undefined if it cannot be stored
   */
  save(past: PastEntity): Promise<number | undefined>
}

export interface SnapshotDependencies {
  readonly storage: Pick<EntitiesStorage, 'read' | 'write'>
  readonly identity: Pick<Host['identity'], 'did' | 'sign' | 'keys'>
  readonly log: Pick<Logger, 'warn'>
}

export const createSnapshotStore = ({ storage, identity, log }: SnapshotDependencies): SnapshotStore => ({
  async find({ id, did }, version) {
    const row = await storage.read
      .selectFrom('entities_snapshots')
      .select(['version', 'state', 'signature', 'signer'])
      .where('entity_id', '=', id)
      .where('version', '<=', version)
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!row) return undefined
    const keys = await identity.keys()
    const signature = fromMultibase(row.signature)
    const isSigned =
      signature !== undefined &&
      keys.some(key => key.did === row.signer) &&
      verifySignature(row.signer, signedBytes(row.state), signature)
    if (!isSigned) return undefined
    const past = JSON.parse(row.state) as PastEntity
    const range = { after: row.version - 1, before: row.version + 1, limit: 1 }
    const [link] = await inRange(storage.read, id, range).select('hash').execute()
    const isOfChain = past.entity.did === did && past.entity.version === row.version && past.entity.hash === link?.hash
    return isOfChain ? { past, characters: row.state.length } : undefined
  },
  async save(past) {
    const signer = identity.did
    const state = JSON.stringify(past)
    if (signer === undefined || state.length > largestSnapshot) return undefined
    const { id, version } = past.entity
    const signature = multibase(await identity.sign(signedBytes(state)))
    const row = { entity_id: id, version, state, signature, signer }
    try {
      const isStored = await storage.write(
        async tx => {
          await lockEntity(tx, id)
          if ((await erasuresUpTo(tx, id, version)) !== (past.erasures ?? 0)) return false
          await tx
            .insertInto('entities_snapshots')
            .values(row)
            .onConflict(conflict => conflict.columns(['entity_id', 'version']).doUpdateSet(row))
            .execute()
          return true
        },
        { isolation: 'read committed' },
      )
      if (!isStored) return undefined
    } catch (error) {
      log.warn('a snapshot of an entity was not stored', { entity: id, version, error })
      return undefined
    }
    return state.length
  },
})

/** Locks an entity, so that no snapshot is stored while its links are erased. */
export const lockEntity = async (tx: EntitiesTransaction, id: string): Promise<void> => {
  await tx.updateTable('entities_entities').set({ id }).where('id', '=', id).execute()
}

const erasuresUpTo = async (tx: EntitiesTransaction, id: string, version: number): Promise<number> => {
  const { count } = await tx
    .selectFrom('entities_events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('entity_id', '=', id)
    .where('version', '<=', version)
    .where('erasure', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** More than 32 bytes, so that a snapshot's signature cannot be used as a link's. */
const signedBytes = (state: string): Uint8Array =>
  Buffer.from(`sibyl snapshot of an entity ${hash('sha256', state, 'hex')}`)
