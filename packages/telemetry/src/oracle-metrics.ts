import type { Usage } from '@sibyl/protocol'
import { MetricsRegistry } from './metrics-registry.ts'

/** Upper bounds of durations, in seconds: from a cached answer to a long turn. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Counters of the work of an oracle. Label values are bounded: they contain no DID, session or text. */
export class OracleMetrics {
  readonly registry = new MetricsRegistry()

  readonly #requests = this.#counter('sibyl_http_requests_total', 'Requests that were answered.', [
    'method',
    'route',
    'status',
  ])
  readonly #requestSeconds = this.#seconds(
    'sibyl_http_request_duration_seconds',
    'From the request to the end of its answer.',
    ['method', 'route'],
  )
  readonly #problems = this.#counter(
    'sibyl_http_problems_total',
    'Error answers by code: rate limits, budgets, rejected invocations and others.',
    ['status', 'code'],
  )
  readonly #turns = this.#counter('sibyl_turns_total', 'Turns that ended.', ['channel', 'outcome', 'code'])
  readonly #turnSeconds = this.#seconds('sibyl_turn_duration_seconds', 'From the start of a turn to its stored end.', [
    'outcome',
  ])
  readonly #firstTextSeconds = this.#seconds(
    'sibyl_turn_first_text_seconds',
    'From the start of a turn to the first text of its answer.',
  )
  readonly #refusals = this.#counter(
    'sibyl_turns_refused_total',
    'Turns that were rejected before they started, by code.',
    ['channel', 'code'],
  )
  readonly #modelCalls = this.#counter('sibyl_model_calls_total', 'Calls of the language model.', ['model', 'result'])
  readonly #modelSeconds = this.#seconds(
    'sibyl_model_call_duration_seconds',
    'Duration of calls of the language model.',
    ['model'],
  )
  readonly #tokens = this.#counter(
    'sibyl_model_tokens_total',
    'Tokens of the language model; cached_input is a part of input.',
    ['model', 'type'],
  )
  readonly #toolCalls = this.#counter('sibyl_tool_calls_total', 'Tool calls that were run.', ['tool', 'result'])
  readonly #toolSeconds = this.#seconds('sibyl_tool_call_duration_seconds', 'Duration of tool calls.', ['tool'])
  readonly #jobs = this.#counter('sibyl_job_runs_total', 'Attempts of durable jobs that ended in this process.', [
    'kind',
    'result',
  ])

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

  #counter(name: string, help: string, labels: readonly string[]) {
    return this.registry.counter({ name, help, labels })
  }

  #seconds(name: string, help: string, labels: readonly string[] = []) {
    return this.registry.histogram({ name, help, labels }, seconds)
  }
}
