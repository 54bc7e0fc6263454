import { z } from 'zod'
import { standardLimits } from '../text/measure.ts'
import { defineUssdProvider } from './define-ussd-provider.ts'
import { optionalWireText, textReply, wireText } from './wire-fields.ts'

/**
 * Africa's Talking: forms with all of the session's answers joined by `*`, answered by text that begins with `CON` or `END`.
 * Any other response, or a status of 400 and above, ends the session without our text, so errors are sent with 200. A separate
 * callback reports the end of a session.
 *
 * Source: "Handle USSD" and "End of session notification" on developers.africastalking.com/docs/ussd.
 */
export const africasTalking = defineUssdProvider({
  name: 'africas-talking',
  title: "Africa's Talking",
  routes: [
    { method: 'post', path: '', takes: 'form', summary: "A dial or an answer, as Africa's Talking sends it." },
    {
      method: 'post',
      path: '/events',
      takes: 'form',
      summary: "The end of a session, as Africa's Talking reports it.",
    },
  ],
  textMode: 'cumulative',
  limits: standardLimits,
  duplicates: 'text',
  request: z.object({
    sessionId: wireText,
    phoneNumber: wireText,
    serviceCode: wireText,
    text: optionalWireText,
    status: wireText.optional(),
    durationInMillis: wireText.optional(),
  }),
  read({ sessionId, phoneNumber, serviceCode, text, status, durationInMillis }, wire) {
    const session = { sessionId, phoneNumber, serviceCode }
    const reportsTheEnd = status !== undefined && durationInMillis !== undefined
    if (reportsTheEnd) return { ...session, event: 'release' }
    if (wire.path === '/events') return undefined
    return { ...session, event: text === '' ? 'dial' : 'input', text }
  },
  write: ({ kind, text }) => textReply(`${kind === 'continue' ? 'CON' : 'END'} ${text}`),
})
