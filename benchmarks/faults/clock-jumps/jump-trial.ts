import type { Fault } from '../frame/run-fault.ts'
import type { BegunTurn, MovedOracle } from './moved-oracle.ts'

const hour = 3_600_000
const day = 24 * hour

/** The jumps of the clock, each followed by one back. */
export const jumps = [day, -hour, hour, -day] as const

/** Duration of a turn or a job that is in progress while the clock jumps, in milliseconds. */
const longMs = 1_600

/** Moves the clock there and back and counts what goes wrong. */
export class JumpTrial {
  readonly #oracle: MovedOracle
  readonly #counts = { jumps: 0, replays: 0, wrongly: 0, turns: 0, doubled: 0, late: 0, early: 0, stuck: 0 }

  /** Wrong judgments, as text. */
  readonly #misjudged = new Set<string>()

  /** Endings of turns that did not finish. */
  readonly #endings = new Set<string>()

  constructor(oracle: MovedOracle) {
    this.#oracle = oracle
  }

  /** One jump, some life there, and the jump back. */
  async jump(aheadMs: number): Promise<void> {
    const oracle = this.#oracle
    this.#counts.jumps += 1
    const used = await oracle.token(0)
    const kept = await oracle.token(0)
    const bearer = await oracle.bearer()
    this.#expect('before the jump', await oracle.accepts(used), true)
    this.#expect('a bearer before the jump', await oracle.accepts(bearer), true)
    const across = await oracle.turn(longMs)
    const running = await oracle.job(0, longMs)
    await this.#comes(running)
    const soon = await oracle.job(hour / 2)
    const hourlyBefore = oracle.runs('hourly')

    await oracle.jumpTo(aheadMs)
    const there = await oracle.token()
    this.#replayed(await oracle.accepts(used))
    this.#expect('by the true time, there', await oracle.accepts(kept), false)
    this.#expect('by its own time, there', await oracle.accepts(there), true)
    this.#replayed(await oracle.accepts(there))
    if (aheadMs > 0) this.#expect('a bearer, there', await oracle.accepts(bearer), false)
    const begunThere = await oracle.turn(longMs)
    const nowThere = await oracle.job(0)
    const short = await oracle.turn(20)
    await oracle.cleanedUp()
    await this.#comes(nowThere)
    if (aheadMs > 0) await this.#comes(soon)
    this.#replayed(await oracle.accepts(used))
    this.#notAbove(nowThere, 1)
    this.#notAbove(soon, aheadMs > 0 ? 1 : 0)
    this.#notAbove(running, 1)
    if (oracle.runs('hourly') - hourlyBefore > 1) this.#counts.doubled += 1
    await this.#finished(short)

    await oracle.jumpTo(0)
    this.#replayed(await oracle.accepts(used))
    this.#replayed(await oracle.accepts(there))
    this.#expect('by the true time, back', await oracle.accepts(kept), true)
    this.#replayed(await oracle.accepts(kept))
    const backAgain = await oracle.job(0)
    await oracle.cleanedUp()
    await this.#comes(backAgain)
    this.#notAbove(backAgain, 1)
    this.#notAbove(nowThere, 1)
    this.#notAbove(soon, aheadMs > 0 ? 1 : 0)
    this.#notAbove(running, 1)
    await this.#finished(across)
    await this.#finished(begunThere)
    this.#expect('a bearer after it', await oracle.accepts(await oracle.bearer()), true)
  }

  /** Whether what comes every hour still comes after all the jumps: the clock moves on by a few hours. */
  async afterAll(): Promise<void> {
    const before = this.#oracle.runs('hourly')
    await this.#oracle.jumpTo(4 * hour)
    if (!(await this.#oracle.ran('hourly', before + 1))) this.#counts.stuck += 1
    await this.#comes(await this.#oracle.job(0))
    if (this.#oracle.runs('hourly') - before > 1) this.#counts.doubled += 1
    await this.#oracle.jumpTo(0)
  }

  /** Reports the counts. */
  report(fault: Fault): void {
    const { replays, wrongly, turns, doubled, late, early, stuck } = this.#counts
    fault.figure('jumps there and back', this.#counts.jumps)
    fault.atMost('invocations accepted twice', replays, 0)
    for (const token of this.#misjudged) fault.figure('judged wrongly', token)
    fault.atMost('invocations and bearers judged wrongly', wrongly, 0)
    for (const ending of this.#endings) fault.figure('a turn ended with', ending)
    fault.atMost('turns without their finish', turns, 0)
    fault.atMost('jobs run twice', doubled, 0)
    fault.atMost('jobs run late or never', late, 0)
    fault.atMost('jobs run early', early, 0)
    fault.atMost('schedules that stand still', stuck, 0)
  }

  #replayed(accepted: boolean): void {
    if (accepted) this.#counts.replays += 1
  }

  #expect(token: string, accepted: boolean, wanted: boolean): void {
    if (accepted === wanted) return
    this.#counts.wrongly += 1
    this.#misjudged.add(token)
  }

  /** Waits for a run of a job that is due. */
  async #comes(job: string): Promise<void> {
    if (!(await this.#oracle.ran(job))) this.#counts.late += 1
  }

  #notAbove(job: string, max: 0 | 1): void {
    const runs = this.#oracle.runs(job)
    if (runs > 1) this.#counts.doubled += 1
    else if (runs > max) this.#counts.early += 1
  }

  async #finished({ ended }: BegunTurn): Promise<void> {
    const { last, text, status, code } = await ended
    if (last?.type === 'finish' && text.endsWith('word19 ')) return
    this.#counts.turns += 1
    this.#endings.add(`${status} ${code ?? last?.code ?? last?.type ?? 'no final event'}`)
  }
}
