import { EventEmitter } from 'node:events'
import { type QueryReply, ServerError } from './query-reply.ts'
import type { Session, SimulatedPostgres } from './simulated-postgres.ts'
import type { SimulatedProcess, World } from './world.ts'

interface Query {
  readonly text: string
  readonly values: readonly unknown[]
  settle(outcome: QueryReply | Error): void
}

type QueryConfig =
  | string
  | { readonly text: string; readonly values?: readonly unknown[]; readonly query_timeout?: number }

/** Creates the error of a connection that broke. */
export const connectionReset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

/** Of a message, and of one in a hundred. */
const [maxLatencyMs, maxSpikeMs] = [2, 1_500]

/** One direction of a connection: messages arrive in order, and wait while the process is partitioned. */
class Wire {
  readonly #world: World
  readonly #process: SimulatedProcess
  readonly #receiver: SimulatedProcess | undefined
  readonly #sent: (() => void)[] = []
  #arrivesAt = 0
  broken = false

  constructor(world: World, process: SimulatedProcess, receiver: SimulatedProcess | undefined) {
    this.#world = world
    this.#process = process
    this.#receiver = receiver
  }

  send(message: () => void): void {
    this.#sent.push(message)
    const { now, random } = this.#world
    const maxMs = random.next() < 0.01 ? maxSpikeMs : maxLatencyMs
    this.#arrivesAt = Math.max(this.#arrivesAt, now + random.integer(0, maxMs))
    this.#plan(this.#arrivesAt - this.#world.now)
  }

  #plan(delayMs: number): void {
    this.#world.plan(delayMs, this.#receiver, () => {
      const cutMs = this.#process.cutUntil - this.#world.now
      if (this.broken) return
      if (cutMs > 0) this.#plan(cutMs)
      else this.#sent.shift()?.()
    })
  }
}

/** The part of `Client` of pg that storage uses, for the process of a world that makes it. */
export class SimulatedClient extends EventEmitter {
  readonly connection = {
    stream: { destroy: () => this.breakOff(new Error('Connection terminated')), cork: () => {}, uncork: () => {} },
  }
  processID: number | null = null
  _queryable = true
  _ending = false
  readonly #world: World
  readonly #server: SimulatedPostgres
  readonly #process: SimulatedProcess
  readonly #up: Wire
  readonly #down: Wire
  readonly #queue: Query[] = []
  #session: Session | undefined
  #active: Query | undefined
  #isOver = false
  #failConnect: ((error: Error) => void) | undefined

  constructor(world: World, server: SimulatedPostgres) {
    super()
    this.#world = world
    this.#server = server
    this.#process = world.process!
    this.#up = new Wire(world, this.#process, undefined)
    this.#down = new Wire(world, this.#process, this.#process)
  }

  connect(callback?: (error?: Error) => void): Promise<void> | undefined {
    const connecting = new Promise<void>((resolve, reject) => {
      this.#failConnect = reject
      this.#up.send(() => {
        if (this.#world.now < this.#server.downUntil) {
          const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
          return this.#down.send(() => this.breakOff(error))
        }
        const notify = (payload: string) => this.#down.send(() => this.emit('notification', { payload }))
        const session = this.#server.open(this.#process, notify, error => this.#down.send(() => this.breakOff(error)))
        this.#session = session
        this.#down.send(() => {
          this.processID = session.pid
          this.#failConnect = undefined
          resolve()
        })
      })
    })
    if (callback === undefined) return connecting
    connecting.then(() => callback(), callback)
    return undefined
  }

  query(config: QueryConfig, given?: readonly unknown[]): Promise<unknown> {
    const {
      text,
      values = given ?? [],
      query_timeout: limitMs,
    } = typeof config === 'string' ? { text: config } : config
    return new Promise((resolve, reject) => {
      if (!this._queryable || this._ending) {
        reject(new Error('Client has encountered a connection error and is not queryable'))
        return
      }
      const timer = limitMs ? setTimeout(() => reject(new Error('Query read timeout')), limitMs) : undefined
      const settle = (outcome: QueryReply | Error) => {
        clearTimeout(timer)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      this.#queue.push({ text, values, settle })
      this.#pulse()
    })
  }

  end(callback?: () => void): Promise<void> {
    const ended = new Promise<void>(resolve => {
      if (this.#isOver) return resolve()
      this._ending = true
      this.once('end', resolve)
      this.#up.send(() => {
        if (this.#session) this.#server.close(this.#session)
        this.#down.send(() => this.breakOff(new Error('Connection terminated')))
      })
    })
    if (callback) ended.then(callback)
    return ended
  }

  ref(): void {}
  unref(): void {}

  /** Ends the connection for this side; the server notices later. */
  breakOff(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this._queryable = false
    const isExpected = this._ending
    const open = this.#active ? [this.#active, ...this.#queue] : this.#queue
    this.#active = undefined
    this.#down.broken = true
    this.#up.send(() => {
      if (this.#session) this.#server.close(this.#session)
    })
    this.#failConnect?.(error)
    for (const query of open.splice(0)) query.settle(error)
    if (!isExpected && this.listenerCount('error') > 0) this.emit('error', error)
    this.emit('end')
  }

  #pulse(): void {
    const query = this.#queue[0]
    if (this.#active || query === undefined) return
    this.#queue.shift()
    this.#active = query
    this.#world.note(this.#process.name, query.text.slice(0, 60).replaceAll('\n', ' '))
    const isLost = query.text === 'commit' && this.#process.losesCommit
    if (isLost) this.#process.losesCommit = false
    const isUnsent = isLost && this.#world.random.next() < 0.5
    this.#up.send(() => {
      if (!this.#session) return
      if (isUnsent) {
        this.#server.close(this.#session)
        return this.#down.send(() => this.breakOff(connectionReset()))
      }
      this.#server.handle(this.#session, query.text, query.values, outcome =>
        this.#down.send(() => {
          if (this.#active !== query) return
          if (isLost) return this.breakOff(connectionReset())
          this.#active = undefined
          query.settle(outcome)
          if (outcome instanceof ServerError && outcome.code === '57P01') this.breakOff(outcome)
          else this.#pulse()
        }),
      )
    })
  }
}
