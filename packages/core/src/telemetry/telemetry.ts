import { OracleMetrics } from './oracle-metrics.ts'
import type { Tracer } from './tracer.ts'
import { TurnWatch, type WatchedTurn } from './turn-watch.ts'
import { type Work, WorkContext } from './work-context.ts'

/** What telemetry is made from. */
export interface TelemetryParts {
  readonly work: WorkContext
  /** What the oracle goes by in traces. */
  readonly agentName: string
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
 * Watches an oracle at work: knows what a log line is about, counts, and traces by the GenAI conventions of
 * OpenTelemetry. It never records what anybody says, and never fails or delays what it watches.
 */
export class Telemetry {
  readonly metrics = new OracleMetrics()
  readonly work: WorkContext
  /** Missing while traces are off. */
  readonly tracer: Tracer | undefined
  readonly agentName: string
  readonly #flush: TelemetryParts['flush']

  constructor({ work, agentName, tracer, flush }: TelemetryParts) {
    this.work = work
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
    const ended = await this.work.run(this.work.within({ tool: name, toolCall: toolCallId }, span, turn), run)
    this.metrics.toolEnded(name, ended.outcome, performance.now() - startedAt)
    span?.end(ended.outcome === 'done' ? {} : { error: `tool_${ended.outcome}` })
    return ended
  }

  /** Sends what is left of the traces, for so long at the most, in milliseconds. */
  async close(limitMs: number): Promise<void> {
    await this.#flush?.(limitMs)
  }
}

/** Watches for code that is used without an oracle around it: counts, and does nothing else. */
export const quietTelemetry = (): Telemetry => new Telemetry({ work: new WorkContext(), agentName: 'Oracle' })
