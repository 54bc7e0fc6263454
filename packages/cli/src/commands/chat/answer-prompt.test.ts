import { expect, test } from 'vitest'
import { leave, ScriptedAsker } from '../../ask/asker.test.helper.ts'
import { askAnswer, defaultAnswer } from './approval-prompt.ts'
import { questionFields } from './question-fields.ts'
import { bookSchema } from './script.test.helper.ts'

test('asks for each member in turn, with its facts', async () => {
  const asker = new ScriptedAsker({
    'Answer it?': 'answer',
    'Day: When you[31m go': '2026-12-01',
    seats: true,
    cabin: 'Outside',
    'meals (optional)': 'leave it empty',
  })
  expect(await askAnswer(asker, bookSchema)).toEqual({
    decision: 'once',
    data: { day: '2026-12-01', seats: 2, cabin: 'out' },
  })
})

test('invalid input is reported, and requested again', async () => {
  const asker = new ScriptedAsker({ 'Answer it?': 'answer', Day: 'tomorrow' })
  await expect(askAnswer(asker, bookSchema)).rejects.toThrow('Type a day, such as 2026-12-01.')
})

test('may be declined, or left open at any member', async () => {
  expect(await askAnswer(new ScriptedAsker({ 'Answer it?': 'refuse' }), bookSchema)).toEqual({ decision: 'deny' })
  expect(await askAnswer(new ScriptedAsker({ 'Answer it?': leave }), bookSchema)).toBeUndefined()
  const asker = new ScriptedAsker({ 'Answer it?': 'answer', Day: '2026-12-01', seats: leave })
  expect(await askAnswer(asker, bookSchema)).toBeUndefined()
})

test('asks yes or no without members, and a stray Enter means no', async () => {
  expect(await askAnswer(new ScriptedAsker({ 'Your answer?': 'yes' }), undefined)).toEqual({ decision: 'once' })
  expect(await askAnswer(new ScriptedAsker({ 'Your answer?': true }), undefined)).toEqual({ decision: 'deny' })
  const empty = { type: 'object', properties: {} }
  expect(await askAnswer(new ScriptedAsker({ 'Your answer?': 'yes' }), empty)).toEqual({ decision: 'once', data: {} })
})

test('without a terminal it is the default, unless a value is required', () => {
  expect(defaultAnswer(undefined)).toEqual({ decision: 'once' })
  expect(defaultAnswer(bookSchema)).toBeUndefined()
  expect(defaultAnswer({ ...bookSchema, required: ['seats'] })).toEqual({ decision: 'once', data: { seats: 2 } })
})

test('a required value is requested and never skipped, anywhere in a long form', async () => {
  const properties = Object.fromEntries(Array.from({ length: 45 }, (_, place) => [`m${place}`, { type: 'string' }]))
  const schema = { type: 'object', properties, required: ['m40'] }
  expect(questionFields(schema).map(({ name }) => name)).toContain('m40')
  expect(defaultAnswer(schema)).toBeUndefined()
  expect(defaultAnswer({ type: 'object', properties: {}, required: ['ghost'] })).toBeUndefined()
})
