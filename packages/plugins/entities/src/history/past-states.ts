import { setImmediate } from 'node:timers/promises'
import { entitiesErrors } from '../errors/entities-errors.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { maxEntityBytes } from '../state/entity-limits.ts'
import { type ChainPart, chainParts } from './read-chain.ts'
import { EntityReplay, type PastEntity } from './replay-entity.ts'
import { createSnapshotStore, type SnapshotDependencies } from './snapshot-store.ts'
import { type ChainLink, chainStart, verifyChain } from './verify-chain.ts'

/** Bytes of changes between snapshots; more if a snapshot itself is larger. */
const betweenSnapshots = 512_000

/** Maximum number of bytes of changes that one request replays. */
const maxReplayed = 8_000_000

/** Past states of entities. */
export interface PastStates {
  /**
   * Returns an entity as of a version, from the last snapshot and the changes since. If there are many changes, it
   * stores snapshots on the way, from verified links only.
   *
   * @returns undefined if the entity did not have the version
   * @throws `history_unfinished`, `history_too_long`
   */
  at(entity: Pick<StoredEntity, 'id' | 'did'>, version: number): Promise<PastEntity | undefined>
}

export const createPastStates = (parts: SnapshotDependencies): PastStates => {
  const { storage, identity } = parts
  const snapshots = createSnapshotStore(parts)

  const isVerified = async (links: readonly ChainPart[], before: Pick<ChainLink, 'version' | 'hash'>) => {
    const keys = new Set((await identity.keys()).map(({ did }) => did))
    let last = before
    for (const part of links) {
      if (!verifyChain(part.links, last, keys).verified) return false
      last = part.links.at(-1) ?? last
      await setImmediate()
    }
    return true
  }

  return {
    async at(entity, version) {
      if (version < 1) return undefined
      const mayHave = version * maxEntityBytes > betweenSnapshots
      const snapshot = mayHave ? await snapshots.find(entity, version) : undefined
      const replay = new EntityReplay(entity.id, snapshot?.past)
      let saved = snapshot?.past.entity ?? chainStart
      let interval = Math.max(betweenSnapshots, snapshot?.characters ?? 0)
      let [unsaved, unsavedBytes, replayed]: [ChainPart[], number, number] = [[], 0, 0]
      let [maySave, savedAny] = [true, false]
      const range = { after: saved.version, before: version + 1, limit: version - saved.version }
      for await (const part of chainParts(storage.read, entity, range)) {
        for (const link of part.links) replay.apply(link)
        const last = part.links.at(-1)!
        replayed += part.bytes
        unsavedBytes += part.bytes
        if (maySave) unsaved.push(part)
        if (maySave && unsavedBytes >= interval) {
          const past = (await isVerified(unsaved, saved)) ? replay.past : undefined
          const characters = past && (await snapshots.save(past))
          maySave = characters !== undefined
          savedAny ||= maySave
          saved = last
          interval = Math.max(betweenSnapshots, characters ?? 0)
          unsaved = []
          unsavedBytes = 0
        }
        if (replayed >= maxReplayed && last.version < version) {
          throw savedAny ? entitiesErrors.history_unfinished() : entitiesErrors.history_too_long()
        }
      }
      return replay.past
    },
  }
}
