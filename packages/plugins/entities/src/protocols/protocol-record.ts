import { domainClass, entityStatus, type JsonValue, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import type { PublishedProtocol } from './protocol-store.ts'

/** A version of a protocol as routes answer it. */
export const protocolRecord = z.object({
  did: z.string(),
  /** Counts the definitions, from 1: another property or relationship is another version. */
  version: z.int(),
  status: entityStatus,
  /** Whether this version takes no entities and no claims any more. */
  retired: z.literal(true).optional(),
  /** Name to rule, each with its `type`. */
  properties: z.record(z.string(), jsonValue),
  /** Name to the kind of entity. */
  relationships: z.record(z.string(), z.string()),
  domainClass: domainClass.optional(),
  claim: jsonValue.optional(),
  /** When this version was registered. */
  createdAt: z.iso.datetime(),
})

/** The record of a version. */
export const protocolRecordOf = ({
  definition,
  status,
  retired,
  createdAt,
}: Pick<PublishedProtocol, 'definition' | 'status' | 'retired' | 'createdAt'>): z.infer<typeof protocolRecord> => ({
  did: definition.did,
  version: definition.version,
  status,
  ...(retired ? { retired } : {}),
  properties: definition.properties as Record<string, object> as Record<string, { [key: string]: JsonValue }>,
  relationships: { ...definition.relationships },
  ...(definition.domainClass === undefined ? {} : { domainClass: definition.domainClass }),
  ...(definition.claim === undefined ? {} : { claim: definition.claim }),
  createdAt: new Date(createdAt).toISOString(),
})
