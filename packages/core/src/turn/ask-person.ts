import { createHash, randomBytes } from 'node:crypto'
import type { PersonQuestion } from '@sibyl/plugin'
import { jsonCopy } from '../sessions/stored-message.ts'
import type { OfferedTool } from '../tools/turn-tools.ts'
import type { Approval } from './approval-store.ts'
import type { RunningTurn } from './running-turn.ts'
import type { TurnServices } from './turn-dependencies.ts'

/** A tool call about which a person is asked. */
export interface AskedCall {
  readonly toolCallId: string
  readonly tool: string
  readonly input: unknown
  /** The tool's `approvalScope`. */
  readonly scope: string | undefined
  /** The abilities of which the tool needs one. */
  readonly abilities: readonly string[]
}

/** Asks whether a call may run. Nobody sees the question before it is stored. */
export const askForApproval = async (
  running: RunningTurn,
  services: TurnServices,
  call: AskedCall,
  approvalId: string,
  text: string,
): Promise<void> => {
  const { facts } = running
  const opened = await services.approvals.open(
    facts.actor.did,
    { ...openOf(running, call), id: approvalId, kind: 'approval', callTurnId: facts.id, question: text },
    services.now(),
  )
  if (opened) running.emit({ type: 'tool-approval-request', approvalId, toolCallId: call.toolCallId, reason: text })
}

/** Asks what a call asked in the midst of its work. The call waits in storage before anybody sees the question. */
export const askForAnswer = async (
  running: RunningTurn,
  services: TurnServices,
  call: AskedCall,
  { text, schema, boundToProcess }: PersonQuestion,
): Promise<void> => {
  const { facts } = running
  const { toolCallId } = call
  const before = approvalOf(running, toolCallId)
  const callTurnId = before?.callTurnId ?? facts.id
  const approvalId = `question_${randomBytes(12).toString('base64url')}`
  const approvalData = before?.kind === 'question' ? before.approvalData : before?.data
  const opened = await services.approvals.open(
    facts.actor.did,
    {
      ...openOf(running, call),
      id: approvalId,
      kind: 'question',
      callTurnId,
      question: text,
      ...(schema === undefined ? {} : { schema }),
      ...(approvalData === undefined ? {} : { approvalData }),
      waits: idempotencyKey(callTurnId, toolCallId),
      ...(boundToProcess ? services.boundCalls.hold(facts.id) : {}),
    },
    services.now(),
  )
  if (!opened) return
  const data = { approvalId, toolCallId, text, ...(schema === undefined ? {} : { schema }) }
  running.emit({ type: 'data-question', id: approvalId, data })
  running.emit({ type: 'tool-approval-request', approvalId, toolCallId, reason: text })
}

/** What a person decided about a call that is taken up. */
export const approvalOf = ({ takesUp }: RunningTurn, toolCallId: string): Approval | undefined =>
  takesUp?.toolCallId === toolCallId ? takesUp : undefined

/** How often a call has asked by now. */
export const questionsOf = ({ answer }: RunningTurn, toolCallId: string): number =>
  answer.parts.filter(
    ({ type, data }) =>
      type === 'data-question' && (data as { readonly toolCallId?: unknown } | undefined)?.toolCallId === toolCallId,
  ).length

const openOf = ({ facts }: RunningTurn, { toolCallId, tool, input, scope, abilities }: AskedCall) => ({
  turnId: facts.id,
  sessionId: facts.sessionId,
  toolCallId,
  tool,
  input: jsonCopy(input),
  ...(scope === undefined ? {} : { scope }),
  ...(abilities.length === 0 ? {} : { abilities }),
})

/** As what a tool is noted that a person approved for a session: its name, and what the approval is for beside it. */
export const approvedName = (tool: string, scope: string | undefined): string =>
  scope === undefined ? tool : `${tool} ${scope}`

/** The same of a tool as it is offered. */
export const approvedNameOf = ({ name, tool }: Pick<OfferedTool, 'name' | 'tool'>): string =>
  approvedName(name, tool.approvalScope)

const plainId = /^[\w.:-]{1,128}$/

/**
 * What a tool call is known by, also after a restart: its turn and its id. An id that a model made longer or odder than
 * databases and services take is hashed.
 */
export const idempotencyKey = (turnId: string, toolCallId: string): string =>
  `${turnId}:${plainId.test(toolCallId) ? toolCallId : createHash('sha256').update(toolCallId).digest('base64url')}`
