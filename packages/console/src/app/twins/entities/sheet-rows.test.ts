import { expect, test } from 'vitest'
import { fieldsOf } from '../../components/form-fields.ts'
import { columnsOf, createRowReader, readHeader } from './sheet-rows.ts'

const schema = {
  type: 'object',
  required: ['type', 'properties'],
  properties: {
    type: { type: 'string' },
    properties: {
      type: 'object',
      required: ['serial'],
      properties: {
        serial: { type: 'string' },
        watts: { type: 'number', minimum: 0, maximum: 5_000 },
        isLit: { type: 'boolean' },
        since: { type: 'string', format: 'date' },
        address: { type: 'object', properties: { town: { type: 'string' } } },
        tags: { type: 'array' },
      },
    },
  },
}

const read = (header: readonly string[], rows: readonly (readonly string[])[], isOpen = false) => {
  const { matched, missing, ignored } = readHeader(header, { columns: columnsOf(fieldsOf(schema)), isOpen })
  const readRow = createRowReader(matched, missing, {
    defaults: { type: 'Stove' },
    constants: { protocol: 'did:web:p' },
  })
  return { ignored, rows: rows.map((cells, index) => readRow(cells, index + 2)) }
}

test('cells become the values of the fields, members of groups by their path', () => {
  const header = ['Serial', 'watts', 'isLit', 'since', 'address.town', 'tags']
  const { rows } = read(header, [['A-1', '1.5', 'yes', '2026-11-30', 'Kitwe', '["a"]']])
  expect(rows).toEqual([
    {
      body: {
        protocol: 'did:web:p',
        type: 'Stove',
        properties: {
          serial: 'A-1',
          watts: 1.5,
          isLit: true,
          since: '2026-11-30',
          address: { town: 'Kitwe' },
          tags: ['a'],
        },
      },
      issues: [],
    },
  ])
})

test('every error of a row is reported, and a row twice', () => {
  const header = ['serial', 'watts', 'isLit', 'since', 'tags', 'type']
  const { rows } = read(header, [
    ['', '1,5', 'maybe', '2026-13-01', '[', 'Lamp'],
    ['A', '9000', '', '', '', ''],
    ['A', '1', '', '', '', ''],
    ['A', '1'],
  ])
  expect(rows.map(({ issues }) => issues.map(({ column, rule }) => `${column} ${rule}`))).toEqual([
    ['serial required', 'watts number', 'isLit boolean', 'since date', 'tags json'],
    ['watts maximum'],
    [],
    [' duplicate'],
  ])
})

test('hostile headings are ignored, or are members of their own', () => {
  const header = ['serial', '__proto__', 'constructor', 'did', '_error', 'serial']
  const cells = ['A', 'x', 'y', 'did:web:x', 'z', 'B']
  expect(read(header, [cells]).ignored).toEqual(['__proto__', 'constructor', 'did', '_error', 'serial'])
  const open = read(header, [cells], true)
  expect(open.ignored).toEqual(['did', '_error', 'serial'])
  expect(JSON.stringify(open.rows[0]?.body.properties)).toBe('{"serial":"A","__proto__":"x","constructor":"y"}')
  expect(({} as { x?: unknown }).x).toBeUndefined()
})

test('the apostrophe of an export is removed', () => {
  expect(read(['serial'], [["'=1+1"], ["'+27"], ["'quoted'"]]).rows.map(({ body }) => body.properties)).toEqual([
    { serial: '=1+1' },
    { serial: '+27' },
    { serial: "'quoted'" },
  ])
})
