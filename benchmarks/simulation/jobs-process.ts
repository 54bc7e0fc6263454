import { setTimeout as pause } from 'node:timers/promises'
import { outbox } from '@sibyl/plugin'
import { credits } from '@sibyl/plugin-credits'
import { type OpenedJobs, openJobs, openStorage, type Storage } from '@sibyl/storage'
import { z } from 'zod'
import { type LedgerHooks, ledgerHooks } from '../credits-ledger/ledger-hooks.ts'
import type { Operation } from './plan.ts'
import type { SimulatedOracle } from './run-seed.ts'
import type { World } from './world.ts'
import { worldLogger } from './world-logger.ts'

interface Tables {
  sim_message: { id: string; key: string; place: number; sent: number }
}

interface Oracle {
  readonly storage: Storage<Tables>
  readonly jobs: OpenedJobs
  readonly notices: ReturnType<typeof outbox>
  readonly ledger: LedgerHooks
}

/** The other services: what they received, which a crash of a process does not change. */
export class Outside {
  readonly runs = new Map<string, number>()
  /** Messages by key, each at its first delivery. */
  readonly messages = new Map<string, string[]>()
}

const retries = { backOffMs: 200, maxBackOffMs: 2_000 }

/** The tables of the trial. */
export const migrateTrial = async (url: string): Promise<void> => {
  const storage = await openStorage({ url, clock: { now: () => 0 } })
  await openJobs({ storage, clock: { now: () => 0, schedule: () => () => {} } })
  await storage.migrate('credits', credits().migrations)
  await storage.migrate('trial', {
    '001-messages': async (db, column) => {
      await db.schema
        .createTable('sim_message')
        .addColumn('id', column.text, c => c.primaryKey())
        .addColumn('key', column.text)
        .addColumn('place', column.integer)
        .addColumn('sent', column.integer)
        .execute()
    },
  })
  await storage.close()
}

/** A process with durable jobs, an outbox and the ledger. */
export class JobsProcess implements SimulatedOracle {
  readonly #world: World
  readonly #outside: Outside
  readonly #longJobs: number
  #oracle: Oracle | undefined

  /** @param longJobs share of jobs that take longer than a lease without a renewal */
  constructor(world: World, outside: Outside, longJobs: number) {
    this.#world = world
    this.#outside = outside
    this.#longJobs = longJobs
  }

  async start(): Promise<void> {
    const logger = worldLogger(this.#world)
    const storage = await openStorage<Tables>({ url: 'postgres://simulated/oracle', logger })
    const jobs = await openJobs({ storage, logger })
    const ledger = await ledgerHooks(storage.for<object>())
    const notices = outbox(jobs, 'trial/notices', key => this.#deliver(storage, key), retries)
    const options = { ...retries, maxAttempts: 20, concurrency: 2 }
    jobs.define(
      'trial/work',
      z.object({ name: z.string() }),
      ({ name }, { signal }) => this.#work(name, signal),
      options,
    )
    const settled = z.object({ turn: z.string(), did: z.string() })
    jobs.define('trial/settle', settled, ({ turn, did }) => ledger.after(recordOf(turn, did), turnEnd), options)
    await jobs.start()
    this.#oracle = { storage, jobs, notices, ledger }
  }

  async stop(): Promise<void> {
    const oracle = this.#oracle
    this.#oracle = undefined
    await oracle?.jobs.stop({ graceMs: 2_000 })
    await oracle?.storage.close()
  }

  async perform({ kind, key }: Operation, name: string): Promise<boolean> {
    const oracle = this.#oracle
    if (oracle === undefined) return false
    const { storage, jobs, notices, ledger } = oracle
    switch (kind) {
      case 'job':
        await jobs.enqueue('trial/work', { name })
        return true
      case 'hold': {
        const job = await jobs.hold('trial/work', { name })
        if (!job) return false
        try {
          await this.#work(name, job.signal)
          await job.complete()
        } catch {
          await job.release()
        }
        return true
      }
      case 'message':
        await storage.write(async tx => {
          const { place } = await tx
            .selectFrom('sim_message')
            .select(({ fn }) => fn.countAll<number>().as('place'))
            .where('key', '=', `k${key}`)
            .executeTakeFirstOrThrow()
          await tx
            .insertInto('sim_message')
            .values({ id: name, key: `k${key}`, place, sent: 0 })
            .execute()
          await notices.wake(`k${key}`, { tx })
        })
        return true
      default: {
        const did = `did:example:${key}`
        const session = { id: 's', loadedPlugins: [] }
        const refusal = await ledger.before({ ...recordOf(name, did), session, signal: new AbortController().signal })
        if (refusal) return false
        await pause(this.#world.random.integer(0, 100))
        await jobs.enqueue('trial/settle', { turn: name, did })
        return true
      }
    }
  }

  async #work(name: string, signal?: AbortSignal): Promise<void> {
    const { random } = this.#world
    const ms = random.next() < this.#longJobs ? random.integer(9_000, 60_000) : random.integer(0, 60)
    await pause(ms, undefined, signal && { signal })
    this.#outside.runs.set(name, (this.#outside.runs.get(name) ?? 0) + 1)
    if (random.next() < 0.1) throw new Error('The work failed.')
  }

  async #deliver(storage: Storage<Tables>, key: string) {
    const next = await storage.read
      .selectFrom('sim_message')
      .selectAll()
      .where('key', '=', key)
      .where('sent', '=', 0)
      .orderBy('place')
      .executeTakeFirst()
    if (!next) return 'done'
    await pause(this.#world.random.integer(0, 20))
    const received = this.#outside.messages.get(key) ?? []
    if (!received.includes(next.id)) this.#outside.messages.set(key, [...received, next.id])
    await pause(this.#world.random.integer(0, 5))
    if (this.#world.random.next() < 0.1) throw new Error('The delivery failed.')
    await storage.write(tx => tx.updateTable('sim_message').set({ sent: 1 }).where('id', '=', next.id).execute())
    return 'more'
  }
}

const recordOf = (id: string, did: string) =>
  ({ id, actor: { did, via: 'ucan', scopes: [] }, sessionId: 's', text: 'x', channel: 'chat', startedAt: 0 }) as const

const turnEnd = {
  outcome: 'done',
  usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 1 },
  model: 'm',
  tools: {},
  complete: true,
} as const
