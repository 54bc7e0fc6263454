import { expect, test } from 'vitest'
import { bundledProviders } from './bundled-providers.ts'
import type { WireRequest } from './ussd-provider.ts'

const providers = new Map(bundledProviders().map(provider => [provider.name, provider]))
const providerOf = (name: string) => providers.get(name)!
const wire = (body: unknown, path = '', params = {}): WireRequest => ({ method: 'POST', path, params, query: {}, body })
const get = (query: WireRequest['query']): WireRequest => ({
  method: 'GET',
  path: '',
  params: {},
  query,
  body: undefined,
})

const hubtel = { SessionId: 's', Mobile: '233244123456', ServiceCode: '713*2', Sequence: 2 }
const emergent = { SessionId: 's', Mobile: '233244123456', ServiceCode: '714' }
const at = { sessionId: 's', phoneNumber: ' 254711000111', serviceCode: '*384#' }
const nalo = { USERID: 'NALOTest', MSISDN: '233244123456', SESSIONID: 's' }
const arkesel = { userID: 'U', msisdn: 233244123456, sessionID: 's' }
const beem = { msisdn: '255716718040', session_id: 's', operator: 'vodacom' }
const oltranz = { sessionId: 's', serviceCode: '123', phoneNumber: '250780000001' }
const hollatags = { session_id: 's', session_msisdn: '2347012345678', session_from: '*7006#' }
const infobip = { msisdn: '385955363443' }

test.each<[string, WireRequest, object]>([
  ['africas-talking', wire({ ...at, text: '' }), { event: 'dial', text: '', phoneNumber: '+254711000111' }],
  ['africas-talking', wire(at), { event: 'dial', text: '' }],
  ['africas-talking', wire({ ...at, text: '1*2' }), { event: 'input', text: '1*2', serviceCode: '*384#' }],
  [
    'africas-talking',
    wire({ ...at, status: 'Failed', durationInMillis: '9', input: '1' }, '/events'),
    { event: 'release', text: '' },
  ],
  ['africas-talking', wire({ ...at, status: 'Incomplete', durationInMillis: '9' }), { event: 'release' }],
  [
    'hubtel',
    wire({ ...hubtel, Type: 'initiation', Message: '*713*2*4#' }),
    { event: 'dial', dialled: '*713*2*4#', serviceCode: '*713*2#', text: '' },
  ],
  [
    'hubtel',
    wire({ ...hubtel, Type: 'Response', Message: '1', Sequence: '3' }),
    { event: 'input', text: '1', sequence: 3 },
  ],
  ['hubtel', wire({ ...hubtel, Type: 'RESPONSE', Message: 7 }), { event: 'input', text: '7' }],
  ['hubtel', wire({ ...hubtel, Type: 'Timeout' }), { event: 'timeout', text: '' }],
  ['hubtel', wire({ ...hubtel, Type: 'Release', Message: null }), { event: 'release' }],
  [
    'hubtel',
    wire({ ...hubtel, Type: 'initiation', ServiceCode: 'b230733cd5', Message: '' }),
    { event: 'dial', serviceCode: '' },
  ],
  [
    'hubtel',
    wire({ ...hubtel, Type: 'initiation', ServiceCode: undefined, serviceCode: '711*2' }),
    { serviceCode: '*711*2#' },
  ],
  [
    'emergent',
    wire({ ...emergent, Type: 'Initiation', Message: '*714*5#' }),
    { event: 'dial', dialled: '*714*5#', serviceCode: '*714#' },
  ],
  ['emergent', wire({ ...emergent, Type: 'Response', Message: '5' }), { event: 'input', text: '5' }],
  ['emergent', wire({ ...emergent, Type: 'Timeout' }), { event: 'timeout' }],
  [
    'nalo',
    wire({ ...nalo, MSGTYPE: true, USERDATA: '*920*123#' }),
    { event: 'dial', dialled: '*920*123#', serviceCode: '' },
  ],
  ['nalo', wire({ ...nalo, MSGTYPE: 'false', USERDATA: '3' }), { event: 'input', text: '3', serviceCode: '' }],
  [
    'arkesel',
    wire({ ...arkesel, newSession: true, userData: '*928*01#' }),
    { event: 'dial', dialled: '*928*01#', phoneNumber: '+233244123456' },
  ],
  ['arkesel', wire({ ...arkesel, newSession: 0, userData: '2' }), { event: 'input', text: '2' }],
  [
    'beem',
    wire({ ...beem, command: 'initiate', payload: { request_id: '0', response: '0' } }),
    { event: 'dial', text: '' },
  ],
  [
    'beem',
    wire({ ...beem, command: 'continue', payload: { request_id: '1', response: '2' } }),
    { event: 'input', text: '2' },
  ],
  ['beem', wire({ ...beem, command: 'terminate' }), { event: 'release' }],
  ['oltranz', wire({ ...oltranz, text: '', newRequest: 0 }), { event: 'dial', serviceCode: '*123#' }],
  ['oltranz', wire({ ...oltranz, text: '*123*4#', newRequest: 1 }), { event: 'dial', dialled: '*123*4#', text: '' }],
  ['oltranz', wire({ ...oltranz, text: '*123#' }), { event: 'dial', text: '' }],
  ['oltranz', wire({ ...oltranz, text: '*' }), { event: 'input', text: '*' }],
  ['oltranz', wire({ ...oltranz, text: '123', newRequest: 0 }), { event: 'input', text: '123' }],
  [
    'hollatags',
    get({ ...hollatags, session_operation: 'begin', session_msg: '*7006*2#' }),
    { event: 'dial', dialled: '*7006*2#' },
  ],
  ['hollatags', get({ ...hollatags, session_operation: 'continue', session_msg: '1' }), { event: 'input', text: '1' }],
  ['hollatags', get({ ...hollatags, session_operation: 'end' }), { event: 'release' }],
  [
    'infobip',
    wire({ ...infobip, text: 'x', shortCode: '*123*1#' }, '/session/s/start', { id: 's' }),
    { event: 'dial', dialled: '*123*1#', text: '' },
  ],
  [
    'infobip',
    wire({ ...infobip, text: '1' }, '/session/s/response', { id: 's' }),
    { event: 'input', text: '1', serviceCode: '' },
  ],
  [
    'infobip',
    wire({ ...infobip, reason: 'ok', exitCode: 0 }, '/session/s/end', { id: 's' }),
    { event: 'release', sessionId: 's' },
  ],
])('%s: %j is read', (name, request, expected) => {
  expect(providerOf(name).read(request)).toMatchObject({ sessionId: 's', ...expected })
})

test.each<[string, WireRequest]>([
  ['africas-talking', wire({ ...at, text: '1' }, '/events')],
  ['africas-talking', wire({ ...at, phoneNumber: '0711000111' })],
  ['hubtel', wire({ ...hubtel, Type: 'AddToCart', Message: '1' })],
  ['hubtel', wire({ ...hubtel, Type: 'Response', Message: '1', Sequence: undefined })],
  ['hubtel', wire({ ...hubtel, Type: 'Response', Message: '1', Sequence: -1 })],
  ['nalo', wire({ ...nalo, MSGTYPE: 'maybe' })],
  ['arkesel', wire({ ...arkesel, newSession: 2 })],
  ['beem', wire({ ...beem, command: 'pause' })],
  ['oltranz', wire({ ...oltranz, text: ['1'] })],
  ['hollatags', get({ ...hollatags, session_operation: 'restart' })],
  ['infobip', wire({ reason: 'ok', exitCode: 0 }, '/session/s/end', { id: 's' })],
])('%s: %j is not', (name, request) => {
  expect(providerOf(name).read(request)).toBeUndefined()
})

test("Infobip's first reply never closes: an end is a menu there, and closes on the next", () => {
  const { read, write, fault } = providerOf('infobip')
  const start = wire({ ...infobip, text: 'x' }, '/session/s/start', { id: 's' })
  const response = wire({ ...infobip, text: 'x' }, '/session/s/response', { id: 's' })
  const closes = (reply: { body: string }) => JSON.parse(reply.body).shouldClose
  expect(closes(write({ kind: 'end', text: 'Bye' }, start, read(start)!))).toBe(false)
  expect(closes(write({ kind: 'end', text: 'Bye' }, response, read(response)!))).toBe(true)
  expect(closes(fault('unavailable', 'Later', start, read(start)))).toBe(false)
  expect(closes(fault('unavailable', 'Later', response, undefined))).toBe(true)
})

test('input is only returned if the provider expects its request back', () => {
  const secret = '48151623'
  const requests: Record<string, WireRequest> = {
    'africas-talking': wire({ ...at, text: secret }),
    hubtel: wire({ ...hubtel, Type: 'Response', Message: secret }),
    emergent: wire({ ...emergent, Type: 'Response', Message: secret }),
    nalo: wire({ ...nalo, MSGTYPE: false, USERDATA: secret }),
    arkesel: wire({ ...arkesel, newSession: false, userData: secret }),
    beem: wire({ ...beem, command: 'continue', payload: { request_id: '1', response: secret } }),
    oltranz: wire({ ...oltranz, text: secret }),
    hollatags: get({ ...hollatags, session_operation: 'continue', session_msg: secret }),
    infobip: wire({ ...infobip, text: secret }, '/session/s/response', { id: 's' }),
  }
  const giveBack = Object.entries(requests).filter(([name, request]) => {
    const { read, write } = providerOf(name)
    return write({ kind: 'continue', text: 'Hi' }, request, read(request)!).body.includes(secret)
  })
  expect(Object.keys(requests).toSorted()).toEqual([...providers.keys()].toSorted())
  expect(giveBack.map(([name]) => name)).toEqual(['oltranz'])
})
