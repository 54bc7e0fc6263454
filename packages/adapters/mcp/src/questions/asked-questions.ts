import { inputResponse } from '@modelcontextprotocol/server'
import type { Host, Refusal, StartedTurn } from '@sibyl/plugin'
import { identifier, type JsonValue, jsonValue, parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { invalidParams, turnRefused } from '../errors/turn-refused.ts'
import type { Caller } from '../turns/caller.ts'

/** The most characters of an approval question in a form. */
export const maxQuestion = 8_000

const askedQuestions = z.object({
  session: identifier,
  tool: z.string().max(200),
  questions: z
    .array(z.object({ id: z.string().max(200), kind: z.enum(['approval', 'question']) }))
    .min(1)
    .max(100),
})

/** Questions that a request was answered with. */
export type AskedQuestions = z.output<typeof askedQuestions>

/**
 * Returns the state that a client sends back with the answers. It proves nothing: the oracle finds an approval by its owner,
 * and runs the call that it stored with it.
 */
export const stateOf = (asked: AskedQuestions): string => JSON.stringify(asked)

/** Returns the questions that a request answers; undefined if it is a new one. Throws for an invalid state. */
export const askedBefore = ({ request }: Caller, tool: string): AskedQuestions | undefined => {
  const state: unknown = request.requestState()
  if (state === undefined) return undefined
  const { data } = askedQuestions.safeParse(typeof state === 'string' ? parseJson(state) : undefined)
  if (data?.tool !== tool) throw invalidParams('requestState is invalid. Send the one of the last result, or none.')
  return data
}

const decisionForm = z.object({ decision: z.enum(['once', 'session', 'deny']) })

/** Decides the questions as the user answered, and returns the turn that goes on. A form that was declined denies. */
export const decideQuestions = async (
  turns: Host['turns'],
  { session, questions }: AskedQuestions,
  { actor, request }: Caller,
): Promise<StartedTurn> => {
  for (const { id, kind } of questions) {
    const response = inputResponse(request.inputResponses, id)
    if (response.kind !== 'elicit') throw invalidParams(`inputResponses has no answer to '${id}'.`)
    const content = response.action === 'accept' ? (response.content ?? {}) : undefined
    const { decision, data } = decisionOf(kind, content)
    const decided = await turns.decide(actor, id, decision, data, { session, maxQuestion })
    if ('refused' in decided) throw turnRefused(decided.refused)
    if (decided.turn) return decided.turn
  }
  throw turnRefused(stillWaiting)
}

const stillWaiting: Refusal = {
  status: 409,
  code: 'approval_waiting',
  detail: 'Other questions of this turn are still pending. Answer all of them.',
}

const decisionOf = (
  kind: 'approval' | 'question',
  content: unknown,
): { readonly decision: 'once' | 'session' | 'deny'; readonly data?: JsonValue } => {
  if (content === undefined) return { decision: 'deny' }
  if (kind === 'question') return { decision: 'once', data: jsonValue.parse(content) }
  return { decision: decisionForm.safeParse(content).data?.decision ?? 'deny' }
}
