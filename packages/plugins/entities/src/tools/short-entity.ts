import { type EntityRecord, type JsonValue, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { shortened } from './entity-name.ts'
import { maxOutput } from './within-size.ts'

/** An entity as the agent reads it. */
export const shortEntity = z.object({
  did: z.string(),
  type: z.string(),
  class: z.string(),
  status: z.string(),
  controller: z.string(),
  protocol: z.string().optional(),
  properties: z.record(z.string(), jsonValue),
  relationships: z.record(z.string(), z.array(z.string())),
  credentials: z.array(z.string()),
  also_known_as: z.array(z.string()),
  services: z.array(z.string()),
  updated: z.string(),
  /** What of it was too long. */
  left_out: z.array(z.string()),
})

export type ShortEntity = z.infer<typeof shortEntity>

const longestText = 300
const mostTargets = 5
const mostNamed = 10

/** An entity cut to a size that a model can be shown; `left_out` names what is missing. */
export const shortEntityOf = (record: EntityRecord): ShortEntity => {
  const short: ShortEntity = {
    did: record.did,
    type: record.type,
    class: record.domainClass,
    status: record.status,
    controller: record.controller,
    ...(record.protocol === undefined ? {} : { protocol: `${record.protocol} version ${record.protocolVersion ?? 1}` }),
    properties: {},
    relationships: {},
    credentials: [],
    also_known_as: [],
    services: [],
    updated: record.updatedAt,
    left_out: [],
  }
  let left = maxOutput - JSON.stringify(short).length - 400
  const leaveOut = (name: string) => {
    if (short.left_out.length < mostNamed) short.left_out.push(shortened(name, 30))
    else short.left_out[mostNamed] = '…'
  }
  const fits = (name: string, value: unknown): boolean => {
    const size = name.length + JSON.stringify(value).length + 4
    if (size > left) {
      leaveOut(name)
      return false
    }
    left -= size
    return true
  }

  for (const [name, value] of Object.entries(record.properties)) {
    const shown = shortValue(value)
    if (fits(name, shown)) short.properties[name] = shown
  }
  const credentials = record.verifiableCredential
    .map(({ type, issuer }) => `${type} by ${issuer}`)
    .slice(0, mostTargets)
  if (credentials.length > 0 && fits('credentials', credentials)) short.credentials = credentials
  for (const [name, targets] of Object.entries(record.relationships)) {
    const shown = targets.slice(0, mostTargets)
    if (!fits(name, shown)) continue
    short.relationships[name] = shown
    if (targets.length > shown.length) leaveOut(`${name}: ${targets.length - shown.length} more`)
  }
  if (record.alsoKnownAs.length > 0 && fits('also_known_as', record.alsoKnownAs)) {
    short.also_known_as = record.alsoKnownAs
  }
  const services = record.services.map(({ type, endpoint }) => `${type} at ${endpoint}`)
  if (services.length > 0 && fits('services', services)) short.services = services
  return short
}

const shortValue = (value: JsonValue): JsonValue => (typeof value === 'string' ? shortened(value, longestText) : value)
