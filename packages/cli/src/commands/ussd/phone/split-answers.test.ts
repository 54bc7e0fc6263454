import { expect, it } from 'vitest'
import { splitAnswers } from './call-once.ts'

it.each([
  ['', []],
  ['1', ['1']],
  ['1*2', ['1', '2']],
  ['*', ['*']],
  ['1**', ['1', '*']],
  ['1***2', ['1', '*', '2']],
  ['**1', ['*', '1']],
  ['1*Ada Lovelace*1', ['1', 'Ada Lovelace', '1']],
])('%j is typed as %j', (text, answers) => {
  expect(splitAnswers(text)).toEqual(answers)
  expect(answers.join('*')).toBe(text)
})

it.each(['1*', '**', '1**2', '1*2*'])('%j lacks an answer', text => {
  expect(splitAnswers(text)).toBeUndefined()
})
