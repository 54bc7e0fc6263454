import { z } from 'zod'
import { defineUssdProvider } from './define-ussd-provider.ts'
import { jsonReply, lastAnswers, optionalWireText, wireFlag, wireText, wireValue } from './wire-fields.ts'

/**
 * Arkesel: JSON with only the last answer; the first request has `newSession` and the dialed text, and only it has the service
 * code. Requests have no number: the same answer within two seconds is one request.
 *
 * Source: the fields of "USSD" on developers.arkesel.com, as public clients write them. Not confirmed on the page itself: the
 * limit of a message (160 is used), and whether the end of a session is reported.
 */
export const arkesel = defineUssdProvider({
  name: 'arkesel',
  title: 'Arkesel',
  routes: [{ method: 'post', path: '', takes: 'json', summary: 'A dial or an answer, as Arkesel sends it.' }],
  ...lastAnswers,
  request: z.object({
    sessionID: wireText,
    userID: wireValue.default(''),
    newSession: wireFlag,
    msisdn: wireText,
    userData: optionalWireText,
  }),
  read: ({ sessionID, userID, newSession, msisdn, userData }) => ({
    sessionId: sessionID,
    phoneNumber: msisdn,
    echo: { userID, msisdn },
    ...(newSession ? { event: 'dial', dialled: userData } : { event: 'input', text: userData }),
  }),
  write: ({ kind, text }, _wire, { sessionId, echo }) =>
    jsonReply({ sessionID: sessionId, ...echo, message: text, continueSession: kind === 'continue' }),
})
