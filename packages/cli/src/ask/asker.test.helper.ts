import { stripVTControlCharacters } from 'node:util'
import { cliErrors } from '../errors/cli-errors.ts'
import type { Asker } from './asker.ts'

/** What a script answers: a text, the label of a choice, yes or no; `leave` for Ctrl-C. */
export type ScriptedAnswer = string | boolean | symbol

/** Part of a question to its answer. */
export type ScriptedAnswers = Readonly<Record<string, ScriptedAnswer | readonly ScriptedAnswer[]>>

/** Leaves the question, as Ctrl-C does. */
export const leave = Symbol('leave')

/**
 * Answers questions by a script: each is found by a part of its words, and asking what is not in the script fails.
 * A choice is named by the beginning of its label; `true` as an answer to a text takes what stands there already.
 */
export class ScriptedAsker implements Asker {
  readonly #answers: Map<string, ScriptedAnswer[]>
  /** Everything that was asked and said, a line each. */
  readonly said: string[] = []

  /** @param answers Part of a question to its answer, or to those of each time it is asked. */
  constructor(answers: ScriptedAnswers = {}) {
    this.#answers = new Map(
      Object.entries(answers).map(([part, answer]) => [part, Array.isArray(answer) ? [...answer] : [answer]]),
    )
  }

  async text(message: string, options: Parameters<Asker['text']>[1] = {}): Promise<string> {
    const answer = this.#answer(message)
    const text = answer === true ? (options.initial ?? '') : String(answer)
    const violation = options.check?.(text)
    if (violation !== undefined)
      throw new Error(`${JSON.stringify(message)} does not take ${JSON.stringify(text)}: ${violation}`)
    return text
  }

  secret(message: string, options: Parameters<Asker['secret']>[1] = {}): Promise<string> {
    return this.text(message, options)
  }

  async select<Value>(...[message, choices, initial]: Parameters<Asker['select']>): Promise<Value> {
    const answer = this.#answer(message)
    const chosen = choices.find(({ label, value }) =>
      answer === true ? value === initial : label.toLowerCase().startsWith(String(answer).toLowerCase()),
    )
    if (chosen) return chosen.value as Value
    const labels = choices.map(({ label }) => label).join(', ')
    throw new Error(`${JSON.stringify(message)} has no choice ${JSON.stringify(answer)}, only: ${labels}`)
  }

  async confirm(message: string): Promise<boolean> {
    return this.#answer(message) === true
  }

  note(lines: readonly string[], title?: string): void {
    this.said.push(...[...(title === undefined ? [] : [title]), ...lines].map(line => stripVTControlCharacters(line)))
  }

  during<Result>(name: string, work: (step: (text: string) => void) => Promise<Result>): Promise<Result> {
    this.said.push(`${name} …`)
    return work(text => void this.said.push(`${name}: ${text}`))
  }

  #answer(message: string): ScriptedAnswer {
    this.said.push(message)
    const part = [...this.#answers.keys()].find(it => message.includes(it))
    const answers = part === undefined ? [] : (this.#answers.get(part) ?? [])
    const answer: ScriptedAnswer | undefined = answers.length > 1 ? answers.shift() : answers[0]
    if (answer === undefined) throw new Error(`Nobody expected the question ${JSON.stringify(message)}.`)
    if (answer === leave) throw cliErrors.interrupted('The question was not answered.', '')
    return answer
  }
}
