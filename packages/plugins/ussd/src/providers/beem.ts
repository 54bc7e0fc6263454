import { z } from 'zod'
import { defineUssdProvider } from './define-ussd-provider.ts'
import type { ProviderMessage } from './ussd-provider.ts'
import { jsonReply, lastAnswers, optionalWireText, wireText, wireValue, wireWord } from './wire-fields.ts'

/**
 * Beem Africa: JSON with only the last answer in `payload.response`, and a command that begins, continues or ends a
 * session. Requests have no service code. The same answer within two seconds is one request.
 *
 * Source: the known fields of "USSD" on docs.beem.africa. Not confirmed on the page itself: what `payload.request_id`
 * counts (it is returned unchanged), the limit of a message (160 is used), and how the response to `terminate` is used.
 */
export const beem = defineUssdProvider({
  name: 'beem',
  title: 'Beem Africa',
  routes: [{ method: 'post', path: '', takes: 'json', summary: 'A dial, an answer or an end, as Beem sends it.' }],
  ...lastAnswers,
  request: z.object({
    command: wireWord,
    msisdn: wireText,
    session_id: wireText,
    operator: wireValue.default(''),
    payload: z.object({ request_id: wireValue.default(''), response: optionalWireText }).nullish(),
  }),
  read({ command, msisdn, session_id, operator, payload }) {
    const session = {
      sessionId: session_id,
      phoneNumber: msisdn,
      echo: { msisdn, operator, request_id: payload?.request_id ?? '' },
    }
    if (command === 'initiate') return { ...session, event: 'dial' }
    if (command === 'continue') return { ...session, event: 'input', text: payload?.response ?? '' }
    return command === 'terminate' ? { ...session, event: 'release' } : undefined
  },
  write: ({ kind, text }, _wire, message) => beemReply(kind === 'continue' ? 'continue' : 'terminate', text, message),
  acknowledge: (_wire, message) => beemReply('terminate', '', message),
})

const beemReply = (command: string, request: string, { sessionId, echo }: ProviderMessage) =>
  jsonReply({
    msisdn: echo?.msisdn ?? '',
    operator: echo?.operator ?? '',
    session_id: sessionId,
    command,
    payload: { request_id: echo?.request_id ?? '', request },
  })
