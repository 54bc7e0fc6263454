import { type EntityRegistry, entityCreation, entityPatch, jsonPointer, type RegisteredEntity } from '@sibyl/protocol'
import type { ZodType } from 'zod'
import { entityInvalid } from '../errors/entities-errors.ts'
import type { EdgeStore } from '../graph/edge-store.ts'
import { shownRelationshipsOf } from '../graph/shown-relationships.ts'
import { entityIdOf, isSameDid } from '../records/entity-did.ts'
import { entityRecordOf } from '../records/entity-record.ts'
import { etagOf, expectedVersions } from '../records/etag.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { findEntities } from '../storage/entity-rows.ts'
import type { EntityWriter, Written } from '../writing/entity-writer.ts'
import type { GivenCredentials } from '../writing/given-credentials.ts'

export interface RegistryDependencies {
  readonly writer: Pick<EntityWriter, 'create' | 'update' | 'deactivate'>
  readonly credentials: Pick<GivenCredentials, 'read'>
  readonly storage: Pick<EntitiesStorage, 'engine' | 'read'>
  readonly edges: Pick<EdgeStore, 'outgoing'>
  /** The oracle's DID, as which the registry acts. */
  readonly oracleDid: () => string
}

/** The registry of this oracle for other plugins, which acts as the oracle. */
export const createEntityRegistry = ({
  writer,
  credentials,
  storage,
  edges,
  oracleDid,
}: RegistryDependencies): EntityRegistry => {
  const by = () => ({ did: oracleDid(), isOperators: true })
  return {
    create: async (creation, { idempotencyKey } = {}) => {
      const read = await credentials.read(fitting(entityCreation, creation))
      return registered(await writer.create(read, by(), idempotencyKey))
    },
    async get(did) {
      const id = entityIdOf(did)
      const entity = id === undefined ? undefined : (await findEntities(storage.read, [id])).get(id)
      if (!entity || !isSameDid(entity.did, did)) return undefined
      return registered({ entity, relationships: await shownRelationshipsOf({ storage, edges }, entity.id) })
    },
    update: async (did, patch, etag) =>
      registered(await writer.update(did, fitting(entityPatch, patch), by(), expectedVersions(etag) ?? [])),
    deactivate: async (did, etag) => registered(await writer.deactivate(did, by(), expectedVersions(etag) ?? [])),
  }
}

const registered = ({ entity, relationships }: Written): RegisteredEntity => ({
  entity: entityRecordOf(entity, relationships),
  etag: etagOf(entity.version),
})

/** Parses a value by a schema; plugins pass on input of models and users. */
const fitting = <T>(schema: ZodType<T>, value: unknown): T => {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw entityInvalid(
    error.issues.map(({ path, message, code }) => ({
      path: path.reduce<string>((pointer, key) => jsonPointer(pointer, String(key)), ''),
      code,
      message,
    })),
  )
}
