import { describe, expect, test } from 'vitest'
import { readFieldAnswer } from './approval-prompt.ts'
import { questionFields } from './question-fields.ts'

const field = (member: object, required = true) =>
  questionFields({ type: 'object', properties: { it: member }, required: required ? ['it'] : [] })[0]!

describe('typed input', () => {
  test.each([
    [{ type: 'string' }, ' Ada ', 'Ada'],
    [{ type: 'integer' }, '-3', -3],
    [{ type: 'number' }, '2.5e2', 250],
    [{ type: 'string', format: 'email' }, 'ada@example.org', 'ada@example.org'],
    [{ type: 'string', format: 'uri' }, 'https://example.org/a?b', 'https://example.org/a?b'],
    [{ type: 'string', format: 'date' }, '2026-02-28', '2026-02-28'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28T09:30:00Z', '2026-02-28T09:30:00Z'],
    [{ type: 'string', format: 'of nobody' }, 'x', 'x'],
    [{ type: 'array', items: { type: 'string' } }, 'a, b,', ['a', 'b']],
    [{ type: 'array', items: { enum: ['r', 'g'], enumNames: ['Red', 'Green'] } }, 'green, R', ['g', 'r']],
    [{ type: 'odd' }, 'x', 'x'],
  ])('for %j: %s is %j', (member, typed, value) => {
    expect(readFieldAnswer(field(member), typed)).toEqual({ value })
  })

  test.each([
    [{ type: 'string' }, '  ', 'A value is required.'],
    [{ type: 'integer' }, '2.5', 'Type a whole number, such as 3.'],
    [{ type: 'integer' }, '9'.repeat(30), 'Type a whole number, such as 3.'],
    [{ type: 'number' }, '0x10', 'Type a number, such as 3.'],
    [{ type: 'number' }, 'Infinity', 'Type a number, such as 3.'],
    [{ type: 'number', minimum: 1, maximum: 2 }, '0', 'At least 1.'],
    [{ type: 'number', minimum: 1, maximum: 2 }, '3', 'At most 2.'],
    [{ type: 'string', minLength: 2 }, 'x', 'At least 2 characters.'],
    [{ type: 'string', maxLength: 2 }, 'xyz', 'At most 2 characters.'],
    [{ type: 'string', format: 'email' }, 'ada', 'Type an e-mail address, such as ada@example.org.'],
    [{ type: 'string', format: 'uri' }, 'ada', 'Type an address, such as https://example.org.'],
    [{ type: 'string', format: 'date' }, '2026-02-31', 'Type a day, such as 2026-12-01.'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28', 'Type a time, such as 2026-12-01T14:30:00Z.'],
    [{ type: 'array', items: { enum: ['r', 'g'] } }, 'r, b', 'Choose of: r, g.'],
  ])('for %j: %s is rejected with %s', (member, typed, violation) => {
    expect(readFieldAnswer(field(member), typed)).toEqual({ fault: violation })
  })

  test('may be empty if the member is optional', () => {
    expect(readFieldAnswer(field({ type: 'integer' }, false), '')).toEqual({ value: undefined })
  })
})

describe('the schema of a question', () => {
  test('labels choices by enumNames or titles, and is cleaned and truncated', () => {
    const [first, second, third] = questionFields({
      properties: {
        '\u001b[2Jname': { title: `\u202e${'x'.repeat(500)}`, description: 'a\nb' },
        colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }, { const: {} }] },
        size: { enum: [1, 2], enumNames: ['One'] },
      },
    })
    expect(first).toMatchObject({
      name: '\u001b[2Jname',
      title: `${'x'.repeat(79)}…`,
      description: 'a b',
      kind: 'text',
    })
    expect(second?.choices).toEqual([
      { value: 'r', label: 'Red' },
      { value: 'g', label: 'g' },
    ])
    expect(third?.choices).toEqual([
      { value: 1, label: 'One' },
      { value: 2, label: '2' },
    ])
  })

  test.each([undefined, null, 'x', [], {}, { properties: 7 }, { properties: [] }])('of %j has no members', schema => {
    expect(questionFields(schema)).toEqual([])
  })

  test('of unknown members becomes texts, at most 30', () => {
    const properties = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`m${index}`, index % 2 ? null : 7]))
    const fields = questionFields({ properties, required: 'all' })
    expect(fields.length).toBe(30)
    expect(new Set(fields.map(({ kind, required }) => `${kind} ${required}`))).toEqual(new Set(['text false']))
  })
})
