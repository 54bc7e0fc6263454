import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type CorePorts, noUsage, usageOf } from '@sibyl/core/ports'
import { beginAnswer, classifyModelFailure } from '@sibyl/models'
import type { Actor } from '@sibyl/plugin'
import type { ComparedAnswer, ComparedVariant } from './comparison.ts'

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

type ComparisonPorts = Pick<CorePorts, 'models' | 'reserveTokens' | 'systemPrompt' | 'log'>

/** Answers a message by each variant at the same time: without tools, without a session, within the token budgets. */
export const compareModels = (
  ports: ComparisonPorts,
  { actor, message, variants }: ComparisonRequest,
  now: () => number,
): Promise<ComparedAnswer[]> =>
  Promise.all(
    variants.map(variant => answerOf(ports, modelOf(ports, variant, now() + limitMs), actor, message, variant)),
  )

/** Returns what makes the model of a variant; undefined if the provider has no others. */
const modelOf = (
  { models }: ComparisonPorts,
  { model: name }: ComparedVariant,
  endsAt: number,
): (() => Promise<LanguageModelV4>) | undefined => {
  if (name === undefined || name === models.name) return () => models.main({ endsAt })
  return models.named && (() => models.named!(name, { endsAt }))
}

const answerOf = async (
  { models, reserveTokens, systemPrompt, log }: ComparisonPorts,
  make: (() => Promise<LanguageModelV4>) | undefined,
  actor: Actor,
  message: string,
  { model: name, instructions }: ComparedVariant,
): Promise<ComparedAnswer> => {
  const model = name ?? models.name
  const failed = (code: string, text: string, more: Partial<ComparedAnswer> = {}): ComparedAnswer => ({
    model,
    text: '',
    usage: noUsage,
    durationMs: 0,
    ...more,
    error: { code, text },
  })
  if (!make) return failed('model_fixed', 'The provider of this oracle has no other models. Leave the model out.')
  const reserved = await reserveTokens(actor)
  if ('refusal' in reserved) return failed(reserved.refusal.code, reserved.refusal.detail)
  const system = instructions ?? systemPrompt()
  const startedAt = performance.now()
  const read = { text: '', usage: noUsage, firstPartMs: undefined as number | undefined }
  const facts = () => ({
    text: read.text,
    usage: read.usage,
    durationMs: Math.round(performance.now() - startedAt),
    firstPartMs: read.firstPartMs,
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
    await reserved.settle(read.usage).catch(error => {
      log.warn('the tokens of a compared answer could not be stored', { error })
    })
  }
}
