import { consentText, type StartedTurn, type TurnResult, TurnText } from '@sibyl/plugin'
import type { PendingCall } from '@sibyl/plugin/host'
import { type ChatEvent, messageParts } from '@sibyl/protocol'
import { maxQuestion, type WaitingTurn } from './run-conversation.ts'

/** An event of the oracle's own, which the OpenAI API has no form for. */
export type SibylEvent =
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool_result'; readonly id: string; readonly output?: unknown; readonly error?: string }
  | { readonly type: 'approval'; readonly id: string; readonly tool_call: string; readonly text: string }
  | { readonly type: 'notice'; readonly code: string; readonly text: string }

/** A piece of an answer in either API. */
export type AnswerPiece =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  /** Another process continues the turn: of the text so far, this part counts. */
  | { readonly kind: 'dropped'; readonly text: string }
  | { readonly kind: 'event'; readonly event: SibylEvent }
  | { readonly kind: 'call'; readonly call: ClientCall }
  | {
      readonly kind: 'end'
      readonly result: TurnResult
      readonly approvals: readonly string[]
      /** Calls that the client is to run. */
      readonly calls: readonly ClientCall[]
      /** Why the answer is not whole. */
      readonly cut?: 'length' | 'content-filter' | undefined
    }

/** A call of a tool that the client runs. */
export interface ClientCall {
  readonly id: string
  readonly name: string
  /** JSON. */
  readonly arguments: string
}

/**
 * Reads a turn as pieces of an answer; the last one is its end. Approval questions become text with how to answer them.
 *
 * @param pendingOf Returns what a turn waits for.
 * @param notices Texts about what the oracle does not read of the request.
 */
export async function* answerPieces(
  turn: StartedTurn | WaitingTurn,
  pendingOf: (turnId: string) => Promise<readonly PendingCall[]>,
  notices: readonly string[] = [],
): AsyncGenerator<AnswerPiece> {
  for (const text of notices) yield { kind: 'event', event: { type: 'notice', code: 'input_left_out', text } }
  if ('pending' in turn) {
    yield* endPieces(
      { turnId: turn.turnId, outcome: 'awaiting-approval', text: '', usage: noUsage },
      turn.pending,
      false,
    )
    return
  }
  const answer = new TurnText(betweenSteps)
  let cut: AnswerCut
  for await (const given of turn.events) {
    const { event } = given
    if (event.type === 'finish') cut = cutOf(event.finishReason)
    if (answer.add(given)) {
      if (event.type === 'text-delta') yield { kind: 'text', text: event.delta }
      else if (event.type === 'text-start') yield { kind: 'text', text: betweenSteps }
      else yield { kind: 'dropped', text: answer.text }
    }
    if (event.type === 'reasoning-delta') yield { kind: 'reasoning', text: event.delta }
    const own = sibylEvent(event)
    if (own) yield { kind: 'event', event: own }
  }
  const result = await turn.finished
  const pending = result.outcome === 'awaiting-approval' ? await pendingOf(result.turnId) : []
  yield* endPieces(result, pending, answer.text !== '', cut)
}

const betweenSteps = '\n\n'

type AnswerCut = Extract<AnswerPiece, { readonly kind: 'end' }>['cut']

const cutOf = (reason: string | undefined): AnswerCut =>
  reason === 'length' || reason === 'content-filter' ? reason : undefined

const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

/** Returns the pieces after the last event of a turn: what it waits for, and its end. */
function* endPieces(
  result: TurnResult,
  pending: readonly PendingCall[],
  hasText: boolean,
  cut?: AnswerCut,
): Generator<AnswerPiece> {
  const calls = pending.flatMap(call => (call.kind === 'client' ? [clientCall(call)] : []))
  const questions = pending.filter(({ kind }) => kind !== 'client')
  for (const call of calls) yield { kind: 'call', call }
  if (questions.length > 0) {
    const asked = consentText(
      questions.map(({ text }) => text),
      maxQuestion,
      asMarkdown,
    )
    yield { kind: 'text', text: `${hasText ? '\n\n' : ''}${asked}` }
  }
  yield { kind: 'end', result, approvals: questions.map(({ approvalId }) => approvalId), calls, cut }
}

/** Returns a question with its arguments in a code block, since clients render Markdown: it would hide a comment, for example. */
const asMarkdown = (question: string): string => {
  const [sentence = '', shown] = question.split(/\n\n(.*)$/s)
  const line = sentence.replaceAll('<', '\\<')
  if (shown === undefined) return line
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${line}\n\n${fence}text\n${shown}\n${fence}`
}

const clientCall = ({ toolCallId, tool, input }: PendingCall): ClientCall => ({
  id: toolCallId,
  name: tool,
  arguments: JSON.stringify(input ?? {}),
})

const sibylEvent = (event: ChatEvent): SibylEvent | undefined => {
  switch (event.type) {
    case 'tool-input-available':
      return { type: 'tool_call', id: event.toolCallId, name: event.toolName, input: event.input }
    case 'tool-output-available':
      return { type: 'tool_result', id: event.toolCallId, output: event.output }
    case 'tool-output-error':
      return { type: 'tool_result', id: event.toolCallId, error: event.errorText }
    case 'tool-approval-request': {
      const { approvalId: id, toolCallId: tool_call, reason: text = 'May this be done?' } = event
      return { type: 'approval', id, tool_call, text }
    }
    case 'data-notice':
      return noticeOf(event.data)
    default:
      return undefined
  }
}

const noticeOf = (data: unknown): SibylEvent | undefined => {
  const notice = messageParts.notice.safeParse(data).data
  return notice && { type: 'notice', ...notice }
}
