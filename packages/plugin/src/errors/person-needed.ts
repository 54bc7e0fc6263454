import type { JsonObject } from '@sibyl/protocol'
import { errorKinds } from './error-kind.ts'
import { OracleError } from './oracle-error.ts'

/** The question of a tool to the user. */
export interface PersonQuestion {
  /** Plain text, at most 1,000 characters. */
  readonly text: string
  /**
   * The schema of the answer: a JSON Schema of an object with members of the types string, number, integer, boolean or
   * an enum. Omit it if yes or no is enough.
   */
  readonly schema?: JsonObject
  /** Whether only this process can continue the call, because its state is in memory. @default false */
  readonly boundToProcess?: boolean
}

/**
 * Thrown by a tool that needs an answer of the user: the turn ends with the question, and after the answer the same
 * call runs again, with `call.answer` and the same `idempotencyKey`. A tool that already had effects stores them under
 * that key, and continues from there. If no user can be asked, the call fails.
 *
 * @example if (!call.answer) throw new PersonNeeded({ text: 'Which date?', schema: { type: 'object', properties: {
 * date: { type: 'string' } } } })
 */
export class PersonNeeded extends OracleError {
  readonly code = 'person_needed'
  readonly question: PersonQuestion

  override get [errorKinds](): readonly ['oracle', 'question'] {
    return ['oracle', 'question']
  }

  constructor(question: PersonQuestion) {
    super('The tool asks the user a question, which cannot be answered here.')
    this.question = question
  }
}
