import { expect, test } from 'vitest'
import { leave, ScriptedAsker } from '../../ask/asker.test.helper.ts'
import { askAnswer, defaultAnswer } from './answer-prompt.ts'
import { questionFields } from './question-fields.ts'
import { bookSchema } from './script.test.helper.ts'

test('asks for each member in turn, with what is known of it', async () => {
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

test('what does not fit is told, and asked for again', async () => {
  const asker = new ScriptedAsker({ 'Answer it?': 'answer', Day: 'tomorrow' })
  await expect(askAnswer(asker, bookSchema)).rejects.toThrow('Type a day, such as 2026-12-01.')
})

test('may be refused, or left open at any member', async () => {
  expect(await askAnswer(new ScriptedAsker({ 'Answer it?': 'refuse' }), bookSchema)).toEqual({ decision: 'deny' })
  expect(await askAnswer(new ScriptedAsker({ 'Answer it?': leave }), bookSchema)).toBeUndefined()
  const asker = new ScriptedAsker({ 'Answer it?': 'answer', Day: '2026-12-01', seats: leave })
  expect(await askAnswer(asker, bookSchema)).toBeUndefined()
})

test('yes or no where nothing is asked for, and a stray Enter says no', async () => {
  expect(await askAnswer(new ScriptedAsker({ 'Your answer?': 'yes' }), undefined)).toEqual({ decision: 'once' })
  expect(await askAnswer(new ScriptedAsker({ 'Your answer?': true }), undefined)).toEqual({ decision: 'deny' })
  const empty = { type: 'object', properties: {} }
  expect(await askAnswer(new ScriptedAsker({ 'Your answer?': 'yes' }), empty)).toEqual({ decision: 'once', data: {} })
})

test('without anybody it is what stands there already, unless something has to be said', () => {
  expect(defaultAnswer(undefined)).toEqual({ decision: 'once' })
  expect(defaultAnswer(bookSchema)).toBeUndefined()
  expect(defaultAnswer({ ...bookSchema, required: ['seats'] })).toEqual({ decision: 'once', data: { seats: 2 } })
})

test('what has to be said is asked for and never passed over, wherever it stands in a long form', async () => {
  const properties = Object.fromEntries(Array.from({ length: 45 }, (_, place) => [`m${place}`, { type: 'string' }]))
  const schema = { type: 'object', properties, required: ['m40'] }
  expect(questionFields(schema).map(({ name }) => name)).toContain('m40')
  expect(defaultAnswer(schema)).toBeUndefined()
  expect(defaultAnswer({ type: 'object', properties: {}, required: ['ghost'] })).toBeUndefined()
})
