import { defineTool, personalAbility } from '@sibyl/plugin'
import { type JsonValue, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import type { EntityRecord } from '../records/entity-contract.ts'
import { shortened } from '../records/entity-name.ts'
import { findEntity, type ToolDependencies } from './find-entity.ts'
import { maxOutput } from './model-output.ts'

/** An entity for the agent; empty members are omitted. */
const shortEntity = z.object({
  did: z.string(),
  type: z.string(),
  class: z.string(),
  status: z.string(),
  controller: z.string(),
  protocol: z.string().optional(),
  properties: z.record(z.string(), jsonValue).optional(),
  relationships: z.record(z.string(), z.array(z.string())).optional(),
  credentials: z.array(z.string()).optional(),
  also_known_as: z.array(z.string()).optional(),
  services: z.array(z.string()).optional(),
  /** Members that were too long to include. */
  left_out: z.array(z.string()).optional(),
})

export type ShortEntity = z.infer<typeof shortEntity>

const longestText = 300
const maxListed = 5
const maxNamed = 10
/** Space that is reserved for the names of omitted members. */
const roomForNames = 450

/** Shortens an entity to the output limit; `left_out` names the omitted members. */
const shortEntityOf = (record: EntityRecord): ShortEntity => {
  const short: ShortEntity = {
    did: record.did,
    type: record.type,
    class: record.domainClass,
    status: record.status,
    controller: record.controller,
    ...(record.protocol === undefined ? {} : { protocol: `${record.protocol} version ${record.protocolVersion ?? 1}` }),
  }
  const leftOut: string[] = []
  let left = maxOutput - JSON.stringify(short).length - roomForNames

  /** Returns the members that fit, each truncated; undefined otherwise. */
  const fitting = <Value>(members: Readonly<Record<string, Value>>): Record<string, Value> | undefined => {
    const shown: Record<string, Value> = {}
    for (const [name, value] of Object.entries(members)) {
      const size = name.length + JSON.stringify(value).length + 8
      if (size > left) leftOut.push(name)
      else {
        left -= size
        shown[name] = value
      }
    }
    return Object.keys(shown).length === 0 ? undefined : shown
  }
  const list = (name: string, items: readonly string[]): readonly string[] => {
    if (items.length > maxListed) leftOut.push(`${items.length - maxListed} more of ${name}`)
    return items.slice(0, maxListed)
  }
  const lists = (named: Readonly<Record<string, readonly string[] | string>>) =>
    fitting(
      Object.fromEntries(
        Object.entries(named).flatMap(([name, given]) => {
          const items = [given].flat()
          return items.length === 0 ? [] : [[name, [...list(name, items)]]]
        }),
      ),
    )

  const properties = fitting(
    Object.fromEntries(Object.entries(record.properties).map(([name, value]) => [name, shortValue(value)])),
  )
  const relationships = lists(record.relationships)
  const others = lists({
    credentials: record.verifiableCredential.map(
      ({ type, issuer, verified }) => `${type} by ${issuer}${verified === false ? ', unverified' : ''}`,
    ),
    also_known_as: record.alsoKnownAs,
    services: record.services.map(({ type, endpoint }) => `${type} at ${endpoint}`),
  })
  const names = leftOut.slice(0, maxNamed).map(name => shortened(name, 30))
  return {
    ...short,
    ...(properties === undefined ? {} : { properties }),
    ...(relationships === undefined ? {} : { relationships }),
    ...others,
    ...(names.length === 0 ? {} : { left_out: leftOut.length > maxNamed ? [...names, '…'] : names }),
  }
}

const shortValue = (value: JsonValue): JsonValue => (typeof value === 'string' ? shortened(value, longestText) : value)

export const getEntityTool = (parts: ToolDependencies) =>
  defineTool({
    description: 'Gets one entity: type, controller, properties, relationships, credentials.',
    effect: 'read',
    ability: ['entities/read', personalAbility],
    input: z.object({ did: z.string().max(500).describe('DID or exact name') }),
    output: shortEntity,
    async execute({ did }) {
      const entity = await findEntity(parts, did)
      const [record] = await parts.reader.records([entity])
      return shortEntityOf(record!)
    },
  })
