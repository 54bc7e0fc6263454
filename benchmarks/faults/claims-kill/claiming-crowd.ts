import { setTimeout as pause } from 'node:timers/promises'
import { atOnce, someAtATime } from '../entities/some-at-a-time.ts'
import type { Random } from '../frame/random.ts'
import type { ClaimSetup } from './claim-setup.ts'
import { KnownClaim, type StepOutcome } from './known-claim.ts'
import { KnownCredential } from './known-credential.ts'

type Known = KnownClaim | KnownCredential

const openAtOnce = 40
const agentLimitMs = 60_000

/** People who submit, judge, dispute and settle claims, and have credentials issued and revoked. */
export class ClaimingCrowd {
  readonly counts = { acknowledged: 0, refused: 0, broken: 0, lookedBack: 0, repeated: 0 }
  /** Problems, as text. */
  readonly said: string[] = []
  readonly claims: KnownClaim[] = []
  readonly credentials: KnownCredential[] = []
  readonly #random: Random
  readonly #setup: ClaimSetup
  readonly #busy = new Set<Known>()
  readonly #touched = new Set<Known>()
  #open: Known[] = []

  constructor(random: Random, setup: ClaimSetup) {
    this.#random = random
    this.#setup = setup
  }

  /** Goes on until so many steps are acknowledged, and then ends it: at once, or amid others a moment later. */
  async walk(url: string, many: number, ending: 'acknowledged' | 'amid', end: () => void): Promise<void> {
    const due = this.counts.acknowledged + many
    let over = false
    let isDue = false
    const finish = () => {
      over = true
      end()
    }
    const work = async () => {
      while (!over) {
        const known = this.#choose()
        this.#busy.add(known)
        this.#note(known, await known.turn(url))
        this.#busy.delete(known)
        if (isDue || this.counts.acknowledged < due) continue
        isDue = true
        if (ending === 'acknowledged') finish()
        else setTimeout(finish, this.#random.next() * 25)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  /** Repeats interrupted requests, verifies everything done since the last time, and repeats it once. */
  async verify(url: string): Promise<void> {
    for (let tries = 0; tries < 20 && this.#open.some(one => one.waits); tries += 1) {
      await someAtATime(
        this.#open.filter(one => one.waits),
        async one => this.#note(one, await one.turn(url)),
      )
    }
    const done = [...this.#touched].filter(({ id }) => id !== undefined)
    this.counts.lookedBack += done.length
    await someAtATime(done, async one => this.#judge(await one.check(url)))
    const again = done.filter(() => this.#random.next() < 0.5)
    this.counts.repeated += again.length
    await someAtATime(again, async one => this.#judge(await one.repeat(url)))
    this.#touched.clear()
  }

  /** Brings all that is under way to its end. */
  async finish(url: string): Promise<void> {
    const until = performance.now() + agentLimitMs
    const left = () => this.#open.filter(one => !one.isOver)
    while (left().length > 0 && performance.now() < until) {
      await someAtATime(left(), async one => this.#note(one, await one.turn(url)))
      await pause(20)
    }
    for (const one of left()) this.said.push(JSON.stringify({ hangs: one }))
  }

  #note(known: Known, outcome: StepOutcome): void {
    this.#touched.add(known)
    if (typeof outcome === 'object') this.#judge(outcome)
    else if (outcome !== 'waiting') this.counts[outcome] += 1
  }

  #judge(outcome: StepOutcome): void {
    if (outcome === 'acknowledged') return
    this.said.push(typeof outcome === 'object' ? outcome.said : outcome)
  }

  #choose(): Known {
    this.#open = this.#open.filter(one => this.#busy.has(one) || !one.isOver)
    const free = this.#open.filter(one => !this.#busy.has(one))
    if (this.#open.length >= openAtOnce && free.length > 0) return this.#random.pick(free)
    const asset = this.#random.pick(this.#setup.assets)
    const known = this.#random.next() < 0.15 ? this.#newCredential(asset) : this.#newClaim(asset)
    this.#open.push(known)
    return known
  }

  #newCredential(asset: string): KnownCredential {
    const made = new KnownCredential(`credential-${this.credentials.length}`, asset, this.#random.next() < 0.3)
    this.credentials.push(made)
    return made
  }

  #newClaim(asset: string): KnownClaim {
    const day = this.claims.length
    const dispute = this.#random.next() < 0.4 ? this.#random.pick(['uphold', 'invalidate'] as const) : undefined
    const made = new KnownClaim({
      ...{ key: `claim-${day}`, asset, day, dispute },
      collection: this.#random.pick(this.#setup.collections),
      hours: this.#random.pick([1, 2, 3, 24]),
      twice: this.#random.next() < 0.3,
    })
    this.claims.push(made)
    return made
  }
}
