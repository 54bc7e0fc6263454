import { OracleError } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import type { EntityWriter, Written } from './entity-writer.ts'

/** An entity as the model has it. */
export interface ModelEntity {
  readonly did: string
  controller: string
  status: 'active' | 'deactivated'
  version: number
  readonly properties: Map<string, JsonValue>
  readonly parts: Set<string>
}

/** A write of a party. `subject` and `object` count the model's entities; `stale` by how many versions it is behind. */
export interface ModelWrite {
  readonly by: string
  readonly kind: 'create' | 'patch' | 'transfer' | 'deactivate' | 'relate' | 'unrelate'
  readonly subject: number
  readonly object: number
  readonly stale: number
  readonly name: string
  readonly value: JsonValue
}

/** A plain model of entities with one acyclic relationship. */
export class EntityModel {
  readonly entities: ModelEntity[] = []

  /** What the write must be answered, and does it in the model where it must succeed: `undefined` is success. */
  expect(write: ModelWrite): string | undefined {
    if (write.kind === 'create') return undefined
    const entity = this.entities[write.subject]!
    if (entity.controller !== write.by) return 'not_controller'
    if (entity.status === 'deactivated') return 'entity_deactivated'
    if (write.stale > 0) return 'etag_stale'
    return this.#apply(entity, write)
  }

  #apply(entity: ModelEntity, { kind, name, value, by, object }: ModelWrite): string | undefined {
    const other = this.entities[object]!
    switch (kind) {
      case 'patch': {
        const before = entity.properties.get(name)
        if (value === null) entity.properties.delete(name)
        else entity.properties.set(name, value)
        if (before !== entity.properties.get(name)) entity.version += 1
        return undefined
      }
      case 'transfer':
        entity.controller = `${by}-heir`
        entity.version += 1
        return undefined
      case 'deactivate':
        entity.status = 'deactivated'
        entity.version += 1
        return undefined
      case 'relate':
        if (other.status === 'deactivated' || this.#leads(other, entity)) return 'entity_invalid'
        if (!entity.parts.has(other.did)) entity.version += 1
        entity.parts.add(other.did)
        return undefined
      default:
        if (entity.parts.delete(other.did)) entity.version += 1
        return undefined
    }
  }

  #leads(from: ModelEntity, to: ModelEntity): boolean {
    return from === to || [...from.parts].some(did => this.#leads(this.entities.find(one => one.did === did)!, to))
  }
}

/** Does a write for real; gives the code of its refusal. */
export const perform = async (
  writer: EntityWriter,
  { entities }: EntityModel,
  write: ModelWrite,
): Promise<{ readonly written: Written } | { readonly code: string }> => {
  const { did, version = 1 } = entities[write.subject] ?? { did: '' }
  const by = { did: write.by }
  const expected = version - write.stale
  const calls: Record<ModelWrite['kind'], () => Promise<Written>> = {
    create: () => writer.create({ type: 'Part', properties: { [write.name]: write.value } }, by),
    patch: () => writer.update(did, { properties: { [write.name]: write.value } }, by, expected),
    transfer: () => writer.update(did, { controller: `${write.by}-heir` }, by, expected),
    deactivate: () => writer.deactivate(did, by, expected),
    relate: () => writer.relate(did, 'partOf', [entities[write.object]!.did], by, expected),
    unrelate: () => writer.unrelate(did, 'partOf', [entities[write.object]!.did], by, expected),
  }
  try {
    return { written: await calls[write.kind]() }
  } catch (error) {
    if (error instanceof OracleError) return { code: error.code }
    throw error
  }
}

/** Numbers below a bound, the same for the same seed (a 32-bit congruential generator, its upper bits). */
export const randomNumbers = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A write drawn by chance; creations are common while there is little. */
export const drawWrite = (random: (below: number) => number, count: number, parties: readonly string[]): ModelWrite => {
  const kinds = ['patch', 'patch', 'patch', 'relate', 'relate', 'unrelate', 'create', 'transfer', 'deactivate'] as const
  return {
    by: parties[random(parties.length)]!,
    kind: count < 4 ? 'create' : kinds[random(count > 12 ? kinds.length : 7)]!,
    subject: random(Math.max(count, 1)),
    object: random(Math.max(count, 1)),
    stale: random(6) === 0 ? 1 : 0,
    name: ['serial', 'fuel', 'power'][random(3)]!,
    value: ([1, 'wood', true, null] as const)[random(4)]!,
  }
}
