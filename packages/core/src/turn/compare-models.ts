import type { LanguageModelV4 } from '@ai-sdk/provider'
import { beginAnswer, classifyModelFailure } from '@sibyl/models'
import { type Actor, holderOf } from '@sibyl/plugin'
import type { ComparedAnswer, ComparedVariant, Usage } from '@sibyl/protocol'
import { countedTokens } from '../budgets/token-usage-store.ts'
import type { ClaimDependencies } from './claim/claim-dependencies.ts'
import { systemPrompt } from './loop/prompt.ts'
import { usageOf } from './loop/turn-run.ts'
import { noUsage } from './store/turn.ts'
import { refusals } from './store/turn-refusals.ts'

/** The time limit of an answer, in milliseconds: below that of requests. */
const limitMs = 50_000

/** The longest answer, in characters. */
const longestText = 64_000

/** A message to answer in several ways. */
export interface ComparisonRequest {
  readonly actor: Actor
  readonly message: string
  readonly variants: readonly ComparedVariant[]
}

/** Dependencies of a comparison. */
export interface ComparisonDependencies
  extends Pick<ClaimDependencies, 'budgets' | 'catalog' | 'profile' | 'log' | 'modelName'> {
  /** Returns what makes the main model, or another one of the same provider; undefined if the provider has no others. */
  readonly model: (name: string | undefined, endsAt: number) => (() => Promise<LanguageModelV4>) | undefined
  /** Adds tokens to the usage of a holder. */
  readonly addUsage: (holder: string, usage: Usage) => Promise<void>
  readonly now: () => number
}

/** Answers a message by each variant at the same time: without tools, without a session, within the token budgets. */
export const compareModels = (
  dependencies: ComparisonDependencies,
  { actor, message, variants }: ComparisonRequest,
): Promise<ComparedAnswer[]> => Promise.all(variants.map(variant => answerOf(dependencies, actor, message, variant)))

const answerOf = async (
  dependencies: ComparisonDependencies,
  actor: Actor,
  message: string,
  { model: name, instructions }: ComparedVariant,
): Promise<ComparedAnswer> => {
  const { budgets, catalog, profile, log, modelName, now } = dependencies
  const model = name ?? modelName
  const failed = (code: string, text: string, more: Partial<ComparedAnswer> = {}): ComparedAnswer => ({
    model,
    text: '',
    usage: noUsage,
    durationMs: 0,
    ...more,
    error: { code, text },
  })
  const make = dependencies.model(name, now() + limitMs)
  if (!make) return failed('model_fixed', 'The provider of this oracle has no other models. Leave the model out.')
  const reserved = await budgets.reserve(actor)
  if ('why' in reserved) return failed('token_budget_used', refusals.tokenBudgetUsed(reserved).detail)
  const always = catalog.entries().filter(({ mode }) => mode === 'always')
  const system = instructions ?? systemPrompt(profile, always)
  const startedAt = performance.now()
  const read = { text: '', usage: noUsage, firstPartMs: undefined as number | undefined }
  const facts = () => ({
    text: read.text,
    usage: read.usage,
    durationMs: Math.round(performance.now() - startedAt),
    ...(read.firstPartMs === undefined ? {} : { firstPartMs: read.firstPartMs }),
  })
  try {
    const signal = AbortSignal.timeout(limitMs)
    const answer = await beginAnswer(await make(), {
      prompt: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text: message }] },
      ],
      abortSignal: signal,
      includeRawChunks: false,
    })
    for (let part = await answer.read(); part !== undefined; part = await answer.read()) {
      if (part.type === 'text-delta') {
        read.firstPartMs ??= Math.round(performance.now() - startedAt)
        read.text = (read.text + part.delta).slice(0, longestText)
      } else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') read.usage = usageOf(part.usage)
    }
    return { model, ...facts() }
  } catch (error) {
    const { code, text } = classifyModelFailure(error)
    log.warn('a compared answer failed', { model, code, error })
    return failed(code, text, facts())
  } finally {
    reserved.release(countedTokens(read.usage))
    await dependencies.addUsage(holderOf(actor), read.usage).catch(error => {
      log.warn('the tokens of a compared answer could not be stored', { error })
    })
  }
}
