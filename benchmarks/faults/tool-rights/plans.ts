import type { ScriptedCall, ScriptedModel, ScriptedPart } from '@sibyl/testing'
import { endlessModel } from '../frame/endless-model.ts'
import { type Verdict, verdictOfResult } from './verdict.ts'

/** One step of the model in a turn. */
export type PlannedStep = (call: ScriptedCall) => readonly ScriptedPart[]

/** The turns of one trial, which all have the same text, and what happens in them. */
export interface Plan {
  /** Message of the user. */
  readonly text: string
  /** Verdicts of the last step, by tool. */
  readonly verdicts: Map<string, Verdict>
  /** The tools that the model was offered in the last step. */
  readonly offered: Set<string>
  /** The tools whose code ran in the last step. */
  readonly ran: Set<string>
  /** Resolves once the steps are done. */
  readonly finished: Promise<void>
}

/** Plans by the text of their turns, and the model that carries them out. */
export class Plans {
  readonly #plans = new Map<string, Plan & { readonly steps: PlannedStep[]; readonly finish: () => void }>()
  #made = 0

  /** Makes a plan of these steps. After them the model answers `done`. */
  make(steps: (plan: Plan) => readonly PlannedStep[]): Plan {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
    this.#made += 1
    const text = `plan-${this.#made}`
    const plan = {
      text,
      verdicts: new Map(),
      offered: new Set<string>(),
      ran: new Set<string>(),
      actor: undefined,
      finished,
      finish,
    }
    this.#plans.set(text, { ...plan, steps: [...steps(plan)] })
    return this.#plans.get(text)!
  }

  /** The plan of a turn. */
  of(text: string): Plan | undefined {
    const name = /\bplan-\d+\b/.exec(text)?.[0]
    return name === undefined ? undefined : this.#plans.get(name)
  }

  /** Drops a plan that is over. */
  drop({ text }: Plan): void {
    this.#plans.delete(text)
  }

  /** The model. */
  model(): ScriptedModel {
    return endlessModel(call => {
      const plan = this.#plans.get(planOf(call) ?? '')
      if (!plan) return ['ok']
      const parts = plan.steps.shift()?.(call) ?? ['done']
      if (plan.steps.length === 0) plan.finish()
      return parts
    })
  }
}

/** The name of the plan in the newest message of a person that has one. */
const planOf = ({ prompt }: ScriptedCall): string | undefined => {
  const texts = prompt.flatMap(({ role, content }) => (role === 'user' ? [JSON.stringify(content)] : []))
  return texts.flatMap(text => text.match(/\bplan-\d+\b/g) ?? []).at(-1)
}

/** A step that calls each of these tools once. @param id Precedes the ids of the calls. @param first What happens before. */
export const callAll =
  (
    plan: Plan,
    tools: readonly string[],
    {
      id,
      ask = false,
      first,
    }: { readonly id: string; readonly ask?: boolean; readonly first?: () => Promise<unknown> },
  ): PlannedStep =>
  ({ tools: offered }) => {
    plan.offered.clear()
    for (const tool of offered) plan.offered.add(tool)
    const calls = tools.map(tool => ({ tool, input: { ask }, id: `${id}-${tool}` }))
    const begin = async () => {
      await first?.()
      plan.ran.clear()
    }
    return [{ wait: begin() }, ...calls]
  }

/** A step that reads the verdicts on the calls whose ids begin with `id`. */
export const readAll =
  (plan: Plan, { id }: { readonly id: string }): PlannedStep =>
  ({ prompt }) => {
    plan.verdicts.clear()
    for (const { role, content } of prompt) {
      if (role !== 'tool') continue
      for (const part of content) {
        if (part.type !== 'tool-result' || !part.toolCallId.startsWith(`${id}-`)) continue
        plan.verdicts.set(part.toolName, verdictOfResult(JSON.stringify(part.output)))
      }
    }
    return ['done']
  }
