import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSigningKey } from '@sibyl/identity'
import type { TestActor } from '@sibyl/testing'
import { type OracleProcess, startOracle } from '../frame/start-oracle.ts'
import { type SeenTurn, takeTurn } from '../frame/take-turn.ts'

/** Time limit of an event that must occur on a busy machine, in milliseconds; the event itself is awaited. */
const latestMs = 30_000
const hour = 3_600_000

/** A turn that the oracle has accepted. */
export interface BegunTurn {
  readonly ended: Promise<SeenTurn>
}

/**
 * Returns an offset of the oracle's clock that makes it ten past the hour: a run across a full hour would include
 * another hourly job.
 */
const tenPast = (): number => hour / 6 - (Date.now() % hour)

/** An oracle whose clock the script moves, and a person who calls it by any clock. */
export class MovedOracle {
  readonly process: OracleProcess
  readonly #journal: string
  readonly #person = createSigningKey()
  readonly #ownMs: number
  #aheadMs = 0
  #names = 0

  /** @param ownMs Milliseconds by which the true time is ahead of this computer's. */
  constructor(process: OracleProcess, journal: string, ownMs: number) {
    this.process = process
    this.#journal = journal
    this.#ownMs = ownMs
  }

  /** Moves the oracle's clock. @param aheadMs from the true time */
  async jumpTo(aheadMs: number): Promise<void> {
    this.#aheadMs = aheadMs
    await this.#report({ aheadMs: aheadMs + this.#ownMs }, 'jumped')
  }

  /** An invocation minted by a clock. @param aheadMs from the true time */
  token(aheadMs = this.#aheadMs): Promise<string> {
    return this.#actor(aheadMs).token()
  }

  /** Returns whether a request with this bearer is accepted; it changes nothing, and uses up an invocation. */
  async accepts(token: string): Promise<boolean> {
    const headers = { authorization: `Bearer ${token}` }
    const { status } = await fetch(`${this.process.url}/sessions/none`, { method: 'DELETE', headers })
    return status === 404
  }

  /** A bearer for an invocation of now. */
  async bearer(): Promise<string> {
    const headers = { authorization: `Bearer ${await this.token()}` }
    const response = await fetch(`${this.process.url}/auth/token`, { method: 'POST', headers })
    return ((await response.json()) as { token?: string }).token ?? ''
  }

  /** Begins a chat turn that takes about so long; resolves once the oracle has accepted or refused it. */
  async turn(ms: number): Promise<BegunTurn> {
    const message = { sessionId: this.#name('session'), messageId: this.#name('message'), text: String(ms) }
    const accepted = Promise.withResolvers<void>()
    const ended = takeTurn(this.#actor(this.#aheadMs), message, () => accepted.resolve())
    await Promise.race([accepted.promise, ended])
    return { ended }
  }

  /** Takes a job in; gives its name. @param inMs from the oracle's time */
  async job(inMs: number, takesMs = 0): Promise<string> {
    const job = this.#name('job')
    await this.#report({ job, inMs, takesMs }, 'taken')
    return job
  }

  /** Returns the number of runs of a job. */
  runs(job: string): number {
    const lines = existsSync(this.#journal) ? readFileSync(this.#journal, 'utf8').split('\n') : []
    return lines.filter(line => line === job).length
  }

  /** Waits until a job has run so often; false when it has not after half a minute. */
  async ran(job: string, times = 1): Promise<boolean> {
    const until = performance.now() + latestMs
    while (this.runs(job) < times) {
      if (performance.now() > until) return false
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    return true
  }

  /** Waits for a cleanup that began after the call, from its beginning to its end. */
  async cleanedUp(): Promise<void> {
    await this.#heard('cleaned')
    await this.#heard('cleaned')
  }

  #actor(aheadMs: number): TestActor {
    return this.process.actor(this.#person, () => Date.now() + aheadMs + this.#ownMs)
  }

  #name(kind: string): string {
    this.#names += 1
    return `${kind}-${this.#names}`
  }

  async #report(message: object, answer: string): Promise<void> {
    const answered = this.#heard(answer)
    this.process.child.send(message)
    await answered
  }

  /** Waits for a message with this key; fails when the process ends before. */
  #heard(key: string): Promise<void> {
    const { child } = this.process
    const heard = Promise.withResolvers<void>()
    const onMessage = (message: object) => void (key in message && heard.resolve())
    const onExit = () => heard.reject(new Error('The oracle ended.'))
    child.on('message', onMessage).once('exit', onExit)
    return heard.promise.finally(() => child.off('message', onMessage).off('exit', onExit))
  }
}

/** Starts one, with what its clock is moved by. */
export const startMovedOracle = async (options: {
  readonly env: Readonly<Record<string, string>>
  readonly journal: string
  readonly without: readonly string[]
}): Promise<MovedOracle> => {
  const ownMs = tenPast()
  const process = await startOracle({
    file: 'clock-jumps/ticking-oracle.ts',
    args: [options.journal],
    env: { REQUEST_TIME_LIMIT_SECONDS: '300', CLOCK_AHEAD_MS: String(ownMs), ...options.env },
    nodeOptions: ['--import', join(import.meta.dirname, 'jumping-clock.ts')],
    ipc: true,
    without: options.without,
  })
  return new MovedOracle(process, options.journal, ownMs)
}
