import { DatabaseSync } from 'node:sqlite'
import { invalidText, unavailableText } from '../ussd/screens.ts'
import type { FuzzedRequest } from './make-body.ts'

/** Result of the requests. */
export interface FuzzVerdict {
  readonly sent: number
  /** Those that the specification refuses. */
  readonly invalid: number
  /** Refused with the specified words, or a 4xx. */
  readonly refused: number
  readonly served: number
  /** Answers of 5xx, and of words that stand for one. */
  readonly faults: number
  /** Requests that are not valid and were served. */
  readonly taken: number
  /** Rows that changed while nothing valid was sent, or more than were served. */
  readonly changes: number
  readonly examples: readonly string[]
}

/** Judges responses, and the state of the database. */
export class FuzzJudge {
  readonly #counts = { sent: 0, invalid: 0, refused: 0, served: 0, faults: 0, taken: 0, changes: 0 }
  readonly #examples: string[] = []
  readonly #database: DatabaseSync
  #moves: number
  #servedAt = 0

  /** @param file of the oracle's database, which is read from outside */
  constructor(file: string) {
    this.#database = new DatabaseSync(file, { readOnly: true })
    this.#moves = this.#read()
  }

  /** Judges an answer; one that broke the connection has no status. */
  hear(request: Pick<FuzzedRequest, 'name' | 'invalid' | 'body'>, status: number, body: string): void {
    const counts = this.#counts
    counts.sent += 1
    if (request.invalid) counts.invalid += 1
    if (status >= 500 || body.includes(unavailableText)) {
      counts.faults += 1
      this.#keep('fault', request, status, body)
    } else if (status >= 400 || status === 0 || body.includes(invalidText)) counts.refused += 1
    else {
      counts.served += 1
      if (request.invalid) {
        counts.taken += 1
        this.#keep('taken', request, status, body)
      }
    }
  }

  /** Compares what has changed in the database with what was served since the last look: one move each at most. */
  check(): void {
    const moves = this.#read()
    const beyond = moves - this.#moves - (this.#counts.served - this.#servedAt)
    if (beyond > 0) this.#counts.changes += beyond
    this.#moves = moves
    this.#servedAt = this.#counts.served
  }

  get verdict(): FuzzVerdict {
    return { ...this.#counts, examples: this.#examples }
  }

  /** All moves that there were, and all other rows. */
  #read(): number {
    const row = this.#database
      .prepare(
        `select (select coalesce(sum(version), 0) from ussd_sessions) + (select count(*) from ussd_customers)
          + (select coalesce(sum(attempts), 0) from ussd_attempts) + (select count(*) from ussd_actions) as moves`,
      )
      .get() as { readonly moves: number }
    return row.moves
  }

  #keep(kind: string, { name, body }: Pick<FuzzedRequest, 'name' | 'body'>, status: number, answer: string): void {
    if (this.#examples.length < 10) {
      this.#examples.push(
        `${kind}: ${name} ${JSON.stringify(body).slice(0, 300)} was answered ${status} ${answer.slice(0, 120)}`,
      )
    }
  }
}
