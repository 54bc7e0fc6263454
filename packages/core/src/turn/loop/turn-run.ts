import type { LanguageModelV4, LanguageModelV4Middleware, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { ModelCallBounds } from '@sibyl/models'
import type { Usage } from '@sibyl/protocol'
import type { ModelMessage } from 'ai'
import type { AttachedContentsRequest } from '../../attachments/attached-contents.ts'
import type { CallDependencies, CallingTurn } from '../calls/calling-turn.ts'
import type { AnswerChecks } from './answer-checks.ts'
import type { PromptProfile } from './prompt.ts'

/** Settings of the files in messages. */
export type AttachmentSettings = Pick<AttachedContentsRequest, 'files' | 'inputs' | 'maxBytes'>

/** Dependencies of the model loop. */
export interface LoopDependencies extends CallDependencies {
  readonly middleware: readonly LanguageModelV4Middleware[]
  readonly profile: PromptProfile
  readonly answerChecks: AnswerChecks
  readonly model: (bounds: ModelCallBounds) => Promise<LanguageModelV4>
  /** Settings of the files in messages, as they are now. */
  readonly attachments: () => AttachmentSettings
}

/** The input of the model loop. */
export interface ModelInput {
  readonly model: LanguageModelV4
  readonly instructions: string
  readonly messages: readonly ModelMessage[]
}

export interface ModelLoopResult {
  readonly usage: Usage
  readonly steps: number
  readonly finishReason: string
  /** The error that ended it. */
  readonly error?: unknown
}

/** One run of a turn: what its model loop and its tool calls share. */
export interface TurnRun extends CallingTurn {
  readonly dependencies: LoopDependencies
  readonly stopRules: StopRules
}

/** The rule that stopped the agent before the model was done. */
export type StopReason = 'step_limit' | 'token_limit' | 'repeated_call'

/** The number of equal results of the same tool call that ends a turn. */
export const maxRepeats = 3

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

/** Notices for the person of an answer that is not whole, by the reason of its end. */
export const cutNotices: Readonly<Record<string, { readonly code: string; readonly text: string }>> = {
  length: {
    code: 'answer_cut',
    text: 'The answer is cut: it reached the maximum length of the language model. Ask it to continue.',
  },
  'content-filter': {
    code: 'answer_filtered',
    text: 'The answer is not complete: the provider of the language model filtered it. Ask in another way.',
  },
}

/** Returns the model of a turn, with the middleware of plugins. @param endsAt When the time of the turn is over. */
export const turnModel = async (
  { model, middleware }: Pick<LoopDependencies, 'model' | 'middleware'>,
  endsAt: number,
): Promise<LanguageModelV4> => {
  const [ai, plain] = await Promise.all([import('ai'), model({ endsAt })])
  return middleware.length > 0 ? ai.wrapLanguageModel({ model: plain, middleware: [...middleware] }) : plain
}

/** Returns the usage that a provider reports; zero where it reports none. */
export const usageOf = (usage: LanguageModelV4Usage | undefined): Usage => ({
  inputTokens: usage?.inputTokens?.total ?? 0,
  cachedInputTokens: usage?.inputTokens?.cacheRead ?? 0,
  outputTokens: usage?.outputTokens?.total ?? 0,
})
