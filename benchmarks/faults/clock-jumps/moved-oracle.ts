import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSigningKey } from '@sibyl/identity'
import { type OracleProcess, startOracle } from '../frame/start-oracle.ts'
import { type SeenTurn, takeTurn } from '../frame/take-turn.ts'

/** How long chores and jobs get to notice that the clock has jumped, in milliseconds. */
export const noticeMs = 800

/** An oracle whose clock the script moves, and a person who calls it by any clock. */
export class MovedOracle {
  readonly process: OracleProcess
  readonly #journal: string
  readonly #person = createSigningKey()
  #aheadMs = 0
  #names = 0

  constructor(process: OracleProcess, journal: string) {
    this.process = process
    this.#journal = journal
  }

  /** How far the oracle's clock is ahead now, in milliseconds. */
  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Moves the oracle's clock. @param aheadMs from the true time */
  async jumpTo(aheadMs: number): Promise<void> {
    this.#aheadMs = aheadMs
    await this.#tell({ aheadMs })
  }

  /** An invocation minted by a clock. @param aheadMs from the true time */
  token(aheadMs = this.#aheadMs): Promise<string> {
    return this.process.actor(this.#person, () => Date.now() + aheadMs).token()
  }

  /** Whether a request with this bearer is let in; it changes nothing, and uses up an invocation. */
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

  /** A chat turn that takes about so long. */
  turn(ms: number): Promise<SeenTurn> {
    const actor = this.process.actor(this.#person, () => Date.now() + this.#aheadMs)
    return takeTurn(actor, { sessionId: this.#name('session'), messageId: this.#name('message'), text: String(ms) })
  }

  /** Takes a job in; gives its name. @param inMs from the oracle's time */
  async job(inMs: number, takesMs = 0): Promise<string> {
    const job = this.#name('job')
    await this.#tell({ job, inMs, takesMs })
    return job
  }

  /** How often a job has run. */
  runs(job: string): number {
    const lines = existsSync(this.#journal) ? readFileSync(this.#journal, 'utf8').split('\n') : []
    return lines.filter(line => line === job).length
  }

  #name(kind: string): string {
    this.#names += 1
    return `${kind}-${this.#names}`
  }

  async #tell(message: object): Promise<void> {
    const answered = once(this.process.child, 'message')
    this.process.child.send(message)
    await answered
  }
}

/** Starts one, with what its clock is moved by. */
export const startMovedOracle = async (options: {
  readonly env: Readonly<Record<string, string>>
  readonly journal: string
  readonly without: readonly string[]
}): Promise<MovedOracle> => {
  const process = await startOracle({
    file: 'clock-jumps/ticking-oracle.ts',
    args: [options.journal],
    env: { REQUEST_TIME_LIMIT_SECONDS: '300', ...options.env },
    nodeOptions: ['--import', join(import.meta.dirname, 'jumping-clock.ts')],
    ipc: true,
    without: options.without,
  })
  return new MovedOracle(process, options.journal)
}
