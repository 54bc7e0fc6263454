import type { entityDirectory, ServiceOf } from '@sibyl/protocol'
import type { Edge, StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import { findEntitiesByDid } from '../storage/entity-rows.ts'
import type { CredentialWriter } from '../writing/credential-changes.ts'
import type { WritingDependencies } from '../writing/write-task.ts'

type DirectoryEntity = NonNullable<ReturnType<Awaited<ReturnType<ServiceOf<typeof entityDirectory>['find']>>['get']>>

type DirectoryEdge = Parameters<ServiceOf<typeof entityDirectory>['link']>[0][number]

export const createEntityDirectory = (
  { storage, protocols, edges, now }: Pick<WritingDependencies, 'storage' | 'protocols' | 'edges' | 'now'>,
  writer: CredentialWriter,
): ServiceOf<typeof entityDirectory> => ({
  async find(dids) {
    const known = await findEntitiesByDid(storage.read, dids)
    return new Map([...known].map(([did, entity]) => [did, directoryEntity(entity)]))
  },
  async controlledBy(did) {
    const rows = await storage.read
      .selectFrom('entities_entities')
      .select('did')
      .where('controller', '=', did)
      .execute()
    return rows.map(row => row.did)
  },
  async protocol(did, version) {
    const found = await protocols.published(did, version)
    if (!found) return undefined
    const { definition, ...facts } = found
    const { claim } = definition
    return { did: definition.did, version: definition.version, ...facts, ...(claim === undefined ? {} : { claim }) }
  },
  async link(links, tx) {
    const own = tx as EntitiesTransaction
    const known = await findEntitiesByDid(
      own,
      links.flatMap(({ from, to }) => [from, to]),
    )
    await edges.insert(
      links.map(link => edgeOf(link, known)),
      now(),
      own,
    )
  },
  addCredential: (entry, tx) => writer.addCredential(entry, tx as EntitiesTransaction),
  removeCredential: (entry, tx) => writer.removeCredential(entry, tx as EntitiesTransaction),
})

const directoryEntity = ({ did, type, domainClass, controller, status, protocol }: StoredEntity): DirectoryEntity => ({
  did,
  type,
  domainClass,
  controller,
  status,
  ...(protocol ? { protocol } : {}),
})

/** Returns the edge of a link; a node that is not an entity of this oracle is kept as its URI. */
const edgeOf = (
  { from, relationship, to }: DirectoryEdge,
  known: ReadonlyMap<string, { readonly id: string }>,
): Edge => ({
  from: known.get(from)?.id ?? from,
  relationship,
  to: known.get(to)?.id ?? to,
})
