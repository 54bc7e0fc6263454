import type { SigningKey } from '@sibyl/identity'
import { Ledger } from '../frame/ledger.ts'
import type { Fault } from '../frame/run-fault.ts'
import type { OracleProcess } from '../frame/start-oracle.ts'
import { type SeenTurn, takeTurn } from '../frame/take-turn.ts'
import type { SmallDisk } from './small-disk.ts'

const atOnce = 16

/** Number of rejections that prove a full disk, and the time limit for them. */
const refusalsWanted = 20
const tryForMs = 10_000

/** Fills the disk under an oracle repeatedly, and records what its clients were acknowledged. */
export class FullDiskTrial {
  readonly ledger = new Ledger()
  /** The messages whose answer finished. */
  readonly finished: string[] = []
  readonly #fault: Fault
  readonly #oracle: OracleProcess
  readonly #disk: SmallDisk
  readonly #person: SigningKey
  readonly #counts = { turns: 0, refused: 0, notStored: 0, otherwise: 0, unread: 0, stuck: 0, unended: 0, slowestMs: 0 }
  /** Unexpected responses, by kind. */
  readonly #oddities = new Map<string, number>()
  #sent = 0

  constructor(fault: Fault, oracle: OracleProcess, disk: SmallDisk, person: SigningKey) {
    this.#fault = fault
    this.#oracle = oracle
    this.#disk = disk
    this.#person = person
  }

  /** Fills the disk while turns run, tries on until enough was refused, frees it and waits until all works again. */
  async cycle(): Promise<void> {
    const open: string[] = []
    let begun = 0
    const fillAfter = this.#fault.random.integer(1, atOnce)
    const begins = () => {
      begun += 1
      if (begun === fillAfter) this.#disk.fill()
    }
    await Promise.all(Array.from({ length: atOnce }, () => this.#take(this.#newMessage(), open, begins)))
    const until = this.#counts.refused + refusalsWanted
    const givenUpAt = performance.now() + tryForMs
    const tryOn = async () => {
      while (this.#counts.refused < until && performance.now() < givenUpAt) await this.#take(this.#newMessage(), open)
    }
    await Promise.all(Array.from({ length: atOnce }, tryOn))
    const [session] = this.ledger.sessions
    if (session !== undefined && (await this.#statusOf(`/sessions/${session}`)) !== 200) this.#counts.unread += 1
    if ((await this.#statusOf('/')) !== 200) this.#counts.unread += 1
    this.#disk.free()
    await this.#worksAgain()
    const ended = await Promise.all(open.map(message => this.#endOf(message)))
    this.#counts.unended += ended.filter(it => !it).length
  }

  /** Reports the counts. */
  report(): void {
    const { turns, refused, notStored, otherwise, unread, stuck, unended, slowestMs } = this.#counts
    this.#fault.figure('turns tried', turns)
    this.#fault.atLeast('turns refused with 503 storage_unavailable', refused, refusalsWanted * this.#fault.count)
    this.#fault.figure('turns ended with the error storage_unavailable', notStored)
    this.#fault.figure('slowest return to work, ms', Math.round(slowestMs))
    for (const [kind, times] of this.#oddities) this.#fault.figure(`answered ${kind}`, times)
    this.#fault.atMost('answers of another kind', otherwise, 0)
    this.#fault.atMost('reads that failed while it was full', unread, 0)
    this.#fault.atMost('times that it did not work again', stuck, 0)
    this.#fault.atMost('messages without an end afterwards', unended, 0)
  }

  #newMessage(): string {
    this.#sent += 1
    return `message-${this.#sent}`
  }

  /** Says a message in a session of its own; notes it as open unless its answer finished. */
  async #take(message: string, open: string[], begins = () => {}): Promise<SeenTurn> {
    const sessionId = sessionOf(message)
    const turn = await takeTurn(
      this.#oracle.actor(this.#person),
      { sessionId, messageId: message, text: message },
      heard => {
        if (heard !== 'acknowledged') return
        this.ledger.message(sessionId, message, message)
        begins()
      },
    )
    this.#counts.turns += 1
    if (turn.status === 503 && turn.code === 'storage_unavailable') this.#counts.refused += 1
    else if (turn.last?.code === 'storage_unavailable') this.#counts.notStored += 1
    else if (turn.last?.type === 'finish') {
      this.ledger.answer(sessionId, String(turn.last.eventId).split(':')[0]!, turn.text)
      this.finished.push(message)
    } else this.#odd(`${turn.status} ${turn.code ?? turn.last?.code ?? turn.last?.type ?? 'interrupted'}`)
    if (turn.last?.type !== 'finish') open.push(message)
    return turn
  }

  #odd(kind: string): void {
    this.#counts.otherwise += 1
    this.#oddities.set(kind, (this.#oddities.get(kind) ?? 0) + 1)
  }

  async #worksAgain(): Promise<void> {
    const started = performance.now()
    const limitMs = 15_000
    while (performance.now() - started < limitMs) {
      const { last } = await this.#take(this.#newMessage(), [])
      if (last?.type === 'finish') {
        this.#counts.slowestMs = Math.max(this.#counts.slowestMs, performance.now() - started)
        return
      }
    }
    this.#counts.stuck += 1
  }

  /** Sends a message again until its turn has an end that is stored. */
  async #endOf(message: string): Promise<boolean> {
    const limit = performance.now() + 15_000
    while (performance.now() < limit) {
      const { last } = await this.#take(message, [])
      if (last && last.code !== 'storage_unavailable') return true
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    return false
  }

  async #statusOf(path: string): Promise<number> {
    return (await this.#oracle.actor(this.#person).request(path)).status
  }
}

const sessionOf = (message: string) => `session-of-${message}`
