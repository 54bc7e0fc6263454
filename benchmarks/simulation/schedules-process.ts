import { setTimeout as pause } from 'node:timers/promises'
import { type OpenedJobs, openJobs, openStorage, type Storage } from '@sibyl/storage'
import { z } from 'zod'
import type { SimulatedOracle } from './run-seed.ts'
import type { SimulatedProcess, World } from './world.ts'
import { worldLogger } from './world-logger.ts'

/** The schedules of the trial, with the minutes between their due times. */
export const schedules = { 'each-minute': 1, 'second-minute': 2 } as const

/** The kind of their jobs. */
export const scheduledKind = 'trial/scheduled'

/** The tables of the trial. */
export const migrateSchedules = async (url: string): Promise<void> => {
  const storage = await openStorage({ url, clock: { now: () => 0 } })
  await openJobs({ storage, clock: { now: () => 0, schedule: () => () => {} } })
  await storage.close()
}

/** A process that sets its schedules at its start, as a plugin does. */
export class SchedulesProcess implements SimulatedOracle {
  readonly #world: World
  readonly #ready: Map<SimulatedProcess, number>
  readonly #longJobs: number
  #oracle: { readonly storage: Storage; readonly jobs: OpenedJobs } | undefined

  /**
   * @param ready receives the virtual time at which a process has set its schedules
   * @param longJobs share of jobs that may outlast the next due time
   */
  constructor(world: World, ready: Map<SimulatedProcess, number>, longJobs: number) {
    this.#world = world
    this.#ready = ready
    this.#longJobs = longJobs
  }

  async start(): Promise<void> {
    const { process } = this.#world
    const logger = worldLogger(this.#world)
    const storage = await openStorage({ url: 'postgres://simulated/oracle', logger })
    const jobs = await openJobs({ storage, logger })
    const options = { backOffMs: 200, maxBackOffMs: 2_000, maxAttempts: 20, concurrency: 2 }
    jobs.define(scheduledKind, z.object({ key: z.string() }), (_, { signal }) => this.#work(signal), options)
    await jobs.start()
    for (const [key, minutes] of Object.entries(schedules)) {
      await jobs.schedule(key, `*/${minutes} * * * *`, 'Europe/Berlin', scheduledKind, { key })
    }
    this.#oracle = { storage, jobs }
    if (process) this.#ready.set(process, this.#world.now)
  }

  async stop(): Promise<void> {
    const oracle = this.#oracle
    this.#oracle = undefined
    const { process } = this.#world
    if (process) this.#ready.delete(process)
    await oracle?.jobs.stop({ graceMs: 2_000 })
    await oracle?.storage.close()
  }

  async perform(): Promise<boolean> {
    return false
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { random } = this.#world
    const ms = random.next() < this.#longJobs ? random.integer(0, 90_000) : random.integer(0, 3)
    if (ms > 0) await pause(ms, undefined, { signal })
    if (random.next() < 0.1) throw new Error('The work failed.')
  }
}
