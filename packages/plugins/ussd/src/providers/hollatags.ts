import { z } from 'zod'
import { defineUssdProvider } from './define-ussd-provider.ts'
import { jsonReply, lastAnswers, optionalWireText, wireText, wireWord } from './wire-fields.ts'

/**
 * Hollatags: GET with only the last answer in the query; the response is JSON. Requests have no number: the same answer
 * within two seconds is one request.
 *
 * Source: "USSD Inbound" on docs.hollatags.com. Not confirmed: the content of `session_msg` on `begin` (used as the
 * dialed text if it is a code), and how the response to `end` is used.
 */
export const hollatags = defineUssdProvider({
  name: 'hollatags',
  title: 'Hollatags',
  routes: [{ method: 'get', path: '', takes: 'query', summary: 'A dial, an answer or an end, as Hollatags sends it.' }],
  ...lastAnswers,
  request: z.object({
    session_operation: wireWord,
    session_id: wireText,
    session_msisdn: wireText,
    session_from: optionalWireText,
    session_msg: optionalWireText,
  }),
  read({ session_operation, session_msg, ...request }) {
    const session = {
      sessionId: request.session_id,
      phoneNumber: request.session_msisdn,
      serviceCode: request.session_from,
    }
    if (session_operation === 'begin') return { ...session, event: 'dial', dialled: session_msg }
    if (session_operation === 'continue') return { ...session, event: 'input', text: session_msg }
    return session_operation === 'end' ? { ...session, event: 'release' } : undefined
  },
  write: ({ kind, text }, _wire, { sessionId }) =>
    jsonReply({
      session_operation: kind === 'continue' ? 'continue' : 'end',
      session_type: kind === 'continue' ? 1 : 4,
      session_id: sessionId,
      session_msg: text,
    }),
  acknowledge: (_wire, { sessionId }) =>
    jsonReply({ session_operation: 'end', session_type: 4, session_id: sessionId, session_msg: '' }),
})
