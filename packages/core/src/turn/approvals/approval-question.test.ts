import { expect, test } from 'vitest'
import { approvalQuestion, shownInput, showsArguments } from './approval-question.ts'

test('shows every argument below the sentence', () => {
  const input = { to: '+260971234567', parts: 1, urgent: false, data: { hours: [3, null] } }
  expect(approvalQuestion('Send an SMS.', input)).toBe(
    'Send an SMS.\n\nto: "+260971234567"\nparts: 1\nurgent: false\ndata: {"hours":[3,null]}',
  )
  expect(approvalQuestion('Send an SMS.', {})).toBe('Send an SMS.')
  expect(approvalQuestion('Send it.', 'now')).toBe('Send it.\n\ninput: "now"')
})

test('marks each line of a text', () => {
  expect(approvalQuestion('Send it.', { text: 'one\r\n\n\tto: "all"\u2028two' })).toBe(
    'Send it.\n\ntext:\n  | one\n  | \n  | \tto: "all"\n  | two',
  )
})

test('escapes what no reader sees, in names too, and keeps the sentence on one line', () => {
  const input = { 'a\nto': 'x\u202ey\u2028z\0\ud800\u{e0041}', 'b: "c"': { '\u200b': '\u2066' }, text: 'a\n\u202eb' }
  expect(approvalQuestion(' Send\u202e it.\n\nto: "me" ', input)).toBe(
    [
      'Send\\u202e it. to: "me"',
      '',
      '"a\\nto": "x\\u202ey\\u2028z\\u0000\\ud800\\u{e0041}"',
      '"b: \\"c\\"": {"\\u200b":"\\u2066"}',
      'text: "a\\n\\u202eb"',
    ].join('\n'),
  )
})

test('cuts a long sentence, and no argument', () => {
  const question = approvalQuestion('s'.repeat(2_000), { text: 't'.repeat(50_000) })
  expect(question).toBe(`${'s'.repeat(999)}…\n\ntext: "${'t'.repeat(50_000)}"`)
})

test('recognizes the arguments that a question showed', () => {
  const question = approvalQuestion('Pay\n\nnow', { amount: 5, note: 'a\n\nb' })
  expect(showsArguments(question, { amount: 5, note: 'a\n\nb' })).toBe(true)
  expect(showsArguments(question, { amount: 6, note: 'a\n\nb' })).toBe(false)
  expect(showsArguments('Pay', {})).toBe(true)
  expect(showsArguments('Pay', { amount: 5 })).toBe(false)
})

test('shows what the schema returned, or what was given if JSON cannot show that', () => {
  expect(shownInput({ day: '2026-11-29' }, { day: new Date(0), unit: 'kg', none: undefined })).toEqual({
    day: '1970-01-01T00:00:00.000Z',
    unit: 'kg',
  })
  expect(shownInput({ tags: ['a'] }, { tags: new Map([['a', 1]]) })).toEqual({ tags: ['a'] })
  expect(shownInput({ id: 7 }, { id: 7n })).toEqual({ id: 7 })
})
