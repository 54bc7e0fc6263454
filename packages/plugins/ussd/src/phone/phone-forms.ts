import { narrowLimits, standardLimits } from '../text/measure.ts'
import {
  digitsOf,
  formRequest,
  jsonReader,
  jsonRequest,
  lastAnswer,
  objectIn,
  type PhoneCall,
  type PhoneForm,
  queryRequest,
  readText,
} from './phone-form.ts'

/**
 * Returns the form of the specification, `POST /api/ussd`.
 *
 * @param textMode What `text` contains, as `USSD_TEXT_MODE` says. @default 'cumulative'
 */
export const plainForm = (textMode: PhoneForm['textMode'] = 'cumulative'): PhoneForm => ({
  name: 'plain',
  title: 'Specification',
  textMode,
  limits: standardLimits,
  request: call => {
    const { sessionId, serviceCode, phoneNumber, answers } = call
    const text = textMode === 'last' ? (lastAnswer(call) ?? '') : answers.join('*')
    return jsonRequest('', { sessionId, serviceCode, phoneNumber, text })
  },
  read: readText,
})

const africasTalking: PhoneForm = {
  name: 'africas-talking',
  title: "Africa's Talking",
  textMode: 'cumulative',
  limits: standardLimits,
  request: call => formRequest('/africas-talking', { ...callFields(call), text: call.answers.join('*') }),
  read: readText,
  end: (call, reason) =>
    formRequest('/africas-talking/events', {
      ...callFields(call),
      status: reason === 'timeout' ? 'Failed' : 'Incomplete',
      durationInMillis: '1000',
      hopsCount: String(call.answers.length + 1),
    }),
}

const callFields = ({ sessionId, phoneNumber, serviceCode }: PhoneCall) => ({
  sessionId,
  phoneNumber,
  networkCode: '99999',
  serviceCode,
})

const arkesel: PhoneForm = {
  name: 'arkesel',
  title: 'Arkesel',
  textMode: 'last',
  limits: narrowLimits,
  request: call =>
    jsonRequest('/arkesel', {
      sessionID: call.sessionId,
      userID: 'SIMULATED',
      newSession: lastAnswer(call) === undefined,
      msisdn: digitsOf(call),
      userData: lastAnswer(call) ?? call.serviceCode,
      network: 'MTN',
    }),
  read: jsonReader(({ message, continueSession }) => [message, continueSession === true]),
}

const beem: PhoneForm = {
  name: 'beem',
  title: 'Beem Africa',
  textMode: 'last',
  limits: narrowLimits,
  request: call =>
    jsonRequest('/beem', beemFields(call, lastAnswer(call) === undefined ? 'initiate' : 'continue', lastAnswer(call))),
  read: jsonReader(({ command, payload }) => [objectIn(payload).request, command === 'continue']),
  end: call => jsonRequest('/beem', beemFields(call, 'terminate', '')),
}

const beemFields = (call: PhoneCall, command: string, response = '0') => ({
  command,
  msisdn: digitsOf(call),
  session_id: call.sessionId,
  operator: 'vodacom',
  payload: { request_id: String(call.answers.length + 1), response },
})

const typedFields = (call: PhoneCall, end?: 'release' | 'timeout') => {
  const { sessionId, serviceCode } = call
  const types = { release: 'Release', timeout: 'Timeout' } as const
  const answer = lastAnswer(call)
  return {
    Type: end === undefined ? (answer === undefined ? 'Initiation' : 'Response') : types[end],
    Mobile: digitsOf(call),
    SessionId: sessionId,
    ServiceCode: /^\*(\d+)/.exec(serviceCode)?.[1] ?? serviceCode,
    Message: end === undefined ? (answer ?? serviceCode) : '',
    Operator: 'mtn',
  }
}

const emergent: PhoneForm = {
  name: 'emergent',
  title: 'Emergent',
  textMode: 'last',
  limits: narrowLimits,
  request: call => jsonRequest('/emergent', typedFields(call)),
  read: jsonReader(({ Message, Type }) => [Message, Type === 'Response']),
  end: (call, reason) => jsonRequest('/emergent', typedFields(call, reason)),
}

const hollatags: PhoneForm = {
  name: 'hollatags',
  title: 'Hollatags',
  textMode: 'last',
  limits: narrowLimits,
  request: call =>
    queryRequest('/hollatags', hollatagsFields(call, lastAnswer(call) === undefined ? 'begin' : 'continue')),
  read: jsonReader(({ session_msg, session_operation }) => [session_msg, session_operation === 'continue']),
  end: call => queryRequest('/hollatags', hollatagsFields(call, 'end')),
}

const hollatagsFields = (call: PhoneCall, operation: 'begin' | 'continue' | 'end') => ({
  session_operation: operation,
  session_type: '1',
  session_id: call.sessionId,
  session_msisdn: digitsOf(call),
  session_from: call.serviceCode,
  session_msg: operation === 'continue' ? (lastAnswer(call) ?? '') : operation === 'begin' ? call.serviceCode : '',
  session_mno: 'MTN',
})

const hubtel: PhoneForm = {
  name: 'hubtel',
  title: 'Hubtel',
  textMode: 'last',
  limits: narrowLimits,
  request: call => jsonRequest('/hubtel', { ...typedFields(call), ...hubtelFields(call.answers.length + 1) }),
  read: jsonReader(({ Message, Type }) => [Message, Type === 'response']),
  end: (call, reason) =>
    jsonRequest('/hubtel', { ...typedFields(call, reason), ...hubtelFields(call.answers.length + 2) }),
}

const hubtelFields = (sequence: number) => ({ Sequence: sequence, ClientState: '', Platform: 'USSD' })

const infobip: PhoneForm = {
  name: 'infobip',
  title: 'Infobip',
  textMode: 'last',
  limits: standardLimits,
  request: call => {
    const answer = lastAnswer(call)
    return jsonRequest(infobipPath(call, answer === undefined ? 'start' : 'response'), {
      msisdn: digitsOf(call),
      text: answer ?? call.serviceCode,
      shortCode: call.serviceCode,
    })
  },
  read: jsonReader(({ ussdMenu, shouldClose }) => [ussdMenu, shouldClose === false]),
  end: (call, reason) =>
    jsonRequest(infobipPath(call, 'end'), {
      msisdn: digitsOf(call),
      reason: reason === 'timeout' ? 'userTimeout' : 'userAbort',
      exitCode: 600,
    }),
}

const infobipPath = ({ sessionId }: PhoneCall, step: 'start' | 'response' | 'end'): string =>
  `/infobip/session/${encodeURIComponent(sessionId)}/${step}`

const nalo: PhoneForm = {
  name: 'nalo',
  title: 'Nalo Solutions',
  textMode: 'last',
  limits: { gsm7: 120, ucs2: 70 },
  request: call =>
    jsonRequest('/nalo', {
      USERID: 'SIMULATED',
      MSISDN: digitsOf(call),
      USERDATA: lastAnswer(call) ?? call.serviceCode,
      MSGTYPE: lastAnswer(call) === undefined,
      NETWORK: 'MTN',
      SESSIONID: call.sessionId,
    }),
  read: jsonReader(({ MSG, MSGTYPE }) => [MSG, MSGTYPE === true]),
}

const oltranz: PhoneForm = {
  name: 'oltranz',
  title: 'Oltranz',
  textMode: 'last',
  limits: narrowLimits,
  request: call =>
    jsonRequest('/oltranz', {
      sessionId: call.sessionId,
      serviceCode: call.serviceCode,
      phoneNumber: digitsOf(call),
      text: lastAnswer(call) ?? '',
      newRequest: lastAnswer(call) === undefined ? 1 : 0,
      transactionId: String(call.answers.length + 1),
    }),
  read: jsonReader(({ response, action }) => [response, action === 'CON']),
}

/** The forms of the specification and of all bundled providers. */
export const phoneForms: readonly PhoneForm[] = [
  plainForm(),
  africasTalking,
  arkesel,
  beem,
  emergent,
  hollatags,
  hubtel,
  infobip,
  nalo,
  oltranz,
]
