import { randomUUID } from 'node:crypto'
import { createSigningKey } from '@sibyl/identity'
import { readCut, type WireEvent, type WireStream } from '../frame/cut-stream.ts'
import type { Fault } from '../frame/run-fault.ts'
import type { OracleProcess } from '../frame/start-oracle.ts'
import { judgeEvents } from './judge-events.ts'

const turnsAtOnce = 8

/** A turn of a client that loses its connection. */
interface CutTurn {
  readonly sessionId: string
  readonly messageId: string
  readonly events: WireEvent[]
  connections: number
}

/** Cuts connections and counts what came amiss. */
export class ResumeTrial {
  readonly #fault: Fault
  readonly #person = createSigningKey()
  #oracles: readonly OracleProcess[]
  #words = 1
  #ended: CutTurn | undefined
  readonly #counts = { turns: 0, gaps: 0, repeats: 0, different: 0, unended: 0, refused: 0 }

  /** @param oracles processes on one database; each connection goes to the next one */
  constructor(fault: Fault, oracles: readonly OracleProcess[]) {
    this.#fault = fault
    this.#oracles = oracles
  }

  /** Goes on with other processes. */
  moveTo(oracles: readonly OracleProcess[]): void {
    this.#oracles = oracles
  }

  /** Finds how many words make a turn of at least so many events, and runs one; gives how many it has. */
  async measure(wanted: number): Promise<number> {
    const one = (await this.#wholeTurn()).events.length
    this.#words = 2
    const perWord = (await this.#wholeTurn()).events.length - one
    this.#words = 1 + Math.max(0, Math.ceil((wanted - one) / perWord))
    this.#ended = await this.#wholeTurn()
    return this.#ended.events.length
  }

  /** For each event, takes a turn whose connection is cut after it, and wherever else `cutsOf` says. */
  async each(kind: string, events: number, cutsOf: (cut: number) => readonly number[], within = false): Promise<void> {
    const cuts = Array.from({ length: events + 1 }, (_, cut) => cut)
    const worker = async () => {
      for (let cut = cuts.shift(); cut !== undefined; cut = cuts.shift()) {
        const turn = this.#newTurn()
        for (const after of cutsOf(cut)) await this.#connect(turn, after, within && cut < events)
        await this.#finish(turn)
      }
    }
    await Promise.all(Array.from({ length: turnsAtOnce }, worker))
    this.#fault.figure(kind, events + 1)
  }

  /** Resumes the turn that `measure` ran, from each of its events. */
  async eachOfEnded(kind: string): Promise<void> {
    const whole = this.#ended
    if (!whole) throw new Error('No turn has ended yet.')
    for (let cut = 1; cut <= whole.events.length; cut += 1) {
      const turn = { ...whole, events: whole.events.slice(0, cut), connections: cut }
      this.#judge(turn, await this.#connect(turn), whole.events)
    }
    this.#fault.figure(kind, whole.events.length)
  }

  /** Reports the counts. */
  report(): void {
    const { turns, gaps, repeats, different, unended, refused } = this.#counts
    this.#fault.figure('turns put together', turns)
    this.#fault.atMost('events missing', gaps, 0)
    this.#fault.atMost('events repeated', repeats, 0)
    this.#fault.atMost('events that differ', different, 0)
    this.#fault.atMost('streams without their end', unended, 0)
    this.#fault.atMost('requests refused', refused, 0)
  }

  #newTurn(): CutTurn {
    return { sessionId: randomUUID(), messageId: randomUUID(), events: [], connections: 0 }
  }

  async #wholeTurn(): Promise<CutTurn> {
    const turn = this.#newTurn()
    const { done } = await this.#connect(turn)
    if (!done) throw new Error('A turn did not end well.')
    return turn
  }

  async #finish(turn: CutTurn): Promise<void> {
    const stream = await this.#connect(turn)
    const first = turn.events[0]?.id.replace(/:\d+$/, ':0')
    const whole = first === undefined ? [] : (await this.#read(turn, first)).events
    this.#judge(turn, stream, whole)
  }

  #judge({ events }: CutTurn, { done }: WireStream, whole: readonly WireEvent[]): void {
    const { gaps, repeats, different } = judgeEvents(events, whole)
    this.#counts.turns += 1
    this.#counts.gaps += gaps
    this.#counts.repeats += repeats
    this.#counts.different += different
    if (!done || whole.length === 0) this.#counts.unended += 1
  }

  /** Goes on where the turn was cut: with its last event, or by sending the message again when none came. */
  async #connect(turn: CutTurn, cutAfter?: number, within = false): Promise<WireStream> {
    const have = turn.events.length
    if (cutAfter !== undefined && cutAfter < have) return { status: 200, events: [], done: false }
    const cut = {
      ...(cutAfter === undefined ? {} : { cutAfter: cutAfter - have }),
      ...(within ? { bytesBeyond: this.#fault.random.integer(1, 30) } : {}),
    }
    const stream = await this.#read(turn, turn.events.at(-1)?.id, cut)
    turn.connections += 1
    turn.events.push(...stream.events)
    return stream
  }

  async #read(turn: CutTurn, lastEventId: string | undefined, cut = {}): Promise<WireStream> {
    const oracle = this.#oracles[turn.connections % this.#oracles.length]!
    const token = await oracle.actor(this.#person).token()
    const message = { id: turn.messageId, role: 'user', parts: [{ type: 'text', text: String(this.#words) }] }
    const stream = await readCut({
      token,
      ...cut,
      ...(lastEventId === undefined
        ? { method: 'POST', url: `${oracle.url}/chat`, json: { id: turn.sessionId, message } }
        : { url: `${oracle.url}/chat/${turn.sessionId}/stream`, lastEventId }),
    })
    if (stream.status !== 200) this.#counts.refused += 1
    return stream
  }
}
