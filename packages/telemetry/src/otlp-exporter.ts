import type { Logger } from '@sibyl/plugin'
import { encodeSpans, type TraceResource } from './otlp-json.ts'
import type { EndedSpan } from './span.ts'

/** Where and how spans are sent. */
export interface OtlpExporterOptions {
  /** The whole URL: http://localhost:4318/v1/traces */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Timeout of one request, in milliseconds. */
  readonly timeoutMs: number
  readonly resource: TraceResource
  readonly log: Logger
  /** Strikes secrets out of texts. */
  redact(text: string): string
}

/** The most spans that wait; further ones are dropped. */
const maxWaiting = 2_048

/** The most spans of one request. */
const maxBatch = 512

/** Delay for batching spans, in milliseconds. */
const delayMs = 5_000

/** The longest pause after failures, in milliseconds. */
const maxPauseMs = 60_000

/** Statuses after which the same request may work later. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * Sends spans to an OpenTelemetry collector over HTTP as JSON, in batches, beside the work that they tell of: a
 * collector that is slow or away costs spans and nothing else.
 */
export class OtlpExporter {
  readonly #options: OtlpExporterOptions
  #waiting: EndedSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #failures = 0
  #dropped = 0
  #closed = false
  /** Aborts when there is no more time. */
  readonly #end = new AbortController()

  constructor(options: OtlpExporterOptions) {
    this.#options = options
  }

  /** The number of dropped spans. */
  get dropped(): number {
    return this.#dropped
  }

  /** Takes a span in. */
  take(span: EndedSpan): void {
    if (this.#closed || this.#waiting.length >= maxWaiting) {
      this.#dropped += 1
      return
    }
    this.#waiting.push(span)
    if (this.#waiting.length >= maxBatch && this.#failures === 0) this.#send()
    else this.#sendLater()
  }

  /** Sends pending spans, within a time limit; accepts no more. */
  async close(limitMs: number): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const limit = setTimeout(() => this.#end.abort(), limitMs)
    await this.#sending
    while (this.#waiting.length > 0 && !this.#end.signal.aborted) {
      if (!(await this.#sendBatch())) break
    }
    clearTimeout(limit)
    this.#dropped += this.#waiting.length
    this.#waiting = []
  }

  #sendLater(): void {
    if (this.#timer || this.#sending) return
    const pauseMs = Math.min(delayMs * 2 ** this.#failures, maxPauseMs)
    this.#timer = setTimeout(() => this.#send(), pauseMs).unref()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendBatch().then(() => {
      this.#sending = undefined
      if (this.#waiting.length > 0 && !this.#closed) this.#sendLater()
    })
  }

  /** Sends one batch; false when it did not work. Never rejects. */
  async #sendBatch(): Promise<boolean> {
    const batch = this.#waiting.splice(0, maxBatch)
    const problem = await this.#post(batch)
    if (problem === undefined) {
      this.#failures = 0
      return true
    }
    if (problem.mayRetry) this.#putBack(batch)
    else this.#dropped += batch.length
    this.#failures += 1
    if (this.#failures === 1) this.#options.log.warn('traces could not be sent', { reason: problem.reason })
    return false
  }

  async #post(
    batch: readonly EndedSpan[],
  ): Promise<{ readonly reason: string; readonly mayRetry: boolean } | undefined> {
    const { url, headers, timeoutMs, resource, redact } = this.#options
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: encodeSpans(batch, resource, redact),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#end.signal]),
      })
      await response.body?.cancel()
      if (response.ok) return undefined
      return { reason: `status ${response.status}`, mayRetry: retryable.has(response.status) }
    } catch (error) {
      return { reason: reasonOf(error), mayRetry: true }
    }
  }

  #putBack(batch: readonly EndedSpan[]): void {
    const room = maxWaiting - this.#waiting.length
    this.#dropped += Math.max(0, batch.length - room)
    this.#waiting.unshift(...batch.slice(0, room))
  }
}

/** Why a request failed, by the codes of the network; texts may quote what was sent. */
const reasonOf = (error: unknown): string => {
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } }
  if (typeof cause?.code === 'string') return cause.code
  return name === 'TimeoutError' ? 'it took too long' : 'the request failed'
}
