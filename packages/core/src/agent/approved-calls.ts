import { ToolFailure } from '../errors/tool-failure.ts'
import { type GuardContext, runGuarded } from '../gate/guard-tool.ts'
import { idempotencyKey } from '../gate/idempotency-key.ts'
import type { TurnTools } from '../tools/turn-tools.ts'
import type { RunningTurn } from './running-turn.ts'
import type { StopRules } from './stop-rules.ts'
import type { TurnServices } from './turn-services.ts'

/** What the guard knows of a turn: among other things what the person approved. */
export const guardContext = (
  running: RunningTurn,
  services: TurnServices,
  tools: TurnTools,
  stopRules: StopRules,
): GuardContext => {
  const { facts } = running
  const decided = new Map(facts.continues?.approvals.map(approval => [approval.toolCallId, approval]))
  const approvedTools = new Set(facts.approvedTools)
  return {
    turn: running.turn,
    log: services.log,
    telemetry: services.telemetry,
    work: running.watch?.work ?? { fields: {} },
    toolCalls: services.toolCalls,
    now: services.now,
    timeLimitMs: services.limits.toolTimeLimitMs,
    judge: name => tools.judge(name),
    approved(tool, toolCallId) {
      const approval = decided.get(toolCallId)
      if (approval && (approval.state === 'once' || approval.state === 'session')) {
        return approval.data === undefined ? {} : { data: approval.data }
      }
      return approvedTools.has(tool) ? {} : undefined
    },
    idempotencyKey: toolCallId => idempotencyKey(decided.get(toolCallId)?.turnId ?? facts.id, toolCallId),
    emit: part => running.emit({ type: `data-${part.name}`, data: part.data }),
    observed: (tool, input, output) => stopRules.observed(tool, input, output),
  }
}

/** Runs the calls that waited for a person, as decided, before the model goes on. */
export const runApproved = async (running: RunningTurn, tools: TurnTools, guard: GuardContext): Promise<void> => {
  for (const approval of running.facts.continues?.approvals ?? []) {
    const { toolCallId, tool: name } = approval
    const part = running.answer.tool(toolCallId)
    if (part) part.approval = { id: approval.id, approved: approval.state !== 'deny' }
    if (approval.state === 'deny' || approval.state === 'withdrawn') {
      running.emit({ type: 'tool-output-denied', toolCallId })
      continue
    }
    const offered = tools.find(name)
    try {
      if (!offered) throw new ToolFailure(`There is no tool '${name}' any more.`)
      const output = await runGuarded(offered, approval.input, toolCallId, guard)
      running.emit({ type: 'tool-output-available', toolCallId, output })
    } catch (error) {
      const errorText = error instanceof ToolFailure ? error.message : 'The tool failed.'
      running.emit({ type: 'tool-output-error', toolCallId, errorText })
    }
  }
}
