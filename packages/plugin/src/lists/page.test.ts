import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { listErrors, page } from './page.ts'

const names = ['Aden', 'Bari', 'Cork', 'Dover', 'Emden']
const port = z.object({ port: z.string() })
const ports = page({ name: 'ports', item: port, limit: 2, maxLimit: 4 })

/** Reads a page of the names as a handler does. */
const pageOf = (cursor?: string, { limit = 2, ...filters }: { limit?: number; country?: string } = {}) => {
  const behind = ports.read(cursor, filters)
  const rows = names.filter(name => behind === undefined || name > behind).slice(0, limit + 1)
  return ports.make(rows, { limit, filters, keyOf: name => name, itemOf: name => ({ port: name }) })
}

test('pages follow each other until the last one, which has no next', () => {
  const first = pageOf()
  expectTypeOf(first.ports).toEqualTypeOf<{ port: string }[]>()
  const second = pageOf(first.next)
  const third = pageOf(second.next)
  expect([first, second, third].map(({ ports }) => ports.map(({ port }) => port))).toEqual([
    ['Aden', 'Bari'],
    ['Cork', 'Dover'],
    ['Emden'],
  ])
  expect('next' in third).toBe(false)
  expect(pageOf(undefined, { limit: 5 })).not.toHaveProperty('next')
})

test('a page that is exactly full is the last one', () => {
  const { next } = pageOf(undefined, { limit: 3 })
  expect(pageOf(next, { limit: 2 })).toEqual({ ports: [{ port: 'Dover' }, { port: 'Emden' }] })
})

test('the query string has a limit with a default and a most', () => {
  expect(ports.query.parse({})).toEqual({ limit: 2 })
  expect(ports.query.parse({ limit: '4', cursor: 'x' })).toEqual({ limit: 4, cursor: 'x' })
  for (const limit of ['0', '5', '1.5', 'many']) expect(ports.query.safeParse({ limit }).success).toBe(false)
  expect(ports.query.safeParse({ cursor: '' }).success).toBe(false)
  expect(ports.query.extend({ country: z.string() }).parse({ country: 'IE' })).toEqual({ limit: 2, country: 'IE' })
})

test('the response has the items under their name', () => {
  expect(ports.response.parse(pageOf())).toMatchObject({ ports: [{ port: 'Aden' }, { port: 'Bari' }] })
  expect(ports.response.safeParse({ items: [] }).success).toBe(false)
  expectTypeOf<z.output<typeof ports.response>>().toEqualTypeOf<{
    ports: { port: string }[]
    next?: string | undefined
  }>()
})

test('a cursor is bound to the filters, whatever their order', () => {
  const { next } = pageOf(undefined, { country: 'IE' })
  expect(pageOf(next, { country: 'IE' }).ports).toHaveLength(2)
  expect(() => pageOf(next, { country: 'GB' })).toThrow(listErrors.cursor_invalid().message)
  expect(() => pageOf(next)).toThrow(listErrors.cursor_invalid().message)

  const bound = ports.make(names, {
    limit: 1,
    filters: { country: 'IE', properties: { depth: 3, width: 8 }, flag: undefined },
    keyOf: name => name,
    itemOf: name => ({ port: name }),
  })
  expect(ports.read(bound.next, { properties: { width: 8, depth: 3 }, country: 'IE' })).toBe('Aden')
})

test('a cursor of another list is rejected', () => {
  const ships = page({ name: 'ships', item: port })
  const { next } = ships.make(names, { limit: 1, keyOf: name => name, itemOf: name => ({ port: name }) })
  expect(ships.read(next)).toBe('Aden')
  expect(() => ports.read(next)).toThrow(expect.objectContaining({ code: 'cursor_invalid', status: 400 }))
})

test('a key may be a tuple', () => {
  const messages = page({ name: 'messages', item: port, key: z.tuple([z.int(), z.string()]) })
  const { next } = messages.make(
    [
      { at: 7, id: 'a' },
      { at: 6, id: 'b' },
    ],
    {
      limit: 1,
      keyOf: ({ at, id }): [number, string] => [at, id],
      itemOf: ({ id }) => ({ port: id }),
    },
  )
  const key = messages.read(next)
  expectTypeOf(key).toEqualTypeOf<[number, string] | undefined>()
  expect(key).toEqual([7, 'a'])
})

test('a page that ends before its limit has a cursor of any key', () => {
  const next = ports.cursor('Cork', { country: 'IE' })
  expect(ports.read(next, { country: 'IE' })).toBe('Cork')
  expect(() => ports.read(next)).toThrow(expect.objectContaining({ code: 'cursor_invalid' }))
})

test.each([
  ['no base64', '%%%'],
  ['no JSON', Buffer.from('Aden').toString('base64url')],
  ['null', Buffer.from('null').toString('base64url')],
  ['another shape', Buffer.from('{"key":"Aden"}').toString('base64url')],
  ['no hash', Buffer.from('["Aden"]').toString('base64url')],
])('a forged cursor with %s is rejected', (_, cursor) => {
  expect(() => ports.read(cursor)).toThrow(expect.objectContaining({ code: 'cursor_invalid' }))
})

test.each([
  ['another type', 7],
  ['NUL, which PostgreSQL rejects', 'A\0'],
  ['half of a surrogate pair', 'A\ud800'],
])('a forged key with %s is rejected', (_, key) => {
  const [, hash] = JSON.parse(Buffer.from(pageOf().next!, 'base64url').toString())
  const forge = (value: unknown) => Buffer.from(JSON.stringify([value, hash])).toString('base64url')
  expect(ports.read(forge('Aden'))).toBe('Aden')
  expect(() => ports.read(forge(key))).toThrow(expect.objectContaining({ code: 'cursor_invalid' }))
})
