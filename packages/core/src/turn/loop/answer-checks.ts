import { createRequire } from 'node:module'
import { type Actor, type LineLimits, type WaitingLine, WorkerPool, workerErrors } from '@sibyl/plugin'
import type { AnswerSchema } from '../store/requested-turn.ts'
import { AnswerChecksBusy, AnswerInvalid, OutputSchemaInvalid, withoutFence } from './answer-schema.ts'
import { type AnswerCheck, type CheckedAnswer, checkForm } from './check-answer.ts'

/** Limits of the checks of this process, which run one after the other on a thread, and of those that wait. */
export const answerLine: LineLimits = { running: 1, waiting: 100, waitingPerHolder: 10, waitMs: 20_000 }

/** Time limit of a check: references and alternatives of a caller's schema can multiply without end. */
const checkLimitMs = 1_000

export interface CheckCaller {
  readonly actor: Actor
  readonly signal?: AbortSignal | undefined
}

/** Checks JSON Schemas of callers, and answers by them, on a thread, so that none delays the oracle. */
export class AnswerChecks {
  readonly #line: WaitingLine
  readonly #pool: WorkerPool<AnswerCheck, CheckedAnswer>

  /** @param line Checks that wait for the thread: of `answerLine`. */
  constructor(line: WaitingLine) {
    this.#line = line
    const file = createRequire(import.meta.url).resolve('@sibyl/core/answer-worker')
    this.#pool = new WorkerPool({ file, memoryMb: 64 })
  }

  /** Reads a schema. @throws OutputSchemaInvalid `output_schema_invalid`, AnswerChecksBusy `answer_checks_busy` */
  async validate({ form, check }: AnswerSchema, caller: CheckCaller): Promise<void> {
    if (check) return
    const checked = await this.#check({ schema: form }, caller)
    if (checked === 'late') throw new OutputSchemaInvalid(`it cannot be read within ${checkLimitMs} ms`)
    if ('invalidSchema' in checked) throw new OutputSchemaInvalid(checked.invalidSchema)
  }

  /**
   * Returns the JSON of an answer, or what is wrong with it.
   *
   * @throws AnswerInvalid `answer_invalid` if the check takes too long, AnswerChecksBusy `answer_checks_busy`
   */
  async read(
    { form, check }: AnswerSchema,
    text: string,
    caller: CheckCaller,
  ): Promise<{ readonly json: string } | { readonly violation: string }> {
    const answer = withoutFence(text)
    try {
      JSON.parse(answer)
    } catch {
      return { violation: 'it is not JSON' }
    }
    const checked = check ? checkForm(check, answer) : await this.#check({ schema: form, answer }, caller)
    if (checked === 'late') throw new AnswerInvalid(`the schema cannot be checked within ${checkLimitMs} ms.`)
    if ('invalidSchema' in checked) throw new OutputSchemaInvalid(checked.invalidSchema)
    return checked.violation === undefined ? { json: answer } : { violation: checked.violation }
  }

  /** Ends the thread. May be called again. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  async #check(
    check: AnswerCheck,
    { actor, signal = new AbortController().signal }: CheckCaller,
  ): Promise<CheckedAnswer | 'late'> {
    const place = await this.#line.enter(actor, signal)
    if ('full' in place) throw new AnswerChecksBusy()
    try {
      return await this.#pool.run(check, { timeLimitMs: checkLimitMs, signal })
    } catch (error) {
      // A thread whose stack or heap is full ends as well.
      if (workerErrors.worker_timed_out.is(error) || workerErrors.worker_crashed.is(error)) return 'late'
      throw error
    } finally {
      place.release()
    }
  }
}
