import { z } from 'zod'
import { defineUssdProvider } from './define-ussd-provider.ts'
import { serviceCode as inFull, jsonReply, lastAnswers, optionalWireText, wireText, wireValue } from './wire-fields.ts'

/**
 * Oltranz: JSON with the names of Africa's Talking and another meaning: `text` is only the last answer. The reply is the
 * request with `response` and `action`. The same answer within two seconds is one request.
 *
 * Source: "USSD request/response objects" on developers.oltranz.com/ussdgateway. Not confirmed: when `newRequest` is 1 (a
 * request is a dial if it is 1, if `text` is empty, and if `text` is the code), the limit of a message (160 is used), and
 * whether the end of a session is reported.
 */
export const oltranz = defineUssdProvider({
  name: 'oltranz',
  title: 'Oltranz',
  routes: [{ method: 'post', path: '', takes: 'json', summary: 'A dial or an answer, as Oltranz sends it.' }],
  ...lastAnswers,
  request: z.object({
    sessionId: wireText,
    serviceCode: wireText,
    phoneNumber: wireText,
    text: optionalWireText,
    transactionId: wireValue.default(''),
    requestTime: wireValue.default(''),
    newRequest: wireValue.default(0),
    charge: wireValue.default('N'),
    amount: wireValue.default(0),
  }),
  read(request) {
    const { sessionId, serviceCode, phoneNumber, text, newRequest } = request
    const begins =
      text === '' || String(newRequest) === '1' || (text.startsWith('*') && inFull(text) === inFull(serviceCode))
    return {
      sessionId,
      serviceCode,
      phoneNumber,
      echo: request,
      ...(begins ? { event: 'dial', dialled: text } : { event: 'input', text }),
    }
  },
  write: ({ kind, text }, _wire, { echo }) =>
    jsonReply({ ...echo, response: text, action: kind === 'continue' ? 'CON' : 'END' }),
})
