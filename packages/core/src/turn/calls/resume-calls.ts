import { isToolFailure, ToolFailure } from '@sibyl/plugin'
import type { PersonQuestion } from '@sibyl/plugin/host'
import type { JsonValue } from '@sibyl/protocol'
import { readJson } from '../../database/stored-json.ts'
import { refusedCall } from '../../gate/capability-gate.ts'
import { clientResult } from '../../tools/core-tools.ts'
import type { OfferedTool, TurnTools } from '../../tools/turn-tools.ts'
import { shownInput, showsArguments } from '../approvals/approval-question.ts'
import { askForAnswer, isApproved, type ModelToolCall } from '../approvals/ask-person.ts'
import { type Approval, isBegun } from '../store/approval-store.ts'
import { type BegunCall, endingOf, endingText } from '../store/tool-call-store.ts'
import type { CallingTurn, ToolCallResult } from './calling-turn.ts'
import { maxToolOutput } from './execute-tool.ts'
import { judgeCall, runToolCall } from './run-tool-call.ts'
import { describeError } from './tool-error-text.ts'
import { confirmedOutcome, settleUnknown } from './unknown-outcome.ts'

/**
 * Runs the calls that waited for a person, as decided, before the model goes on. One that asked a question runs whatever was
 * answered: a refusal is an answer too. The turn waits again where one of them asks again. Those that had begun before the
 * process of the turn ended are settled.
 */
export const resumeCalls = async (run: CallingTurn, approvals: readonly Approval[]): Promise<void> => {
  const { running, dependencies } = run
  const begun = running.stored && (await dependencies.toolCalls.ofTurn(running.facts.id))
  for (const approval of approvals) {
    const { toolCallId } = approval
    const hasBegun = isBegun(approval)
    const part = running.answer.tool(toolCallId)
    noteWait(run, approval)
    const decision = {
      approved: isApproved(approval),
      ...(approval.reason !== undefined && { reason: approval.reason }),
    }
    if (part) part.approval = { id: approval.id, ...decision }
    if (approval.kind === 'question' || approval.kind === 'outcome') running.answer.answered(approval.id, decision)
    if (approval.state === 'withdrawn' || (approval.state === 'deny' && !hasBegun)) {
      running.emit({ type: 'tool-output-denied', toolCallId })
      continue
    }
    if (part && hasBegun) delete part.approval
    await resumeCall(approval, run, begun?.get(running.storedCallId(toolCallId)))
  }
}

/** Adds the wait for a decision to the timings of the turn. */
const noteWait = ({ running, tools }: CallingTurn, { tool, toolCallId, askedAt, decidedAt, state }: Approval): void => {
  if (decidedAt === undefined) return
  const capability = tools.find(tool)?.origin.capability
  const facts = { name: tool, toolCallId, capability }
  const durationMs = Math.max(0, decidedAt - askedAt)
  running.timings?.waited(facts, askedAt - running.facts.startedAt, { outcome: state, durationMs })
}

const resumeCall = async (approval: Approval, run: CallingTurn, begun: BegunCall | undefined): Promise<void> => {
  const { toolCallId, tool: toolName, input } = approval
  const call = { toolCallId, toolName, input, decided: approval }
  const isGone = approval.kind === 'client' && !run.tools.find(toolName)
  const ended = begun ? storedEnd(begun) : await confirmedOutcome(approval, run)
  const result = ended ?? (isGone ? clientOutcome(toolName, approval) : await resultOf(call, run, begun !== undefined))
  if ('ask' in result) await askForAnswer(run, call, result.ask, 'outcome')
  else if ('output' in result) run.running.emit({ type: 'tool-output-available', toolCallId, output: result.output })
  else if ('errorText' in result) {
    run.running.emit({ type: 'tool-output-error', toolCallId, errorText: result.errorText })
  } else await askForAnswer(run, call, result.question)
}

/** Returns the result of a call that had begun; undefined if it is unknown. */
const storedEnd = (begun: BegunCall): Exclude<EndedCall, { readonly question: unknown }> | undefined => {
  const ending = endingOf(begun)
  if (typeof ending === 'object') return { output: readJson<JsonValue>(ending.output, null) }
  return ending === 'unknown' ? undefined : { errorText: endingText[ending] }
}

/** The result of a call, or why it has none. */
type EndedCall = ToolCallResult | { readonly errorText: string }

type DecidedCall = ModelToolCall & { readonly decided: Approval }

const resultOf = async (
  call: DecidedCall,
  run: CallingTurn,
  isUnknown: boolean,
): Promise<EndedCall | { readonly ask: PersonQuestion }> => {
  try {
    const offered = decidedTool(call.decided, run.tools)
    const verdict = run.tools.judge(offered.name)
    if (!verdict.allowed) throw refusedCall(offered.name, verdict)
    const judged = await judgeCall(offered, call, run)
    if ('invalid' in judged) return { errorText: `The arguments are invalid: ${describeError(judged.invalid)}` }
    if (!isBegun(call.decided) && !showsArguments(call.decided.question, shownInput(call.input, judged.input))) {
      throw new ToolFailure(
        `The arguments of '${offered.name}' are not those that the question showed. It was not run.`,
      )
    }
    if (!isUnknown) return await runToolCall(judged, run)
    return (await settleUnknown(judged, run)) ?? { errorText: endingText.unknown }
  } catch (error) {
    return { errorText: isToolFailure(error) ? error.message : 'The tool failed.' }
  }
}

/** Returns the result of a client's call whose tool the client no longer offers. */
const clientOutcome = (
  tool: string,
  approval: Approval,
): { readonly output: JsonValue } | { readonly errorText: string } => {
  const result = clientResult(tool, { accepted: isApproved(approval), data: approval.data })
  if ('errorText' in result || JSON.stringify(result.output).length <= maxToolOutput) return result
  return { errorText: `The result of '${tool}' is too large. At most ${maxToolOutput} characters are possible.` }
}

/** Returns the tool that the person decided about. Throws `ToolFailure` where it has changed, or is gone. */
const decidedTool = (approval: Approval, tools: TurnTools): OfferedTool => {
  const { tool, scope } = approval
  const offered = tools.find(tool)
  if (offered && offered.tool.approvalScope === scope) return offered
  const what = offered ? 'has changed' : scope === undefined ? 'is gone' : 'has changed or was removed'
  const now = isBegun(approval)
    ? 'It did not continue; its effects are unknown, check before you repeat it.'
    : 'It was not run.'
  throw new ToolFailure(`'${tool}' ${what} since the question was asked. ${now}`)
}
