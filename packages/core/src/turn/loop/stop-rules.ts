/** The rule that stopped the agent before the model was done. */
export type StopReason = 'step_limit' | 'token_limit' | 'repeated_call'

/** The number of equal results of the same tool call that ends a turn. */
export const maxRepeats = 3

/** Limits of one turn. */
export interface StopLimits {
  readonly maxSteps: number
  /** Input and output tokens of all steps together. */
  readonly maxTokens: number
  /** Of an agent: whether its turn has used its tokens, with all its agents. */
  readonly isTurnSpent?: () => boolean
  /** The number of equal results of the same call that breaks the rule. */
  readonly maxRepeats: number
}

/** Watches a turn and says when it has to stop. */
export class StopRules {
  readonly #limits: StopLimits
  readonly #calls = new Map<string, { output: string; times: number }>()
  #repeated = false

  constructor(limits: StopLimits) {
    this.#limits = limits
  }

  /** Notes a tool's result. */
  readonly observed = (tool: string, input: unknown, output: string): void => {
    const key = `${tool} ${JSON.stringify(input)}`
    const known = this.#calls.get(key)
    const times = known?.output === output ? known.times + 1 : 1
    this.#calls.set(key, { output, times })
    if (times >= this.#limits.maxRepeats) this.#repeated = true
  }

  /**
   * The rule that is broken by now.
   *
   * @param steps Finished ones.
   * @param tokens Input and output of all of them.
   */
  reason(steps: number, tokens: number): StopReason | undefined {
    if (steps >= this.#limits.maxSteps) return 'step_limit'
    if (tokens >= this.#limits.maxTokens || this.#limits.isTurnSpent?.()) return 'token_limit'
    return this.#repeated ? 'repeated_call' : undefined
  }
}

/** The text for the person when a rule stopped the turn. */
export const stopText: Readonly<Record<StopReason, string>> = {
  step_limit: 'Stopped: the answer reached the maximum number of steps. Ask again to continue.',
  token_limit: 'Stopped: the answer reached the maximum number of tokens. Ask again to continue.',
  repeated_call: 'Stopped: the same tool call returned the same result several times.',
}
