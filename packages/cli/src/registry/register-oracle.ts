import type { RegisteredEntity } from '@sibyl/protocol'
import type { OpenedRegistry } from './opened-registry.ts'
import { type OracleFacts, oracleEntity } from './oracle-entity.ts'

/** What to register, where, and under which key. */
export interface OracleRegistration extends Omit<OracleFacts, 'controller'> {
  readonly opened: Pick<OpenedRegistry, 'registry' | 'controller'>
  /** Kept by the caller before the first try: with the same key and facts again, for a day, no second entity is made. */
  readonly idempotencyKey: string
}

/**
 * Registers an oracle's entity under its controller. May be called again after a kill or a lost answer.
 *
 * @throws CommandError with the registry's reason (`registry_refused`, `registry_unavailable`, `access_refused`)
 */
export const registerOracle = ({ opened, idempotencyKey, ...facts }: OracleRegistration): Promise<RegisteredEntity> =>
  opened.registry.create(oracleEntity({ ...facts, controller: opened.controller.did }), { idempotencyKey })
