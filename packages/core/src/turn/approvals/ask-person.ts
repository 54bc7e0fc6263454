import { randomBytes } from 'node:crypto'
import type { Tool } from '@sibyl/plugin'
import { abilitiesOf, type PersonAnswer, type PersonQuestion } from '@sibyl/plugin/host'
import type { JsonValue } from '@sibyl/protocol'
import { jsonCopy } from '../../database/stored-json.ts'
import { clientCapability, type OfferedTool } from '../../tools/turn-tools.ts'
import { type Approval, approvedName, isBegun, type NewApproval } from '../store/approval-store.ts'
import type { RunningTurn } from '../store/running-turn.ts'
import { idempotencyKey } from '../store/tool-call-store.ts'
import { approvalQuestion, shownInput } from './approval-question.ts'
import type { AskingTurn } from './asking-turn.ts'

/** A tool call as the model made it. */
export interface ModelToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  /** The decision of the person, if the call waited for one: no other call has it, whatever its id. */
  readonly decided?: Approval
}

/** Asks whether a call may run. No one sees the question before it is stored. @param judged The call, if its input is valid. */
export const askForApproval = async (
  run: AskingTurn,
  approvalId: string,
  call: ModelToolCall,
  judged: DescribedCall | undefined,
): Promise<void> => {
  const { running } = run
  const { facts } = running
  running.waits()
  const sentence = await describeCall(running, call.toolName, judged)
  const question = approvalQuestion(sentence, shownInput(call.input, judged ? judged.input : call.input))
  await open(run, { ...openOf(run, call), id: approvalId, kind: 'approval', callTurnId: facts.id, question })
}

/** Asks what a running call asked. The call waits in storage before anyone sees the question. */
export const askForAnswer = async (
  run: AskingTurn,
  call: ModelToolCall,
  { text, schema, boundToProcess }: PersonQuestion,
  kind: 'question' | 'outcome' = 'question',
): Promise<void> => {
  const { running, dependencies } = run
  const { facts } = running
  const { toolCallId, decided: before } = call
  running.waits()
  const callTurnId = before?.callTurnId ?? facts.id
  const approvalId = `question_${randomBytes(12).toString('base64url')}`
  const approvalData = before && isBegun(before) ? before.approvalData : before?.data
  const isOfClient = run.tools.find(call.toolName)?.origin.capability === clientCapability
  await open(run, {
    ...openOf(run, call),
    id: approvalId,
    kind: isOfClient ? 'client' : kind,
    callTurnId,
    question: text,
    schema,
    approvalData,
    waits: idempotencyKey(callTurnId, toolCallId),
    ...(boundToProcess ? dependencies.heldCalls.hold(facts.id) : {}),
  })
}

const open = async ({ running, dependencies: { approvals, now } }: AskingTurn, question: NewApproval) => {
  if (await approvals.open(running.facts.actor.did, question, now())) showQuestion(running, question)
}

/** Shows a stored question to those who read the turn. */
export const showQuestion = (
  running: RunningTurn,
  { id: approvalId, kind, toolCallId, tool: toolName, question: text, schema }: NewApproval,
): void => {
  if (kind === 'client') {
    running.emit({ type: 'data-client-call', transient: true, data: { approvalId, toolCallId, toolName } })
    return
  }
  if (kind !== 'approval') {
    running.emit({ type: 'data-question', id: approvalId, data: { approvalId, toolCallId, text, schema } })
  }
  running.emit({ type: 'tool-approval-request', approvalId, toolCallId, reason: text })
}

const openOf = (
  { running: { facts }, tools }: AskingTurn,
  { toolCallId, toolName, input, decided: before }: ModelToolCall,
) => {
  const tool = tools.find(toolName)?.tool
  const scope = before ? before.scope : tool?.approvalScope
  const abilities = before ? (before.abilities ?? []) : abilitiesOf(tool?.ability)
  return {
    turnId: facts.id,
    sessionId: facts.sessionId,
    toolCallId,
    tool: toolName,
    input: jsonCopy(input),
    scope,
    abilities: abilities.length === 0 ? undefined : abilities,
  }
}

/** A call with valid input. */
interface DescribedCall {
  readonly tool: Tool
  readonly input: unknown
}

/** Returns the sentence of a tool about its call. */
export const describeCall = async (
  { turn }: RunningTurn,
  name: string,
  call: DescribedCall | undefined,
): Promise<string> => {
  try {
    const text: unknown = await call?.tool.describe?.(call.input, turn)
    if (typeof text === 'string' && text.trim() !== '') return text
  } catch {
    // A tool that cannot describe its call still requests approval.
  }
  return `Run ${name}`
}

/** Returns the number of questions that a call has asked by now. */
export const questionsOf = ({ answer }: RunningTurn, toolCallId: string): number =>
  answer.parts.filter(
    ({ type, data }) =>
      type === 'data-question' && (data as { readonly toolCallId?: unknown } | undefined)?.toolCallId === toolCallId,
  ).length

/** Whether a person let a call run. */
export const isApproved = ({ state }: Approval): boolean => state === 'once' || state === 'session'

/** Returns the approval of this very call, or of the tool as it is for the session, with what the person gave. */
export const approvedAs = (
  { approvedTools }: RunningTurn,
  { name, tool }: OfferedTool,
  decided: Approval | undefined,
): { readonly data?: JsonValue } | undefined => {
  if (decided && isBegun(decided)) return withData(decided.approvalData)
  if (decided && isApproved(decided)) return withData(decided.data)
  return approvedTools.has(approvedName(name, tool.approvalScope)) ? {} : undefined
}

/** Returns what the person answered to what a call asked; undefined for one that runs for the first time. */
export const answerOf = (decided: Approval | undefined): PersonAnswer | undefined => {
  if (!decided || !isBegun(decided) || decided.kind === 'outcome') return undefined
  return isApproved(decided) ? { accepted: true, ...withData(decided.data) } : { accepted: false }
}

const withData = (data: JsonValue | undefined): { readonly data?: JsonValue } => (data === undefined ? {} : { data })
