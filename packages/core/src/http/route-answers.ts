import { z } from '@hono/zod-openapi'
import { problem } from '@sibyl/plugin'

/** The definition of a stream of the events of a turn; `ChatEvent` is the data of one event. */
const stream = (description: string) => ({
  description,
  content: {
    'text/event-stream': {
      schema: z.string().meta({
        description: 'Server-sent events: each `data` but the last, `[DONE]`, is one event as JSON',
        contentMediaType: 'text/event-stream',
        contentSchema: { $ref: '#/components/schemas/ChatEvent' },
      }),
      example: streamExample,
    },
  },
})

const streamExample = [
  { type: 'start', messageId: 'msg_4f2a' },
  { type: 'text-start', id: 't1' },
  { type: 'text-delta', id: 't1', delta: 'It is 14 °C in Berlin.' },
  { type: 'text-end', id: 't1' },
  { type: 'finish', finishReason: 'stop' },
]
  .map((event, index) => `id: turn_9c1d:${index + 1}\ndata: ${JSON.stringify(event)}\n\n`)
  .concat('data: [DONE]\n\n')
  .join('')

/** Common error responses of every start of a turn. */
const notStarted = {
  402: problem('A plugin rejected the turn'),
  429: problem('`token_budget_used`, or a plugin rejected the turn for now'),
  503: problem('`model_not_configured`, `overloaded`, `shutting_down`, `storage_unavailable`'),
  507: problem('`conversations_quota_reached`, `conversations_share_reached`, `conversations_full`'),
}

/** Responses of `POST /chat`. */
export const sendAnswers = {
  200: stream('The turn'),
  400: problem('`message_missing`, `message_empty`, `input_invalid`'),
  404: problem('`nothing_to_regenerate`, `approval_not_found`'),
  413: problem('`body_too_large`, or no space is left for an attachment'),
  422: problem('`attachments_off`, `attachments_too_many`, `attachment_invalid`'),
  409: problem('`turn_running`, `message_id_taken`, `approval_withdrawn`, `approval_decided`, `approval_waiting`'),
  ...notStarted,
}

/** Responses of `GET /chat/{id}/stream`. */
export const resumeAnswers = {
  200: stream('The turn'),
  204: { description: 'There is no stream to read' },
  400: problem('`event_id_invalid`'),
}

/** Responses of `POST /chat/{id}/stop`. */
export const stopAnswers = {
  200: {
    description: 'Whether a turn was running',
    content: { 'application/json': { schema: z.object({ stopped: z.boolean() }) } },
  },
  404: problem('`session_not_found`'),
}

/** Responses of `POST /chat/{id}/approvals/{approvalId}`. */
export const decideAnswers = {
  200: stream('The turn that continues'),
  202: {
    description: 'Other approvals of the turn are still pending',
    content: { 'application/json': { schema: z.object({ waiting: z.array(z.string()) }) } },
  },
  400: problem('`input_invalid`'),
  404: problem('`approval_not_found`'),
  409: problem('`approval_withdrawn`, `approval_decided`'),
  ...notStarted,
  403: problem('Not allowed; also `scope_missing` if the caller lacks the ability of the approved tool'),
}
