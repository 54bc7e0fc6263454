import type { SimulatedPostgres } from './simulated-postgres.ts'
import { type SimulatedProcess, startTime, type World } from './world.ts'

interface Lease {
  readonly id: string
  readonly attempt: number
  readonly lease_owner: string
  readonly lease_until: number
}

/** A process knows the time of the database by half the time of a query, which takes 3 s at most. */
const clockErrorMs = 3_000

/** Checks after each commit that no process takes over a job whose lease another one has. */
export class LeaseCheck {
  readonly #world: World
  readonly #server: SimulatedPostgres
  /** The process of each holder. */
  readonly #holders = new Map<string, SimulatedProcess>()
  #leases = new Map<string, Lease>()

  constructor(world: World, server: SimulatedPostgres) {
    this.#world = world
    this.#server = server
    server.onCommit.push(process => this.#check(process))
  }

  #check(committing: SimulatedProcess): void {
    const sql = "select id, attempt, lease_owner, lease_until from sibyl_job where state = 'running'"
    const leases = new Map(this.#server.rows<Lease>(sql).map(lease => [lease.id, lease]))
    for (const { lease_owner: owner } of leases.values())
      if (!this.#holders.has(owner)) this.#holders.set(owner, committing)
    for (const old of this.#leases.values()) {
      const now = leases.get(old.id)
      const holder = this.#holders.get(old.lease_owner)
      const isSame = now?.lease_owner === old.lease_owner && now.attempt === old.attempt
      if (isSame || holder === committing || old.lease_until <= startTime + this.#world.now + clockErrorMs) continue
      const left = old.lease_until - startTime - this.#world.now
      this.#world.violate(
        'leases are unique',
        `${committing.name} took a job from ${holder?.name}, whose lease lasts ${left} ms`,
      )
    }
    this.#leases = leases
  }
}
