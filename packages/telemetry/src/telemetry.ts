import type { Logger } from '@sibyl/plugin'
import { OracleMetrics } from './oracle-metrics.ts'
import { ProcessMetrics } from './process-metrics.ts'
import type { Tracer } from './tracer.ts'
import { TurnWatch, type WatchedTurn } from './turn-watch.ts'
import type { Work, WorkContext } from './work-context.ts'

export interface TelemetryParts {
  /** The version of Sibyl. */
  readonly version: string
  readonly work: WorkContext
  /** The service name of the oracle in traces. */
  readonly agentName: string
  /** Takes a line about each turn and each tool call, at `debug`. */
  readonly log: Logger
  /** Missing while traces are off. */
  readonly tracer?: Tracer | undefined
  /** Sends what is left of the traces, for so long at the most. */
  readonly flush?: ((limitMs: number) => Promise<void>) | undefined
}

/** A tool call to watch. */
export interface WatchedTool {
  readonly name: string
  readonly toolCallId: string
  /** The work of its turn: the code that calls a tool may run elsewhere. */
  readonly turn: Work
}

/**
 * Observes an oracle: adds context to log lines, counts, and traces by the GenAI conventions of OpenTelemetry. It never
 * records message texts, and never fails or delays the observed work.
 */
export class Telemetry {
  readonly metrics = new OracleMetrics()
  readonly work: WorkContext
  /** Missing while traces are off. */
  readonly tracer: Tracer | undefined
  readonly agentName: string
  readonly log: Logger
  readonly #flush: TelemetryParts['flush']
  readonly #process: ProcessMetrics

  constructor({ version, work, agentName, log, tracer, flush }: TelemetryParts) {
    this.#process = new ProcessMetrics(this.metrics.registry, version)
    this.work = work
    this.log = log
    this.agentName = agentName
    this.tracer = tracer
    this.#flush = flush
  }

  /** Watches a turn that begins, as part of the work at hand. */
  turn(turn: WatchedTurn): TurnWatch {
    return new TurnWatch(this, turn)
  }

  /** Runs a tool call within its turn: log lines from inside name the turn and the tool. */
  async tool<Run extends { readonly outcome: string }>(
    { name, toolCallId, turn }: WatchedTool,
    run: () => Promise<Run>,
  ): Promise<Run> {
    const startedAt = performance.now()
    const span = this.tracer?.start({
      name: `execute_tool ${name}`,
      kind: 'internal',
      parent: turn.span,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.call.id': toolCallId,
        'gen_ai.tool.type': 'function',
      },
    })
    return this.work.run(this.work.within({ tool: name, toolCall: toolCallId }, span, turn), async () => {
      const ended = await run()
      const durationMs = performance.now() - startedAt
      this.metrics.toolEnded(name, ended.outcome, durationMs)
      span?.end(ended.outcome === 'done' || ended.outcome === 'asks' ? {} : { error: `tool_${ended.outcome}` })
      this.log.debug('a tool was run', { result: ended.outcome, durationMs: Math.round(durationMs) })
      return ended
    })
  }

  /** Sends what is left of the traces, for so long at the most, in milliseconds. */
  async close(limitMs: number): Promise<void> {
    this.#process.stop()
    await this.#flush?.(limitMs)
  }
}
