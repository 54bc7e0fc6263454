import { isToolFailure, ToolFailure } from '@sibyl/plugin'
import { approvedNameOf } from '../gate/approved-name.ts'
import { type GuardContext, type GuardedRun, runGuarded } from '../gate/guard-tool.ts'
import { idempotencyKey } from '../gate/idempotency-key.ts'
import type { Approval } from '../sessions/approval-store.ts'
import type { OfferedTool, TurnTools } from '../tools/turn-tools.ts'
import { approvalOf, askForAnswer, questionsOf } from './ask-person.ts'
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
    checkGrant: () => services.checkGrant(running.turn.actor),
    approved(offered, toolCallId) {
      const approval = approvalOf(running, toolCallId)
      if (approval?.kind === 'question') {
        return approval.approvalData === undefined ? {} : { data: approval.approvalData }
      }
      if (approval && (approval.state === 'once' || approval.state === 'session')) {
        return approval.data === undefined ? {} : { data: approval.data }
      }
      return approvedTools.has(approvedNameOf(offered)) ? {} : undefined
    },
    canAsk: facts.approvals === 'ask',
    hasAsked: toolCallId => questionsOf(running, toolCallId),
    answer(toolCallId) {
      const approval = approvalOf(running, toolCallId)
      if (approval?.kind !== 'question') return undefined
      if (approval.state !== 'once' && approval.state !== 'session') return { accepted: false }
      return { accepted: true, ...(approval.data === undefined ? {} : { data: approval.data }) }
    },
    idempotencyKey: toolCallId => idempotencyKey(approvalOf(running, toolCallId)?.callTurnId ?? facts.id, toolCallId),
    emit: part => running.emit({ type: `data-${part.name}`, data: part.data }),
    ran: tool => void running.ran.set(tool, (running.ran.get(tool) ?? 0) + 1),
    observed: (tool, input, output) => stopRules.observed(tool, input, output),
  }
}

/**
 * Runs the calls that waited for a person, as decided, before the model goes on. One that asked a question runs whatever was
 * answered: a refusal is an answer too.
 *
 * @returns whether one of them asks again, so that the model cannot go on
 */
export const runApproved = async (
  running: RunningTurn,
  services: TurnServices,
  tools: TurnTools,
  guard: GuardContext,
): Promise<boolean> => {
  let asksAgain = false
  for (const approval of running.facts.continues?.approvals ?? []) {
    const { toolCallId, tool, input, scope, abilities = [] } = approval
    const isQuestion = approval.kind === 'question'
    const part = running.answer.tool(toolCallId)
    const decision = {
      approved: approval.state === 'once' || approval.state === 'session',
      ...(approval.reason === undefined ? {} : { reason: approval.reason }),
    }
    if (part) part.approval = { id: approval.id, ...decision }
    if (isQuestion) running.answer.answered(approval.id, decision)
    if (approval.state === 'withdrawn' || (approval.state === 'deny' && !isQuestion)) {
      running.emit({ type: 'tool-output-denied', toolCallId })
      continue
    }
    if (part && isQuestion) delete part.approval
    running.takesUp = approval
    const run = await runOne(approval, tools, guard)
    if ('output' in run) running.emit({ type: 'tool-output-available', toolCallId, output: run.output })
    else if ('errorText' in run) running.emit({ type: 'tool-output-error', toolCallId, errorText: run.errorText })
    else {
      await askForAnswer(running, services, { toolCallId, tool, input, scope, abilities }, run.question)
      asksAgain = true
    }
    running.takesUp = undefined
  }
  return asksAgain
}

const runOne = async (
  approval: Approval,
  tools: TurnTools,
  guard: GuardContext,
): Promise<GuardedRun | { readonly errorText: string }> => {
  try {
    return await runGuarded(decidedTool(approval, tools), approval.input, approval.toolCallId, guard)
  } catch (error) {
    return { errorText: isToolFailure(error) ? error.message : 'The tool failed.' }
  }
}

/** The tool that the person decided about. Throws `ToolFailure` where it is another by now, or gone. */
const decidedTool = ({ tool, scope, kind }: Approval, tools: TurnTools): OfferedTool => {
  const offered = tools.find(tool)
  if (offered && offered.tool.approvalScope === scope) return offered
  const what = offered ? 'has changed' : scope === undefined ? 'is gone' : 'has changed, or is gone,'
  const now =
    kind === 'question'
      ? 'It did not go on; whether what it began has happened is not known, check before you repeat it.'
      : 'It was not run.'
  throw new ToolFailure(`'${tool}' ${what} since the person was asked about it. ${now}`)
}
