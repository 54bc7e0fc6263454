import { z } from 'zod'
import { defineUssdProvider } from './define-ussd-provider.ts'
import { jsonReply, lastAnswers, optionalWireText, wireText, wireWord } from './wire-fields.ts'

/**
 * Hollatags: GET with the last answer alone in the query, answered in JSON. It has no count of requests: the same answer
 * within two seconds is one request.
 *
 * After "USSD Inbound" on docs.hollatags.com. Not confirmed: what `session_msg` holds on `begin` (taken as what was dialled
 * where it is a code), and what is read of the answer to `end`.
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
