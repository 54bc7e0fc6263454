import type { Logger } from '@sibyl/plugin'
import type { Outcome, Usage } from '@sibyl/protocol'
import type { OracleMetrics } from './oracle-metrics.ts'
import type { Span } from './span.ts'
import type { Tracer } from './tracer.ts'
import type { Work, WorkContext } from './work-context.ts'

export interface TurnWatchParts {
  readonly work: WorkContext
  readonly metrics: OracleMetrics
  readonly tracer: Tracer | undefined
  readonly agentName: string
  readonly log: Logger
}

export interface WatchedTurn {
  readonly id: string
  readonly sessionId: string
  readonly channel: string
  /** The name of the model. */
  readonly model: string
}

/** The usage and the result of a call of a language model. */
export interface ModelCallEnd {
  readonly usage: Usage
  readonly finishReason: string
  readonly durationMs: number
}

/** Watches one turn: its calls of the language model, its first text and its end. */
export class TurnWatch {
  /** The context of everything that runs for the turn. */
  readonly work: Work
  readonly #parts: TurnWatchParts
  readonly #turn: WatchedTurn
  readonly #startedAt = performance.now()
  #firstTextAt: number | undefined
  #call: { readonly model: string; readonly startedAt: number; readonly at: number; readonly span?: Span } | undefined

  constructor(parts: TurnWatchParts, turn: WatchedTurn) {
    this.#parts = parts
    this.#turn = turn
    const { work, tracer, agentName } = parts
    const span = tracer?.start({
      name: `invoke_agent ${agentName}`,
      kind: 'internal',
      parent: work.current?.span,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agentName,
        'gen_ai.conversation.id': turn.sessionId,
        'gen_ai.request.model': turn.model,
        'sibyl.turn.id': turn.id,
        'sibyl.channel': turn.channel,
      },
    })
    this.work = work.within({ turn: turn.id }, span)
  }

  /** A text of the answer came. */
  textCame(): void {
    this.#firstTextAt ??= performance.now()
  }

  /** A call of a language model begins. */
  modelCallStarted({ provider, modelId }: { readonly provider: string; readonly modelId: string }): void {
    const { tracer } = this.#parts
    const at = tracer?.now() ?? 0
    const span = tracer?.start({
      name: `chat ${modelId}`,
      kind: 'client',
      parent: this.work.span,
      at,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider.split('.')[0],
        'gen_ai.request.model': modelId,
      },
    })
    this.#call = { model: modelId, startedAt: performance.now(), at, ...(span ? { span } : {}) }
  }

  /** Records the end of the current call; called after its tools have run. */
  modelCallEnded({ usage, finishReason, durationMs }: ModelCallEnd): void {
    const call = this.#call
    if (!call) return
    this.#call = undefined
    this.#parts.metrics.modelCallEnded(call.model, 'done', durationMs, usage)
    call.span?.end({
      at: call.at + durationMs,
      attributes: { ...usageAttributes(usage), 'gen_ai.response.finish_reasons': [finishReason] },
    })
  }

  /** The turn ended; a call under way ends with it. */
  ended(result: { readonly outcome: Outcome; readonly code?: string | undefined; readonly usage: Usage }): void {
    const { outcome, code, usage } = result
    const { metrics, work, log } = this.#parts
    const { channel } = this.#turn
    const durationMs = performance.now() - this.#startedAt
    if (this.#call) {
      const { model, startedAt, span } = this.#call
      metrics.modelCallEnded(model, 'failed', performance.now() - startedAt, undefined)
      span?.end({ error: code ?? outcome })
    }
    const firstTextMs = this.#firstTextAt === undefined ? undefined : this.#firstTextAt - this.#startedAt
    const end = { channel, outcome, ...(code === undefined ? {} : { code }) }
    metrics.turnEnded(end, durationMs, firstTextMs)
    work.run(this.work, () => log.debug('a turn ended', { ...end, ...usage, durationMs: Math.round(durationMs) }))
    const failed = outcome === 'failed' || outcome === 'interrupted'
    this.work.span?.end({
      attributes: { ...usageAttributes(usage), 'sibyl.turn.outcome': outcome },
      error: failed ? (code ?? 'turn_failed') : undefined,
    })
  }
}

/** Tokens as the GenAI conventions name them. */
const usageAttributes = ({ inputTokens, cachedInputTokens, outputTokens }: Usage) => ({
  'gen_ai.usage.input_tokens': inputTokens,
  'gen_ai.usage.cache_read.input_tokens': cachedInputTokens,
  'gen_ai.usage.output_tokens': outputTokens,
})
