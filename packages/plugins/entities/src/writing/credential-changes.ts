import { afterCommit } from '@sibyl/plugin/storage'
import type { JsonValue } from '@sibyl/protocol'
import { entityIdOf } from '../records/entity-did.ts'
import type { CredentialEntry } from '../records/entity-members.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { maxShownCredentials } from '../state/entity-limits.ts'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { findEntitiesByDid } from '../storage/entity-rows.ts'
import { type RoundDependencies, writeChanges } from './perform-round.ts'
import type { WritingDependencies } from './write-task.ts'

/** Adds credentials to entities, in the transaction of another plugin: see `EntityDirectory`. */
export type CredentialWriter = ReturnType<typeof credentialChanges>

/**
 * Adds and removes credentials of entities, in the transaction of the plugin that issues them. A deactivated entity
 * keeps its credentials; they can be removed.
 */
export const credentialChanges = (parts: WritingDependencies & RoundDependencies) => {
  const change = async (
    tx: EntitiesTransaction,
    entry: { readonly did: string; readonly by: string },
    kind: 'credential-added' | 'credential-removed',
    made: (entity: StoredEntity) => { readonly credentials: readonly CredentialEntry[]; readonly change: JsonValue },
  ): Promise<void> => {
    const entity = await lockedEntity(parts.storage.engine, tx, entry.did)
    if (!entity) return
    const { credentials, change } = made(entity)
    if (credentials === entity.credentials) return
    const by = parts.parties.partyOf(entry.by)
    const after = { ...entity, credentials: credentials.slice(-maxShownCredentials) }
    const signed = await parts.signer.sign({ before: entity, after, kind, by, change }, parts.now())
    await writeChanges(parts, tx, [signed])
    await afterCommit(tx, parts.written)
  }
  return {
    addCredential: (
      { id, type, issuer, ...entry }: { did: string; id: string; type: string; issuer: string; by: string },
      tx: EntitiesTransaction,
    ): Promise<void> =>
      change(tx, entry, 'credential-added', ({ credentials }) => ({
        credentials: credentials.some(one => one.id === id) ? credentials : [...credentials, { id, type, issuer }],
        change: { id, type, issuer },
      })),
    removeCredential: (
      { id, ...entry }: { did: string; id: string; by: string },
      tx: EntitiesTransaction,
    ): Promise<void> =>
      change(tx, entry, 'credential-removed', ({ credentials }) => ({
        credentials: credentials.some(one => one.id === id) ? credentials.filter(one => one.id !== id) : credentials,
        change: { id },
      })),
  }
}

/** Returns the entity as the transaction sees it, locked until the transaction ends. */
const lockedEntity = async (
  engine: EntitiesStorage['engine'],
  tx: EntitiesTransaction,
  did: string,
): Promise<StoredEntity | undefined> => {
  const id = entityIdOf(did)
  if (id !== undefined && engine === 'postgres') {
    await tx.selectFrom('entities_entities').select('id').where('id', '=', id).forUpdate().execute()
  }
  return (await findEntitiesByDid(tx, [did])).get(did)
}
