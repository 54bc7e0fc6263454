import type { JsonObject } from '@sibyl/protocol'
import { errorKinds } from './error-kind.ts'
import { OracleError } from './oracle-error.ts'

/** What a tool asks a person. */
export interface PersonQuestion {
  /** In plain words, at most 1,000 characters. */
  readonly text: string
  /**
   * What an answer looks like: a JSON Schema of an object with members of the types string, number, integer, boolean or an
   * enum. Left out where yes or no is enough.
   */
  readonly schema?: JsonObject
  /** Whether the call can only go on in this process, which keeps in its memory what the call did so far. @default false */
  readonly boundToProcess?: boolean
}

/**
 * Thrown by a tool that cannot go on without a person: the turn ends with the question, and once it is answered the same call
 * runs again, with `call.answer` and the same `idempotencyKey`. A tool that did something by then keeps it under that key, and
 * goes on from there. Where nobody can be asked, the call fails.
 *
 * @example
 * if (!call.answer) throw new PersonNeeded({ text: 'Which date?', schema: { type: 'object', properties: { date: { type: 'string' } } } })
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
