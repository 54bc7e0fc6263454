import { z } from 'zod'
import { standardLimits } from '../text/measure.ts'
import { defineUssdProvider } from './define-ussd-provider.ts'
import type { WireRequest } from './ussd-provider.ts'
import { errorStatus, jsonReply, optionalWireText, wireText } from './wire-fields.ts'

/**
 * Infobip: JSON with only the last answer; the path has the session's id and its event. The first reply never closes a session:
 * an end is shown there as a menu, and closes with the next answer. Only the start has the service code. The same answer
 * within two seconds is one request.
 *
 * Source: "USSD Gateway to Third-party Application HTTP/REST/JSON Web Service API", as the documentation of Vumi's Infobip
 * transport quotes it (docs.vumi.org). Not confirmed: the method of each path (POST and PUT are both accepted), whether
 * the end of a session has its owner, and the exit codes. The status of a session is not reported.
 */
export const infobip = defineUssdProvider({
  name: 'infobip',
  title: 'Infobip',
  routes: [
    { method: 'post', path: '/session/{id}/start', takes: 'json', summary: 'A dial, as Infobip sends it.' },
    { method: 'post', path: '/session/{id}/response', takes: 'json', summary: 'An answer, as Infobip sends it.' },
    { method: 'put', path: '/session/{id}/response', takes: 'json', summary: 'An answer, as Infobip sends it.' },
    {
      method: 'post',
      path: '/session/{id}/end',
      takes: 'json',
      summary: 'The end of a session, as Infobip reports it.',
    },
    {
      method: 'put',
      path: '/session/{id}/end',
      takes: 'json',
      summary: 'The end of a session, as Infobip reports it.',
    },
  ],
  textMode: 'last',
  limits: standardLimits,
  duplicates: { windowMs: 2000 },
  request: z.object({ msisdn: wireText, text: optionalWireText, shortCode: optionalWireText }),
  read({ msisdn, text, shortCode }, wire) {
    const session = { sessionId: wire.params.id ?? '', phoneNumber: msisdn }
    const step = stepOf(wire)
    if (step === 'start') return { ...session, event: 'dial', dialled: shortCode }
    return step === 'response' ? { ...session, event: 'input', text } : { ...session, event: 'release' }
  },
  write: ({ kind, text }, wire) =>
    jsonReply({
      ussdMenu: text,
      shouldClose: kind === 'end' && stepOf(wire) !== 'start',
      responseExitCode: 200,
      responseMessage: '',
    }),
  acknowledge: () => jsonReply(acknowledgement),
  fault(violation, text, wire) {
    if (violation === 'invalid' && stepOf(wire) === 'end') return jsonReply(acknowledgement)
    const reply = jsonReply({
      ussdMenu: text,
      shouldClose: stepOf(wire) !== 'start',
      responseExitCode: exitCodes[violation],
      responseMessage: text,
    })
    return { ...reply, status: errorStatus(violation) }
  },
})

const acknowledgement = { responseExitCode: 200, responseMessage: '' }

const exitCodes = { invalid: 400, refused: 403, 'rate-limited': 429, unavailable: 503 } as const

const stepOf = ({ path }: WireRequest): string => path.slice(path.lastIndexOf('/') + 1)
