import type { PastStates } from '../history/past-states.ts'
import type { PastEntity } from '../history/replay-entity.ts'
import { versionAt } from '../history/version-at.ts'
import type { ProtocolRules } from '../protocols/protocol-rules.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'

/** What the past is built with. */
export interface PastParts {
  readonly storage: Pick<EntitiesStorage, 'read'>
  readonly states: PastStates
  readonly protocols: Pick<ProtocolStore, 'find'>
  readonly rules: Pick<ProtocolRules, 'domainClass'>
}

/**
 * An entity as it was at a time, with its class of then; undefined where it was not there yet.
 *
 * @param at milliseconds since 1970; what was changed at that time counts
 * @throws HistoryUnfinished `history_unfinished`, HistoryTooLong `history_too_long`
 */
export const pastEntity = async (
  { storage, states, protocols, rules }: PastParts,
  entity: StoredEntity,
  at: number,
): Promise<PastEntity | undefined> => {
  const past = await states.at(entity, await versionAt(storage.read, entity, at))
  if (!past) return undefined
  const { type, protocol } = past.entity
  const definition = protocol && (await protocols.find(protocol.did, protocol.version))
  return { ...past, entity: { ...past.entity, domainClass: rules.domainClass(type, definition) } }
}
