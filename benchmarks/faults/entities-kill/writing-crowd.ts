import { atOnce, someAtATime } from '../entities/some-at-a-time.ts'
import type { Random } from '../frame/random.ts'
import { type Change, type Creation, KnownEntity, type Outcome } from './known-entity.ts'

/** When a walk is ended: in the tick in which a write is acknowledged, or amid others a moment later. */
export type Ending = 'acknowledged' | 'amid'

const stages = 5
const ofABatch = 100

/** Clients that create entities and change them. */
export class WritingCrowd {
  readonly counts = { acknowledged: 0, broken: 0, lookedBack: 0, repeated: 0, lost: 0, doubled: 0, wrong: 0 }
  /** Problems, as text. */
  readonly said: string[] = []
  readonly entities: KnownEntity[] = []
  readonly #random: Random
  readonly #protocol: string
  readonly #busy = new Set<KnownEntity>()
  readonly #touched = new Set<KnownEntity>()

  /** @param protocol the DID of the one that stoves follow */
  constructor(random: Random, protocol: string) {
    this.#random = random
    this.#protocol = protocol
  }

  /** Writes until so many are acknowledged, and then ends it. */
  async write(url: string, many: number, ending: Ending, end: () => void): Promise<void> {
    const due = this.counts.acknowledged + many
    let over = false
    let isDue = false
    const finish = () => {
      over = true
      end()
    }
    const heard = () => {
      if (isDue || this.counts.acknowledged < due) return
      isDue = true
      if (ending === 'acknowledged') finish()
      else setTimeout(finish, this.#random.next() * 25)
    }
    const work = async () => {
      while (!over) {
        const { entity, change } = this.#choose()
        this.#busy.add(entity)
        const outcome = await entity.turn(url, change)
        this.#note(entity, outcome)
        this.#busy.delete(entity)
        if (outcome === 'acknowledged') heard()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  /** Repeats interrupted requests, verifies everything written since the last time, and repeats some creations. */
  async verify(url: string): Promise<void> {
    for (let tries = 0; tries < 20 && this.entities.some(one => one.waits); tries += 1) {
      const waiting = this.entities.filter(one => one.waits)
      await someAtATime(waiting, async one => this.#note(one, await one.turn(url)))
    }
    const written = [...this.#touched].filter(({ did }) => did !== undefined)
    const older = Array.from({ length: Math.min(50, this.entities.length) }, () => this.#random.pick(this.entities))
    const created = [...written.filter(({ state }) => state.version < 3), ...older].filter(
      ({ did }) => did !== undefined,
    )
    this.counts.lookedBack += written.length
    this.counts.repeated += created.length
    await someAtATime(written, async one => this.#judge(await one.check(url)))
    await someAtATime(created, async one => this.#judge(await one.repeat(url)))
    this.#touched.clear()
  }

  #note(entity: KnownEntity, outcome: Outcome): void {
    this.#touched.add(entity)
    if (outcome === 'acknowledged') this.counts.acknowledged += 1
    else if (outcome === 'broken') this.counts.broken += 1
    else this.#judge(outcome)
  }

  #judge(outcome: Outcome): void {
    if (outcome === 'acknowledged') return
    const { fault, said } = outcome === 'broken' ? { fault: 'wrong' as const, said: 'No answer.' } : outcome
    this.counts[fault] += 1
    this.said.push(`${fault}: ${said}`)
  }

  #choose(): { readonly entity: KnownEntity; readonly change?: Change } {
    for (let tries = 0; tries < 5 && this.#random.next() < 0.6 && this.entities.length > atOnce; tries += 1) {
      const entity = this.#random.pick(this.entities)
      if (this.#busy.has(entity) || (entity.did === undefined && !entity.waits)) continue
      if (entity.waits) return { entity }
      if (entity.state.status === 'active') return { entity, change: this.#changeOf(entity) }
    }
    const entity = new KnownEntity(this.#creation())
    this.entities.push(entity)
    return { entity }
  }

  #creation(): Creation {
    const number = this.entities.length
    const kind = this.#random.next()
    const own = { serial: `serial${number}`, name: this.#name(), stage: `s${this.#random.integer(1, stages)}` }
    const batch = `b${Math.floor(number / ofABatch)}`
    const common = {
      key: `key-${number}`,
      by: this.#random.pick(['oracle', 'farm'] as const),
      twice: this.#random.next() < 0.1,
      mortal: this.#random.next() < 0.3,
    }
    if (kind < 0.7) {
      const near = this.#target('CookStove')
      const properties = {
        ...own,
        batch,
        fuel: 'wood',
        model: 'ÉT-2',
        power: 2.5e-7,
        burners: 2,
        solar: false,
        tags: ['a', 'b'],
        place: { lat: -1.3, lon: 36.8 },
      }
      const relationships = near === undefined || kind < 0.4 ? {} : { relationships: { near: [near] } }
      return { ...common, type: 'CookStove', protocol: this.#protocol, properties, ...relationships }
    }
    if (kind < 0.85) return { ...common, type: 'Project', properties: { ...own, batch } }
    if (kind < 0.95) {
      const membershipGroups = ['Members', 'Board', 'Öffentliche'].slice(0, this.#random.integer(1, 3))
      return { ...common, type: 'Organisation', properties: { ...own, batch }, membershipGroups }
    }
    return { ...common, type: 'Person', properties: { ...own, batch } }
  }

  #changeOf(entity: KnownEntity): Change {
    const { type, mortal } = entity.creation
    const chance = this.#random.next()
    if (mortal && chance < 0.15) return { kind: 'deactivate' }
    const edges = Object.entries(entity.state.relationships).flatMap(([relationship, targets]) =>
      targets.map(target => ({ relationship, target })),
    )
    if (edges.length > 0 && chance < 0.25) return { kind: 'unrelate', ...this.#random.pick(edges) }
    const relationship = ({ CookStove: 'near', Project: 'generates', Organisation: 'implements' } as const)[type]
    const target = relationship && this.#target(type === 'Organisation' ? 'Project' : 'CookStove')
    const isNew = target !== undefined && target !== entity.did && !edges.some(edge => edge.target === target)
    if (relationship && isNew && chance < 0.6) return { kind: 'relate', relationship, target }
    return { kind: 'patch', properties: { name: this.#name(), stage: `s${this.#random.integer(1, stages)}` } }
  }

  /** The DID of an entity that stays in use. */
  #target(type: string): string | undefined {
    for (let tries = 0; tries < 10 && this.entities.length > 0; tries += 1) {
      const { creation, did } = this.#random.pick(this.entities)
      if (creation.type === type && !creation.mortal) return did
    }
    return undefined
  }

  #name(): string {
    return `name${Array.from({ length: 9 }, () => this.#random.integer(0, 35).toString(36)).join('')}`
  }
}
