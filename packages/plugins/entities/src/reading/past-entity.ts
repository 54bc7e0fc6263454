import { setImmediate } from 'node:timers/promises'
import { readChain } from '../history/read-chain.ts'
import { type PastEntity, replayEntity } from '../history/replay-entity.ts'
import type { ChainLink } from '../history/verify-chain.ts'
import type { ProtocolRules } from '../protocols/protocol-rules.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'

/** How many links are read at a time; other requests get their turn between two such reads. */
const linksAtOnce = 100

/** What the past is built with. */
export interface PastParts {
  readonly storage: Pick<EntitiesStorage, 'read'>
  readonly protocols: Pick<ProtocolStore, 'find'>
  readonly rules: Pick<ProtocolRules, 'domainClass'>
}

/**
 * An entity as it was at a time, built from its events; undefined where it was not there yet.
 *
 * @param at milliseconds since 1970; what was changed at that time counts
 */
export const pastEntity = async (
  { storage, protocols, rules }: PastParts,
  entity: Pick<StoredEntity, 'id' | 'did'>,
  at: number,
): Promise<PastEntity | undefined> =>
  replayEntity(entity.id, linksUntil(storage.read, entity, at), async (type, protocol) =>
    rules.domainClass(type, protocol && (await protocols.find(protocol.did, protocol.version))),
  )

async function* linksUntil(
  read: EntitiesStorage['read'],
  entity: Pick<StoredEntity, 'id' | 'did'>,
  until: number,
): AsyncGenerator<ChainLink> {
  for (let after = 0; ; await setImmediate()) {
    const links = await readChain(read, entity, { after, until, limit: linksAtOnce })
    yield* links
    const last = links.at(-1)
    if (last === undefined || links.length < linksAtOnce) return
    after = last.version
  }
}
