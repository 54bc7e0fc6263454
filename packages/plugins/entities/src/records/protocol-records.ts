import { jsonValue } from '@sibyl/protocol'
import * as z from 'zod'
import { domainClass, entityStatus } from './entity-members.ts'

/** A version of a protocol. */
export const protocolRecord = z.object({
  did: z.string(),
  /** Number of the definition, from 1; each change of a property or relationship creates a new version. */
  version: z.int(),
  status: entityStatus,
  /** True if this version accepts no entities and no claims. */
  retired: z.literal(true).optional(),
  /** Rules by name, each with its `type`. */
  properties: z.record(z.string(), jsonValue),
  /** Kinds of entities by name. */
  relationships: z.record(z.string(), z.string()),
  domainClass: domainClass.optional(),
  claim: jsonValue.optional(),
  /** Time of the registration of this version. */
  createdAt: z.iso.datetime(),
})

export type ProtocolRecord = z.infer<typeof protocolRecord>

/** A version of a protocol, in lists. */
export const versionEntry = z.object({
  version: z.int(),
  createdAt: z.iso.datetime(),
  retired: z.literal(true).optional().meta({ description: 'It accepts no more entities and claims' }),
})
