import { expect, it } from 'vitest'
import { isAsRecorded } from './replay.ts'

it.each([
  ['Your ID is …\n0. Back', 'Your ID is 123456782\n0. Back'],
  ['…', ''],
  ['a…a', 'aa'],
  ['a…b…c', 'a b b c'],
  ['Wait …', 'Wait …'],
])('%j is %j', (recorded, came) => {
  expect(isAsRecorded(recorded, came)).toBe(true)
})

it.each([
  ['a…a', 'a'],
  ['a…b…c', 'a c'],
  ['Your ID is …\n0. Back', 'Your ID is 123456782\n1. Back'],
  ['one', 'two'],
])('%j is not %j', (recorded, came) => {
  expect(isAsRecorded(recorded, came)).toBe(false)
})
