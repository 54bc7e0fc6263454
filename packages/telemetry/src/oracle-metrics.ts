import type { Usage } from '@sibyl/protocol'
import { MetricsRegistry } from './metrics-registry.ts'

/** Upper bounds of durations, in seconds: from a cached answer to a long turn. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Counters of the work of an oracle. Label values are bounded: they contain no DID, session or text. */
export class OracleMetrics {
  readonly registry = new MetricsRegistry()

  readonly #requests = this.registry.counter({
    name: 'sibyl_http_requests_total',
    help: 'Requests that were answered.',
    labels: ['method', 'route', 'status'],
  })
  readonly #requestSeconds = this.registry.histogram(
    {
      name: 'sibyl_http_request_duration_seconds',
      help: 'From the request to the end of its answer.',
      labels: ['method', 'route'],
    },
    seconds,
  )
  readonly #problems = this.registry.counter({
    name: 'sibyl_http_problems_total',
    help: 'Error answers by code: rate limits, budgets, rejected invocations and others.',
    labels: ['status', 'code'],
  })
  readonly #turns = this.registry.counter({
    name: 'sibyl_turns_total',
    help: 'Turns that ended.',
    labels: ['channel', 'outcome', 'code'],
  })
  readonly #turnSeconds = this.registry.histogram(
    { name: 'sibyl_turn_duration_seconds', help: 'From the start of a turn to its stored end.', labels: ['outcome'] },
    seconds,
  )
  readonly #firstTextSeconds = this.registry.histogram(
    { name: 'sibyl_turn_first_text_seconds', help: 'From the start of a turn to the first text of its answer.' },
    seconds,
  )
  readonly #refusals = this.registry.counter({
    name: 'sibyl_turns_refused_total',
    help: 'Turns that were rejected before they started, by code.',
    labels: ['channel', 'code'],
  })
  readonly #modelCalls = this.registry.counter({
    name: 'sibyl_model_calls_total',
    help: 'Calls of the language model.',
    labels: ['model', 'result'],
  })
  readonly #modelSeconds = this.registry.histogram(
    { name: 'sibyl_model_call_duration_seconds', help: 'Duration of calls of the language model.', labels: ['model'] },
    seconds,
  )
  readonly #tokens = this.registry.counter({
    name: 'sibyl_model_tokens_total',
    help: 'Tokens of the language model; cached_input is a part of input.',
    labels: ['model', 'type'],
  })
  readonly #toolCalls = this.registry.counter({
    name: 'sibyl_tool_calls_total',
    help: 'Tool calls that were run.',
    labels: ['tool', 'result'],
  })
  readonly #toolSeconds = this.registry.histogram(
    { name: 'sibyl_tool_call_duration_seconds', help: 'Duration of tool calls.', labels: ['tool'] },
    seconds,
  )
  readonly #jobs = this.registry.counter({
    name: 'sibyl_job_runs_total',
    help: 'Attempts of durable jobs that ended in this process.',
    labels: ['kind', 'result'],
  })

  /** Counts an answered request. @param route Its template, or `unmatched`. */
  requestEnded(method: string, route: string, status: number, durationMs: number, code: string | undefined): void {
    this.#requests.add([method, route, String(status)])
    this.#requestSeconds.observe([method, route], durationMs / 1000)
    if (code !== undefined) this.#problems.add([String(status), code])
  }

  /** Counts a turn that ended. @param firstTextMs From its start to its first text, where it had any. */
  turnEnded(
    { channel, outcome, code = '' }: { readonly channel: string; readonly outcome: string; readonly code?: string },
    durationMs: number,
    firstTextMs: number | undefined,
  ): void {
    this.#turns.add([channel, outcome, code])
    this.#turnSeconds.observe([outcome], durationMs / 1000)
    if (firstTextMs !== undefined) this.#firstTextSeconds.observe([], firstTextMs / 1000)
  }

  /** Counts a turn that was not started. */
  turnRefused(channel: string, code: string): void {
    this.#refusals.add([channel, code])
  }

  /** Counts a call of the language model. */
  modelCallEnded(model: string, result: 'done' | 'failed', durationMs: number, usage: Usage | undefined): void {
    this.#modelCalls.add([model, result])
    this.#modelSeconds.observe([model], durationMs / 1000)
    if (!usage) return
    this.#tokens.add([model, 'input'], usage.inputTokens)
    this.#tokens.add([model, 'cached_input'], usage.cachedInputTokens)
    this.#tokens.add([model, 'output'], usage.outputTokens)
  }

  /** Counts a tool call that was run. */
  toolEnded(tool: string, result: string, durationMs: number): void {
    this.#toolCalls.add([tool, result])
    this.#toolSeconds.observe([tool], durationMs / 1000)
  }

  /** Counts a try of a job. */
  jobEnded(kind: string, result: 'done' | 'failed'): void {
    this.#jobs.add([kind, result])
  }
}
