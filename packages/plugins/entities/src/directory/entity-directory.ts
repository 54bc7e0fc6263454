import type { DirectoryEdge, DirectoryEntity, EntityDirectory } from '@sibyl/protocol'
import type { EdgeStore } from '../graph/edge-store.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import { entityIdOf, isSameDid } from '../records/entity-did.ts'
import type { Edge, StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { findEntities } from '../storage/entity-rows.ts'
import type { EntityWriter } from '../writing/entity-writer.ts'

export interface DirectoryDependencies {
  readonly storage: Pick<EntitiesStorage, 'read'>
  readonly protocols: Pick<ProtocolStore, 'published'>
  readonly edges: Pick<EdgeStore, 'insert'>
  readonly writer: Pick<EntityWriter, 'addCredential' | 'removeCredential'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The entities of this oracle, as other plugins know them. */
export const createEntityDirectory = ({
  storage,
  protocols,
  edges,
  writer,
  now,
}: DirectoryDependencies): EntityDirectory => ({
  async find(dids) {
    const known = await findByDid(storage.read, dids)
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
    const known = await findByDid(
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

/** Entities by what was given as their DIDs. */
const findByDid = async (
  db: EntitiesStorage['read'] | EntitiesTransaction,
  dids: readonly string[],
): Promise<ReadonlyMap<string, StoredEntity>> => {
  const known = await findEntities(db, [...new Set(dids.flatMap(did => entityIdOf(did) ?? []))])
  return new Map(
    dids.flatMap(did => {
      const entity = known.get(entityIdOf(did) ?? '')
      return entity && isSameDid(entity.did, did) ? [[did, entity] as const] : []
    }),
  )
}

const directoryEntity = ({ did, type, domainClass, controller, status, protocol }: StoredEntity): DirectoryEntity => ({
  did,
  type,
  domainClass,
  controller,
  status,
  ...(protocol ? { protocol } : {}),
})

/** The edge of a link; nodes that are no entities of this oracle are kept as the URIs that they are. */
const edgeOf = (
  { from, relationship, to }: DirectoryEdge,
  known: ReadonlyMap<string, { readonly id: string }>,
): Edge => ({
  from: known.get(from)?.id ?? from,
  relationship,
  to: known.get(to)?.id ?? to,
})
