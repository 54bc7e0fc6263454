import type { OracleApp } from '@sibyl/core'
import type { UssdReply } from '../requests/ussd-request.ts'

/** A phone on the network of one provider. */
export interface ProviderPhone {
  dial(): Promise<ProviderScreen>
  answer(text: string): Promise<ProviderScreen>
}

/** The screen of the phone. */
export interface ProviderScreen extends UssdReply {
  /** Status of the HTTP response. */
  readonly status: number
}

interface Call {
  readonly method?: string
  readonly path?: string
  readonly json?: object
  readonly form?: Record<string, string>
  readonly query?: Record<string, string>
}

interface Network {
  /** @param text last input; undefined for a dial */
  call(session: string, text: string | undefined, typed: string, count: number): Call
  read(body: string): UssdReply
}

const number = '233244123456'

const fields =
  (more: string, text: string, isMore: (value: unknown) => boolean) =>
  (body: string): UssdReply => {
    const value = JSON.parse(body)
    return { kind: isMore(value[more]) ? 'continue' : 'end', text: value[text] }
  }

const isTrue = (value: unknown) => value === true
const is = (word: string) => (value: unknown) => value === word

const networks: Record<string, Network> = {
  'africas-talking': {
    call: (sessionId, _text, typed) => ({
      form: { sessionId, phoneNumber: `+${number}`, networkCode: '1', serviceCode: '*1234#', text: typed },
    }),
    read: body => ({ kind: body.startsWith('CON ') ? 'continue' : 'end', text: body.slice(4) }),
  },
  arkesel: {
    call: (sessionID, text) => ({
      json: {
        sessionID,
        userID: 'U',
        msisdn: number,
        network: 'MTN',
        newSession: text === undefined,
        userData: text ?? '*1234#',
      },
    }),
    read: fields('continueSession', 'message', isTrue),
  },
  beem: {
    call: (session_id, text) => ({
      json: {
        command: text === undefined ? 'initiate' : 'continue',
        msisdn: number,
        session_id,
        operator: 'vodacom',
        payload: { request_id: '1', response: text ?? '0' },
      },
    }),
    read: body => {
      const { command, payload } = JSON.parse(body)
      return { kind: command === 'continue' ? 'continue' : 'end', text: payload.request }
    },
  },
  emergent: {
    call: (SessionId, text) => ({
      json: {
        Type: text === undefined ? 'Initiation' : 'Response',
        Mobile: number,
        SessionId,
        ServiceCode: '1234',
        Message: text ?? '*1234#',
      },
    }),
    read: fields('Type', 'Message', is('Response')),
  },
  hollatags: {
    call: (session_id, text) => ({
      method: 'GET',
      query: {
        session_operation: text === undefined ? 'begin' : 'continue',
        session_msisdn: number,
        session_id,
        session_from: '*1234#',
        session_type: '1',
        session_msg: text ?? '',
      },
    }),
    read: fields('session_operation', 'session_msg', is('continue')),
  },
  hubtel: {
    call: (SessionId, text, _typed, Sequence) => ({
      json: {
        Type: text === undefined ? 'Initiation' : 'Response',
        Mobile: number,
        SessionId,
        ServiceCode: '1234',
        Message: text ?? '*1234#',
        Sequence,
      },
    }),
    read: fields('Type', 'Message', is('response')),
  },
  infobip: {
    call: (session, text) => ({
      path: `/session/${session}/${text === undefined ? 'start' : 'response'}`,
      json: { msisdn: number, text: text ?? '*1234#', shortCode: '*1234#' },
    }),
    read: fields('shouldClose', 'ussdMenu', value => value === false),
  },
  nalo: {
    call: (SESSIONID, text) => ({
      json: {
        USERID: 'U',
        MSISDN: number,
        NETWORK: 'MTN',
        SESSIONID,
        MSGTYPE: text === undefined,
        USERDATA: text ?? '*1234#',
      },
    }),
    read: fields('MSGTYPE', 'MSG', isTrue),
  },
  oltranz: {
    call: (sessionId, text) => ({
      json: { sessionId, serviceCode: '1234', phoneNumber: number, text: text ?? '', newRequest: 0, action: 'CON' },
    }),
    read: fields('action', 'response', is('CON')),
  },
}

/** The `x-gateway-secret` of the phone's gateway. */
export const gatewaySecret = 'known-to-gateways-alone-1234567'

/**
 * Creates a phone with the form of a provider and its own session; its user takes some milliseconds to read.
 *
 * @param secret Secret of its gateway; empty for an unknown gateway.
 */
export const providerPhone = (app: OracleApp, name: string, secret = gatewaySecret): ProviderPhone => {
  const network = networks[name]
  if (network === undefined) throw new Error(`no network of ${name} is known here`)
  const session = crypto.randomUUID()
  const typed: string[] = []
  let count = 0
  const send = async (text: string | undefined) => {
    count += 1
    const { method = 'POST', path = '', json, form, query } = network.call(session, text, typed.join('*'), count)
    const response = await app.request(`/api/ussd/${name}${path}${query ? `?${new URLSearchParams(query)}` : ''}`, {
      method,
      headers: {
        ...(secret && { 'x-gateway-secret': secret }),
        ...(json && { 'content-type': 'application/json' }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(json && { body: JSON.stringify(json) }),
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    return { ...network.read(await response.text()), status: response.status }
  }
  return {
    dial: () => send(undefined),
    async answer(text) {
      await new Promise(resolve => setTimeout(resolve, 5))
      typed.push(text)
      return send(text)
    },
  }
}
