import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Actor } from '../actors/actor.ts'
import { defineErrors } from '../errors/define-errors.ts'
import { route } from './route-builder.ts'

const errors = defineErrors({
  port_unknown: { status: 404, message: 'There is no port {port}. GET /ports lists them.' },
  port_closed: { status: 409, message: 'The port is closed. Try again tomorrow.' },
  port_full: { status: 409, message: 'The port is full. Try again tomorrow.' },
})

test('a route documents its input, its errors by status, and the refusals of its auth', () => {
  const { access, definition, maxBodyBytes } = route.post(
    '/ports/{port}',
    {
      auth: { ucan: 'ports/write' },
      summary: 'Reserves a berth',
      params: z.object({ port: z.string() }),
      body: z.object({ ship: z.string() }),
      ok: { 201: { description: 'Reserved', schema: z.object({ berth: z.int() }) }, 204: { description: 'Nothing' } },
      errors: [errors.port_unknown, errors.port_closed, errors.port_full],
      maxBodyBytes: 100,
    },
    c => {
      expectTypeOf(c.get('actor')).toEqualTypeOf<Actor>()
      expectTypeOf(c.req.valid('json')).toEqualTypeOf<{ ship: string }>()
      expectTypeOf(c.req.valid('param')).toEqualTypeOf<{ port: string }>()
      return new Response('any response')
    },
  )
  expect({ access, maxBodyBytes }).toEqual({ access: { ucan: 'ports/write' }, maxBodyBytes: 100 })
  expect(definition).toMatchObject({ method: 'post', path: '/ports/{port}', summary: 'Reserves a berth' })
  expect(definition.request?.body).toMatchObject({ required: true })
  const described = Object.fromEntries(
    Object.entries(definition.responses).map(([status, response]) => [
      status,
      'description' in response ? response.description : '',
    ]),
  )
  expect(described).toEqual({
    201: 'Reserved',
    204: 'Nothing',
    403: 'Not allowed',
    404: '`port_unknown`',
    409: '`port_closed`, `port_full`',
  })
})

test('a public route without input documents neither, and its caller may be unknown', () => {
  const { definition } = route.get('/ports', { auth: 'public', summary: 'Lists ports', ok: z.array(z.string()) }, c => {
    expectTypeOf(c.get('actor')).toEqualTypeOf<Actor | undefined>()
    return c.json([])
  })
  expect(Object.keys(definition.responses)).toEqual(['200'])
  expect(definition.request).toBeUndefined()
})

test('a route with its own rejections documents no problem for invalid input', () => {
  const refuse = () => new Response('END Invalid')
  const { definition } = route.post(
    '/calls',
    { auth: 'public', summary: 'Answers a call', body: z.object({ text: z.string() }), ok: z.string(), refuse },
    c => c.text(c.req.valid('json').text),
  )
  expect(Object.keys(definition.responses)).toEqual(['200'])
})
