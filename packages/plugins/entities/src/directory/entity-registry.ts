import { jsonPointer } from '@sibyl/protocol'
import type { ZodType } from 'zod'
import { entityInvalid } from '../errors/entities-errors.ts'
import type { EntityReader } from '../reading/entity-reader.ts'
import { entityCreation, entityPatch } from '../records/entity-contract.ts'
import { entityRecordOf } from '../records/entity-record.ts'
import type { EntityRegistry, RegisteredEntity } from '../records/entity-registry.ts'
import { etagOf, expectedVersions } from '../records/etag.ts'
import type { EntityWriter, Written } from '../writing/entity-writer.ts'
import type { GivenCredentials } from '../writing/given-credentials.ts'

/** Creates this oracle's registry for other plugins; it acts as the oracle. */
export const createEntityRegistry = (
  writer: Pick<EntityWriter, 'create' | 'update' | 'deactivate'>,
  credentials: Pick<GivenCredentials, 'read'>,
  reader: Pick<EntityReader, 'find' | 'records'>,
  oracleDid: () => string,
): EntityRegistry => {
  const by = () => ({ did: oracleDid(), isOperators: true })
  return {
    create: async (creation, { idempotencyKey } = {}) => {
      const read = await credentials.read(fitting(entityCreation, creation))
      return registered(await writer.create(read, by(), idempotencyKey))
    },
    async get(did) {
      const entity = await reader.find(did)
      const [record] = entity ? await reader.records([entity]) : []
      return entity && record && { entity: record, etag: etagOf(entity.version) }
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

/** Parses a value by a schema, because plugins pass on input of models and users. */
const fitting = <T>(schema: ZodType<T>, value: unknown): T => {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw entityInvalid(
    error.issues.map(({ path, message, code }) => ({
      path: jsonPointer('', ...path),
      code,
      message,
    })),
  )
}
