import { entitiesErrors } from '../errors/entities-errors.ts'
import type { Answer, WriteTask } from './write-task.ts'

interface WaitingTask {
  readonly task: WriteTask
  readonly settled: PromiseWithResolvers<Answer>
}

export type TaskOutcome = { readonly answer: Answer } | { readonly error: unknown }

const largestRound = 64

const maxWaiting = 5_000

/**
 * Runs tasks in rounds: those that are added in one turn of the event loop form one round. A task with the same key as
 * a running one waits until that one ends.
 */
export class WriteRounds {
  readonly #perform: (tasks: readonly WriteTask[]) => Promise<readonly TaskOutcome[]>
  readonly #held = new Set<string>()
  #waiting: WaitingTask[] = []
  #scheduled = false

  /** @param perform Performs a round; returns an outcome for each task, in order, and never rejects. */
  constructor(perform: (tasks: readonly WriteTask[]) => Promise<readonly TaskOutcome[]>) {
    this.#perform = perform
  }

  /**
   * Runs a task; returns its response.
   *
   * @throws `entity_writes_busy` if too many tasks wait
   */
  async add(task: WriteTask): Promise<Answer> {
    if (this.#waiting.length >= maxWaiting) throw entitiesErrors.entity_writes_busy({ limit: maxWaiting })
    const settled = Promise.withResolvers<Answer>()
    this.#waiting.push({ task, settled })
    this.#schedule()
    return settled.promise
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      while (this.#startRound()) {}
    })
  }

  /** Starts a round with all tasks that may run now; false if no task may. */
  #startRound(): boolean {
    const round: WaitingTask[] = []
    const later: WaitingTask[] = []
    for (const waiting of this.#waiting) {
      const { holds } = waiting.task
      if (round.length < largestRound && !holds.some(held => this.#held.has(held))) {
        for (const held of holds) this.#held.add(held)
        round.push(waiting)
      } else later.push(waiting)
    }
    this.#waiting = later
    if (round.length > 0) void this.#run(round)
    return round.length > 0
  }

  async #run(round: readonly WaitingTask[]): Promise<void> {
    const outcomes = await this.#perform(round.map(({ task }) => task))
    for (const [index, { task, settled }] of round.entries()) {
      for (const held of task.holds) this.#held.delete(held)
      const outcome = outcomes[index]!
      if ('error' in outcome) settled.reject(outcome.error)
      else settled.resolve(outcome.answer)
    }
    if (this.#waiting.length > 0) this.#schedule()
  }
}
