import { isOracleError, pause, timeErrors, withTimeout } from '@sibyl/plugin'
import { matrixErrors } from '../client/matrix-errors.ts'
import { backOffMs } from '../client/retry-send.ts'
import type { SignIn } from '../client/sign-in.ts'
import type { RoomEncryption } from '../encryption/room-encryption.ts'
import { type Lease, renewEveryMs } from '../store/lease.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'
import type { SyncReader } from './sync-reader.ts'

/** Interval of retries after a failure that only the operator can fix, in milliseconds. */
const setUpPauseMs = 300_000

/** Interval at which a standby process tries to take over, in milliseconds. */
const standByMs = 2_000

export interface ConnectionDependencies {
  readonly host: MatrixHost
  readonly signIn: SignIn
  readonly encryption: RoomEncryption
  readonly lease: Lease
  readonly reader: SyncReader
  /** Runs the work of the process that reads Matrix, until the signal aborts. */
  readonly work: (signal: AbortSignal) => Promise<void>
}

type Standing = { readonly state: 'ready' | 'pending' | 'degraded'; readonly reason?: string }

/**
 * The connection to the homeserver. Of all processes on one database, one reads and answers; the others stand by to
 * take over. It retries with growing pauses while the oracle runs.
 */
export class MatrixConnection {
  readonly #parts: ConnectionDependencies
  readonly #ended = new AbortController()
  readonly #began = Promise.withResolvers<void>()
  #standing: Standing = { state: 'pending' }
  /** Start of the current outage, in milliseconds of `performance.now()`. */
  #failingSince: number | undefined
  #running: Promise<void> = Promise.resolve()
  #hasBegun = false
  /** True if the operator must fix a setting first. */
  #isGivenUp = false

  constructor(parts: ConnectionDependencies) {
    this.#parts = parts
    this.#began.promise.catch(() => {})
  }

  /**
   * Starts, and waits until the bot is connected or the time limit is reached; then it continues in the background.
   *
   * @throws `matrix_not_set_up` if the bot cannot sign in with its settings
   */
  async start(signal: AbortSignal, limitMs: number): Promise<void> {
    this.#running = this.#run()
    try {
      await withTimeout(() => this.#began.promise, { timeoutMs: limitMs, signal })
    } catch (error) {
      if (signal.aborted) return
      if (!timeErrors.timed_out.is(error)) throw error
      const reason = matrixErrors.matrix_unavailable({ what: 'has not responded yet' }).message
      if (this.#standing.state === 'pending') this.#failed(this.#standing.reason ?? reason)
    }
  }

  state(): Standing['state'] {
    return this.#standing.state
  }

  reason(): string | undefined {
    return this.#standing.reason
  }

  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /** Ends the connection, and lets another process take over at once. */
  async close(): Promise<void> {
    this.#ended.abort(new Error('The oracle is shutting down.'))
    this.#began.resolve()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended
    for (let failures = 0; !(signal.aborted || this.#isGivenUp); ) {
      try {
        if (await this.#parts.lease.take()) await this.#lead(signal, () => (failures = 0))
        else await this.#standBy(signal)
      } catch (error) {
        if (signal.aborted) break
        failures += 1
        await this.#pauseAfter(error, failures)
      }
    }
    await this.#parts.lease.release().catch(() => {})
  }

  async #pauseAfter(error: unknown, failures: number): Promise<void> {
    const { log } = this.#parts.host
    const isSetUp = matrixErrors.matrix_not_set_up.is(error)
    const waitMs = isSetUp ? setUpPauseMs : backOffMs(error, failures)
    if (!matrixErrors.matrix_lease_lost.is(error)) {
      const level = this.#failingSince === undefined ? 'warn' : 'debug'
      this.#failingSince ??= performance.now()
      log[level]('Matrix is unavailable; the connection is retried', { error, failures, waitMs: Math.round(waitMs) })
      const reason = isOracleError(error) ? error.message : 'failed; see the log'
      if (this.#standing.state === 'pending' && !isSetUp) this.#standing = { state: 'pending', reason }
      else this.#failed(reason)
    }
    if (isSetUp && !this.#hasBegun) {
      this.#isGivenUp = true
      this.#began.reject(error)
      return
    }
    await pause(waitMs, this.#ended.signal).catch(() => {})
  }

  #failed(reason: string): void {
    this.#standing = { state: 'degraded', reason }
  }

  #ready(): void {
    if (this.#failingSince !== undefined) {
      const seconds = Math.round((performance.now() - this.#failingSince) / 1_000)
      this.#parts.host.log.info('Matrix is available again', { seconds })
      this.#failingSince = undefined
    }
    this.#standing = { state: 'ready' }
    this.#hasBegun = true
    this.#began.resolve()
  }

  /** Stands by while another process reads; this one only sends messages of its own turns. */
  async #standBy(signal: AbortSignal): Promise<void> {
    const { signIn } = this.#parts
    if (signIn.userId === '') await signIn.token(signal)
    this.#ready()
    await pause(standByMs, signal)
  }

  /** Reads and answers while this process has the lease. */
  async #lead(end: AbortSignal, onProgress: () => void): Promise<void> {
    const { signIn, encryption, reader, work } = this.#parts
    const scope = new AbortController()
    const signal = AbortSignal.any([end, scope.signal])
    const renewing = this.#renew(scope, signal)
    let working: Promise<void> | undefined
    try {
      await encryption.begin()
      await signIn.token(signal)
      reader.reset()
      for (;;) {
        await reader.next(signal)
        working ??= work(signal)
        onProgress()
        this.#ready()
      }
    } finally {
      scope.abort(matrixErrors.matrix_lease_lost())
      await Promise.all([renewing, working])
      await encryption.end()
    }
  }

  /** Renews the lease; aborts the scope if another process has taken it. */
  async #renew(scope: AbortController, signal: AbortSignal): Promise<void> {
    const { lease, host } = this.#parts
    for (;;) {
      await pause(renewEveryMs, signal).catch(() => {})
      if (signal.aborted) return
      try {
        if (!(await lease.take())) scope.abort(matrixErrors.matrix_lease_lost())
      } catch (error) {
        host.log.warn('the lease on Matrix could not be renewed', { error })
      }
    }
  }
}
