import { isDeepStrictEqual } from 'node:util'
import { type EntityPatch, type EntityRecord, mergePatch, type RegisteredEntity } from '@sibyl/plugin-entities/records'
import type { JsonValue } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { capitalized } from '../output/format.ts'
import { describePlace } from './registry-node.ts'
import type { RegistryContext } from './with-registry.ts'

/** One member of an entity that a patch changes; undefined if it is absent. */
export interface EntityChange {
  /** `serial` of the properties, `#api` of the services, `partOf →` of the relationships, or a member: `controller`. */
  readonly name: string
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** Returns the changes of a patch against the current entity; unchanged members are omitted. */
export const entityChanges = (entity: EntityRecord, patch: EntityPatch): readonly EntityChange[] => {
  const { properties, services, relationships, ...members } = patch
  const [before, after] = [new Map<string, JsonValue | undefined>(), new Map<string, JsonValue | undefined>()]
  for (const [name, value] of Object.entries(members)) {
    before.set(name, entity[name as keyof typeof members] ?? undefined)
    after.set(name, value ?? undefined)
  }
  if (properties !== undefined) {
    fill(before, entity.properties)
    fill(after, properties === null ? {} : mergePatch(entity.properties, properties))
  }
  if (services !== undefined) {
    fill(before, partsOf(entity.services, services ?? []))
    fill(after, partsOf(services ?? [], entity.services))
  }
  for (const [name, targets] of Object.entries(relationships ?? {})) {
    before.set(`${name} →`, [entity.relationships[name] ?? []].flat())
    after.set(`${name} →`, [targets ?? []].flat())
  }
  return [...new Set([...before.keys(), ...after.keys()])]
    .map(name => ({ name, before: before.get(name), after: after.get(name) }))
    .filter(change => !isDeepStrictEqual(change.before, change.after))
}

const fill = (map: Map<string, JsonValue | undefined>, members: Readonly<Record<string, JsonValue>>): void => {
  for (const [name, value] of Object.entries(members)) map.set(name, value)
}

/** Returns the endpoint of each service, and its type if the other list has another one. */
const partsOf = (
  services: readonly EntityRecord['services'][number][],
  others: readonly EntityRecord['services'][number][],
): Record<string, JsonValue> =>
  Object.fromEntries(
    services.flatMap(({ id, type, endpoint }) => {
      const differs = others.some(other => other.id === id && other.type !== type)
      return [[id, endpoint], ...(differs ? [[`${id} type`, type]] : [])]
    }),
  )

/**
 * Reads an entity before a change.
 *
 * @throws `registry_refused` when the registry has no such entity, `registry_unavailable` when it returns another one
 */
export const readEntity = async ({ openAs, node }: RegistryContext, did: string): Promise<RegisteredEntity> => {
  const { registry } = await openAs(undefined)
  const found = await registry.get(did)
  if (found && found.entity.did.toLowerCase() !== did.toLowerCase()) {
    const message = `${capitalized(describePlace(node))} returned another entity than the requested one.`
    throw cliErrors.registry_unavailable(message, 'Use another registry: --registry-url, REGISTRY_URL.')
  }
  if (found) return found
  const message = `${capitalized(describePlace(node))} has no entity ${did}.`
  throw cliErrors.registry_refused(message, 'Check the registry: --network, --registry-url')
}
