import { z } from 'zod'
import { defineUssdProvider } from './define-ussd-provider.ts'
import { jsonReply, optionalWireText, wireFlag, wireText, wireValue } from './wire-fields.ts'

/**
 * Nalo Solutions: JSON with only the last answer; `MSGTYPE` is true on the first request, which has the dialed text, and only
 * it has the service code. In a reply it is true while the session continues. A message has at most 120 characters. Requests
 * have no number: the same answer within two seconds is one request.
 *
 * Source: "USSD API Documentation" of Nalo Solutions on documenter.getpostman.com (7705958/UyrEhaLQ). Not confirmed: whether
 * the end of a session is reported.
 */
export const nalo = defineUssdProvider({
  name: 'nalo',
  title: 'Nalo Solutions',
  routes: [{ method: 'post', path: '', takes: 'json', summary: 'A dial or an answer, as Nalo sends it.' }],
  textMode: 'last',
  limits: { gsm7: 120, ucs2: 70 },
  duplicates: { windowMs: 2000 },
  request: z.object({
    USERID: wireValue.default(''),
    MSISDN: wireText,
    USERDATA: optionalWireText,
    MSGTYPE: wireFlag,
    SESSIONID: wireText,
  }),
  read: ({ USERID, MSISDN, USERDATA, MSGTYPE, SESSIONID }) => ({
    sessionId: SESSIONID,
    phoneNumber: MSISDN,
    echo: { USERID, MSISDN },
    ...(MSGTYPE ? { event: 'dial', dialled: USERDATA } : { event: 'input', text: USERDATA }),
  }),
  write: ({ kind, text }, _wire, { echo }) => jsonReply({ ...echo, MSG: text, MSGTYPE: kind === 'continue' }),
})
