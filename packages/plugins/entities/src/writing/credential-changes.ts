import { afterCommit } from '@sibyl/plugin/storage'
import type { CredentialEntry, JsonValue } from '@sibyl/protocol'
import type { SignedChange } from '../history/sign-links.ts'
import { entityIdOf, isSameDid } from '../records/entity-did.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { maxShownCredentials } from '../state/entity-limits.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import { findEntities } from '../storage/entity-rows.ts'
import type { WritingDependencies } from './write-task.ts'

/** Enters credentials at entities, in the transaction of another plugin: see `EntityDirectory`. */
export interface CredentialWriter {
  addCredential(
    entry: { did: string; id: string; type: string; issuer: string; by: string },
    tx: EntitiesTransaction,
  ): Promise<void>
  removeCredential(entry: { did: string; id: string; by: string }, tx: EntitiesTransaction): Promise<void>
}

export interface CredentialChangesDependencies extends Pick<WritingDependencies, 'signer' | 'parties' | 'now'> {
  readonly engine: 'sqlite' | 'postgres'
  /** Writes changes with all that follows from them. */
  readonly write: (tx: EntitiesTransaction, changes: readonly SignedChange[]) => Promise<void>
  /** Called once something is on disk. */
  readonly written: () => void
}

/**
 * Enters credentials at entities and takes them out, in the transaction of the plugin that issues them. An entity that is
 * out of use keeps its credentials, and may lose them.
 */
export const credentialChanges = (parts: CredentialChangesDependencies): CredentialWriter => {
  const change = async (
    tx: EntitiesTransaction,
    entry: { readonly did: string; readonly by: string },
    kind: 'credential-added' | 'credential-removed',
    made: (entity: StoredEntity) => { readonly credentials: readonly CredentialEntry[]; readonly change: JsonValue },
  ): Promise<void> => {
    const entity = await lockedEntity(parts.engine, tx, entry.did)
    if (!entity) return
    const { credentials, change } = made(entity)
    if (credentials === entity.credentials) return
    const by = parts.parties.partyOf(entry.by)
    const after = { ...entity, credentials: credentials.slice(-maxShownCredentials) }
    await parts.write(tx, [await parts.signer.sign({ before: entity, after, kind, by, change }, parts.now())])
    await afterCommit(tx, parts.written)
  }
  return {
    addCredential: ({ id, type, issuer, ...entry }, tx) =>
      change(tx, entry, 'credential-added', ({ credentials }) => ({
        credentials: credentials.some(one => one.id === id) ? credentials : [...credentials, { id, type, issuer }],
        change: { id, type, issuer },
      })),
    removeCredential: ({ id, ...entry }, tx) =>
      change(tx, entry, 'credential-removed', ({ credentials }) => ({
        credentials: credentials.some(one => one.id === id) ? credentials.filter(one => one.id !== id) : credentials,
        change: { id },
      })),
  }
}

/** The entity as the transaction sees it, kept from other writers until its end. */
const lockedEntity = async (
  engine: CredentialChangesDependencies['engine'],
  tx: EntitiesTransaction,
  did: string,
): Promise<StoredEntity | undefined> => {
  const id = entityIdOf(did)
  if (id === undefined) return undefined
  if (engine === 'postgres') {
    await tx.selectFrom('entities_entities').select('id').where('id', '=', id).forUpdate().execute()
  }
  const entity = (await findEntities(tx, [id])).get(id)
  return entity && isSameDid(entity.did, did) ? entity : undefined
}
