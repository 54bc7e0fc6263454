import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineUssdProvider, type UssdProviderDefinition } from './define-ussd-provider.ts'
import type { WireRequest } from './ussd-provider.ts'

const request = z.object({ id: z.string(), from: z.string(), said: z.string(), code: z.string().optional() })

const definition: UssdProviderDefinition<typeof request> = {
  name: 'acme',
  title: 'Acme Telecom',
  routes: [{ method: 'post', path: '', takes: 'json', summary: 'A dial or an answer' }],
  textMode: 'last',
  limits: { gsm7: 182, ucs2: 80 },
  duplicates: { windowMs: 2000 },
  request,
  read: ({ id, from, said, code }) => ({
    sessionId: id,
    phoneNumber: from,
    serviceCode: code ?? '',
    ...(said.startsWith('*') ? { event: 'dial', dialled: said } : { event: 'input', text: said }),
  }),
  write: ({ kind, text }, _wire, { sessionId }) => ({
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ id: sessionId, show: text, more: kind === 'continue' }),
  }),
}

const wire = (body: unknown, more: Partial<WireRequest> = {}): WireRequest => ({
  method: 'POST',
  path: '',
  params: {},
  query: {},
  body,
  ...more,
})

const acme = defineUssdProvider(definition)

test('reads a request, with its number and codes in full', () => {
  expect(acme.read(wire({ id: 's', from: '260971234567', said: '*713*2*1', code: '713*2' }))).toEqual({
    event: 'dial',
    sessionId: 's',
    phoneNumber: '+260971234567',
    serviceCode: '*713*2#',
    dialled: '*713*2*1#',
    text: '',
  })
})

test.each([
  ['+260971234567', '+260971234567'],
  [' 260971234567', '+260971234567'],
  ['00260971234567', '+260971234567'],
  ['+260 97-123 45.67', '+260971234567'],
  ['٢٦٠٩٧١٢٣٤٥٦٧', '+260971234567'],
])('the number %j is %j', (from, phoneNumber) => {
  expect(acme.read(wire({ id: 's', from, said: '1' }))).toMatchObject({ phoneNumber })
})

test.each(['', '+', '0971234567', '12345', '+2609712345678901', '+260971234567x', '++260971234567', ' '.repeat(40)])(
  '%j is not a phone number',
  from => {
    expect(acme.read(wire({ id: 's', from, said: '1' }))).toBeUndefined()
  },
)

test.each([
  ['713', '*713#'],
  ['*713#', '*713#'],
  ['*713*2*1', '*713*2*1#'],
  ['', ''],
  ['b230733cd56b', ''],
  ['*713**2#', ''],
  ['*#', ''],
  [`*${'1*'.repeat(100)}1#`, ''],
])('the code %j is %j', (code, serviceCode) => {
  expect(acme.read(wire({ id: 's', from: '260971234567', said: '1', code }))).toMatchObject({ serviceCode })
})

test('an answer of digits only is not a dialed code', () => {
  const reads = defineUssdProvider({
    ...definition,
    read: ({ id, from, said }) => ({ event: 'dial', sessionId: id, phoneNumber: from, dialled: said }),
  })
  expect(reads.read(wire({ id: 's', from: '260971234567', said: '1' }))).not.toHaveProperty('dialled')
})

test.each([undefined, null, 'x', 1, [], {}, { id: 's' }, { id: 1, from: '260971234567', said: '1' }])(
  '%j is not a request',
  body => {
    expect(acme.read(wire(body))).toBeUndefined()
  },
)

test('reads GET from its query, POST from its body', () => {
  const query = { id: 's', from: '260971234567', said: '1' }
  expect(acme.read(wire(undefined, { query }))).toBeUndefined()
  expect(acme.read(wire(undefined, { method: 'GET', query }))).toMatchObject({ text: '1' })
})

test('reports errors as an end, without a recipient if none could be read', () => {
  const message = acme.read(wire({ id: 's', from: '260971234567', said: '1' }))
  expect(acme.fault('unavailable', 'Later.', wire({}), message)).toMatchObject({
    status: 200,
    body: '{"id":"s","show":"Later.","more":false}',
  })
  expect(acme.fault('invalid', 'Again.', wire({}), undefined)).toMatchObject({
    status: 200,
    body: '{"id":"","show":"Again.","more":false}',
  })
  expect(acme.fault('rate-limited', 'Slowly.', wire({}), undefined).status).toBe(429)
  expect(acme.fault('refused', 'No.', wire({}), undefined).status).toBe(403)
})

test('acknowledges the end of a session', () => {
  expect(acme.acknowledge(wire({}), acme.read(wire({ id: 's', from: '260971234567', said: '1' }))!)).toEqual({
    status: 200,
    contentType: 'text/plain',
    body: 'OK',
  })
})

test.each<[string, Partial<typeof definition>]>([
  ['name stands in a path', { name: 'Acme Telecom' }],
  ['name stands in a path', { name: 'a'.repeat(41) }],
  ['name is taken', { name: 'sessions' }],
  ['title is empty', { title: ' ' }],
  ['routes is empty', { routes: [] }],
  ['is neither empty nor like', { routes: [{ method: 'post', path: 'x', takes: 'json', summary: '' }] }],
  ['is neither empty nor like', { routes: [{ method: 'post', path: '/../x', takes: 'json', summary: '' }] }],
  ['GET takes query', { routes: [{ method: 'get', path: '', takes: 'json', summary: '' }] }],
  ['GET takes query', { routes: [{ method: 'post', path: '', takes: 'query', summary: '' }] }],
  ['stands twice', { routes: [...definition.routes, ...definition.routes] }],
  ['limits.gsm7 is 200', { limits: { gsm7: 200, ucs2: 80 } }],
  ['limits.ucs2 is 0.5', { limits: { gsm7: 182, ucs2: 0.5 } }],
  ['duplicates.windowMs is 0', { duplicates: { windowMs: 0 } }],
])('rejects a definition: %s', (violation, part) => {
  expect(() => defineUssdProvider({ ...definition, ...part })).toThrow(
    expect.objectContaining({ code: 'ussd_provider_invalid', message: expect.stringContaining(violation) }),
  )
})

test('reports all problems of a definition at once', () => {
  expect(() => defineUssdProvider({ ...definition, name: 'A', routes: [], title: '' })).toThrow(/name.*routes.*title/)
})
