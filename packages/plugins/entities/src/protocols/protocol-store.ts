import { sql, TickBatch, toJson } from '@sibyl/plugin/storage'
import { sameDid } from '@sibyl/protocol'
import { entityIdOf } from '../records/entity-did.ts'
import type { EntityStatus } from '../records/entity-members.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { jsonList, jsonText } from '../storage/statement-parts.ts'

/** A version of a protocol, with facts about the protocol. */
export interface PublishedProtocol {
  readonly definition: ProtocolDefinition
  /** Status of the protocol, for all versions; a deactivated protocol accepts no new entities. */
  readonly status: EntityStatus
  /** Controller of the protocol. */
  readonly controller: string
  readonly newest: number
  /** True if this version accepts no entities and no claims. */
  readonly retired: boolean
  /** Time at which this version was stored, in milliseconds since 1970. */
  readonly createdAt: number
}

const maxKept = 200

interface Version {
  readonly definition: ProtocolDefinition
  readonly createdAt: number
}

interface Newest {
  readonly did: string
  readonly version: number
  readonly status: EntityStatus
  readonly controller: string
  readonly retired: readonly number[]
}

export const createProtocolStore = (storage: EntitiesStorage) => {
  const kept = new Map<string, Version>()
  const newest = new TickBatch<string, Newest>(ids => findNewest(storage, ids))

  const load = async (id: string, version: number): Promise<Version | undefined> => {
    const key = `${id}@${version}`
    const found = kept.get(key) ?? (await findVersion(storage, id, version))
    if (!found) return undefined
    kept.delete(key)
    kept.set(key, found)
    if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
    return found
  }

  const newestOf = async (did: string): Promise<(Newest & { readonly id: string }) | undefined> => {
    const id = entityIdOf(did)
    const found = id === undefined ? undefined : await newest.ask(id)
    return found && id !== undefined && sameDid(found.did, did) ? { ...found, id } : undefined
  }

  return {
    /**
     * Returns a version, by default the newest; undefined if it is unknown. Use it outside of a write. A named version is
     * read once; calls without a version in one turn of the event loop share one read.
     */
    async find(did: string, version?: number): Promise<ProtocolDefinition | undefined> {
      const id = entityIdOf(did)
      const wanted = version ?? (await newestOf(did))?.version
      if (id === undefined || wanted === undefined) return undefined
      const found = await load(id, wanted)
      return found && sameDid(found.definition.did, did) ? found.definition : undefined
    },
    /** Like `find`, with the facts that new entities are checked against. Always reads; concurrent calls share a read. */
    async published(did: string, version?: number): Promise<PublishedProtocol | undefined> {
      const found = await newestOf(did)
      const stored = found && (await load(found.id, version ?? found.version))
      if (!stored) return undefined
      const { status, controller, version: newest } = found
      return { ...stored, status, controller, newest, retired: found.retired.includes(stored.definition.version) }
    },
    /**
     * Returns the newest version of each protocol, newest protocol first. @param before the DID of the last one of the
     * previous page
     */
    async list(limit: number, before?: string): Promise<readonly Omit<PublishedProtocol, 'controller' | 'newest'>[]> {
      const rows = await storage.read
        .selectFrom('entities_protocols as protocol')
        .innerJoin('entities_entities as entity', 'entity.id', 'protocol.id')
        .select(['protocol.definition', 'protocol.created_at', 'entity.status'])
        .$if(before !== undefined, query => query.where('protocol.id', '<', entityIdOf(before ?? '') ?? ''))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('entities_protocols as later')
                .select('later.id')
                .whereRef('later.id', '=', 'protocol.id')
                .whereRef('later.version', '>', 'protocol.version'),
            ),
          ),
        )
        .orderBy('protocol.id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ definition, created_at: createdAt, status }) => ({
        definition,
        createdAt,
        status,
        retired: false,
      }))
    },
    /** Returns the versions of a protocol, newest first. @param before only versions below this one */
    async versions(did: string, limit: number, before: number = Number.MAX_SAFE_INTEGER) {
      const found = await newestOf(did)
      if (!found) return []
      const rows = await storage.read
        .selectFrom('entities_protocols')
        .select(['version', 'created_at'])
        .where('id', '=', found.id)
        .where('version', '<', before)
        .orderBy('version', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ version, created_at: createdAt }) => ({
        version,
        createdAt,
        retired: found.retired.includes(version),
      }))
    },
    /** Stores new versions in the transaction that changes their entities. @param at milliseconds since 1970 */
    async insert(definitions: readonly ProtocolDefinition[], at: number, tx: EntitiesTransaction): Promise<void> {
      if (definitions.length === 0) return
      const rows = definitions.map(definition => ({
        id: idOf(definition.did),
        version: definition.version,
        did: definition.did,
        definition: toJson(definition),
        created_at: at,
      }))
      await tx.insertInto('entities_protocols').values(rows).execute()
    },
  }
}

/** The versions of all protocols. A stored version never changes, so it may be cached. */
export type ProtocolStore = ReturnType<typeof createProtocolStore>

const idOf = (did: string): string => {
  const id = entityIdOf(did)
  if (id === undefined) throw new TypeError('The DID of a protocol must end with the id of an entity.')
  return id
}

const findNewest = async ({ engine, read }: EntitiesStorage, ids: readonly string[]): Promise<Map<string, Newest>> => {
  const list = ids.map(id => [id])
  const retired =
    engine === 'sqlite'
      ? sql<string | null>`json_extract(entity.details, '$.definition.retired')`
      : sql<string | null>`(entity.details -> 'definition' -> 'retired')::text`
  const { rows } = await sql<Omit<Newest, 'retired'> & { id: string; retired: string | null }>`
    select protocol.id, protocol.version, protocol.did, entity.status, entity.controller, ${retired} as retired
    from ${jsonList(engine, list)}
    cross join entities_protocols as protocol
    cross join entities_entities as entity
    where protocol.id = ${jsonText(engine, 0)} and entity.id = protocol.id
      and protocol.version = (select max(version) from entities_protocols where id = ${jsonText(engine, 0)})
  `.execute(read)
  return new Map(
    rows.map(({ id, retired, ...newest }) => [id, { ...newest, retired: retired === null ? [] : JSON.parse(retired) }]),
  )
}

const findVersion = async ({ read }: EntitiesStorage, id: string, version: number): Promise<Version | undefined> => {
  const row = await read
    .selectFrom('entities_protocols')
    .select(['definition', 'created_at'])
    .where(eb => eb.and({ id, version }))
    .executeTakeFirst()
  return row && { definition: row.definition, createdAt: row.created_at }
}
