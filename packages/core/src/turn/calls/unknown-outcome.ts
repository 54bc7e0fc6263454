import type { PersonQuestion } from '@sibyl/plugin/host'
import { isObject, type JsonValue } from '@sibyl/protocol'
import { approvalQuestion, shownInput } from '../approvals/approval-question.ts'
import { describeCall, isApproved } from '../approvals/ask-person.ts'
import type { Approval } from '../store/approval-store.ts'
import { endingText, idempotencyKey } from '../store/tool-call-store.ts'
import type { CallingTurn, JudgedCall, ToolCallResult } from './calling-turn.ts'
import { runToolCall } from './run-tool-call.ts'

/** The answers of a user about a call whose process ended. */
const answers = { applied: 'applied', notApplied: 'not applied', unknown: 'unknown' } as const

const schema: PersonQuestion['schema'] = {
  type: 'object',
  properties: { outcome: { type: 'string', title: 'Did it take effect?', enum: Object.values(answers) } },
  required: ['outcome'],
}

/**
 * Settles a writing call that was running when its process ended: one that is safe to repeat runs again, as does an agent, and
 * its tool may find out how it ended. Otherwise it returns the question to the user, or undefined where no one can be asked.
 */
export const settleUnknown = async (
  call: JudgedCall,
  run: CallingTurn,
): Promise<ToolCallResult | { readonly ask: PersonQuestion } | undefined> => {
  const { tool, toolCallId, name, input, given, decided } = call
  const { running, dependencies } = run
  const rerun = () => runToolCall({ ...call, repeats: true }, run)
  if (tool.repeatable || tool.agent) return rerun()
  const found = tool.outcome ? await findOutcome(call, run) : undefined
  if (found?.applied === false) return rerun()
  if (found?.applied) {
    const key = idempotencyKey(decided?.callTurnId ?? running.facts.id, running.storedCallId(toolCallId))
    await dependencies.toolCalls.settle(key, 'done', JSON.stringify(found.output))
    return { output: found.output }
  }
  if (running.request.approvals !== 'ask') return undefined
  const sentence = `The oracle stopped during this call. Did it take effect? ${await describeCall(running, name, call)}`
  return { ask: { text: approvalQuestion(sentence, shownInput(given, input)), schema, boundToProcess: false } }
}

type FoundOutcome = { readonly applied: true; readonly output: JsonValue } | { readonly applied: false }

/** Has the tool of a call find out how it ended; undefined where it cannot. */
const findOutcome = async (call: JudgedCall, run: CallingTurn): Promise<FoundOutcome | undefined> => {
  const { output, outcome, ...tool } = call.tool
  try {
    const reading = { ...tool, effect: 'read' as const, execute: outcome! }
    const result = await runToolCall({ ...call, tool: reading }, run)
    const found = 'output' in result ? result.output : undefined
    if (!isObject(found) || typeof found.applied !== 'boolean') return undefined
    if (!found.applied) return { applied: false }
    const checked = output ? await output.parseAsync(found.output) : found.output
    return { applied: true, output: JSON.parse(JSON.stringify(checked ?? null)) as JsonValue }
  } catch (error) {
    run.dependencies.log.warn('the outcome of a call could not be found out', { tool: call.name, error })
    return undefined
  }
}

/** Returns the result of a call by what the user answered about it; undefined for one that runs now. */
export const confirmedOutcome = async (
  approval: Approval,
  { dependencies: { toolCalls } }: CallingTurn,
): Promise<{ readonly errorText: string } | undefined> => {
  if (approval.kind !== 'outcome') return undefined
  const given = isApproved(approval) && isObject(approval.data) ? approval.data.outcome : undefined
  if (given === answers.notApplied) return undefined
  if (given !== answers.applied) return { errorText: endingText.unknown }
  await toolCalls.settle(idempotencyKey(approval.callTurnId, approval.toolCallId), 'done')
  return { errorText: endingText.done }
}
