import { defineErrors, type Refusal, type Route, type RouteRefusal, type TurnResult } from '@sibyl/plugin'
import { retryAfter } from '@sibyl/plugin/host'
import { z } from 'zod'

/** Errors of the OpenAI adapter's own. */
export const openaiErrors = defineErrors({
  openai_answer_changed: {
    status: 503,
    message: 'Another process continues this answer, and a part of its text changed. Send the request again.',
  },
  openai_key_reused: {
    status: 422,
    message: 'This Idempotency-Key came with another request within a day. Send the same request, or a new key.',
  },
  openai_message_missing: {
    status: 400,
    message: 'The last message is not from the user. End `messages` or `input` with a user message.',
  },
  openai_not_supported: {
    status: 400,
    message: '{what} is not supported. Remove it from the request.',
    summary: 'The request uses a part of the OpenAI API that the oracle does not have; the message names it.',
  },
  openai_response_unknown: {
    status: 404,
    message: 'There is no response with this id. It may have been deleted, have expired, or belong to another caller.',
  },
})

/** An error as clients of the OpenAI API read it. */
export interface OpenAiError {
  readonly message: string
  readonly type: string
  /** The part of the request that is invalid, such as `messages[0].content`. */
  readonly param: string | null
  readonly code: string
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** Returns an error in OpenAI's form. */
export const openAiError = ({ status, code, detail, issues }: RouteRefusal): OpenAiError => ({
  message: detail ?? code,
  type: types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
  param: paramOf(issues?.[0]?.path),
  code,
})

/** Describes an answer of JSON, or of server-sent events with `stream`. */
export const orStream = <Answer extends z.ZodType>(schema: Answer) => ({
  200: {
    description: 'The answer; with `stream`, its events',
    content: { 'application/json': { schema }, 'text/event-stream': { schema: z.string() } },
  },
})

/** Converts a JSON Pointer: `/messages/0/content` to `messages[0].content`. */
const paramOf = (pointer = ''): string | null =>
  pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, place) => (/^\d+$/.test(part) ? `[${part}]` : `${place === 0 ? '' : '.'}${part}`))
    .join('') || null

/** Answers a refused request in OpenAI's form. */
export const refuse: NonNullable<Route['refuse']> = (_, refusal) =>
  Response.json({ error: openAiError(refusal) }, { status: refusal.status })

/** Answers a turn that was refused. */
export const refuseTurn = (refused: Refusal): Response =>
  Response.json({ error: openAiError(refused) }, { status: refused.status, headers: retryAfter(refused) })

/** Returns the error that ends a stream whose text changed: clients cannot take text back. */
export const answerChanged = (): RouteRefusal => {
  const { status, code, message: detail } = openaiErrors.openai_answer_changed()
  return { status, code, detail }
}

/** Returns the error of a turn that failed after it began. */
export const failedTurn = ({ outcome, code = `turn_${outcome}`, detail = code }: TurnResult): RouteRefusal => ({
  status: code === 'turn_time_limit' ? 504 : 502,
  code,
  detail,
})
