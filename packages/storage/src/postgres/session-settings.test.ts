import { expect, test } from 'vitest'
import { readSessionOptions, settingsQuery } from './session-settings.ts'

test.each([
  ['', {}, ''],
  ['-c jit=on', { jit: 'on' }, ''],
  ['  -cjit=on   --Work-Mem=4MB ', { jit: 'on', work_mem: '4MB' }, ''],
  ['-c search_path=a,\\ b -c app.text=x\\\\y=z', { search_path: 'a, b', 'app.text': 'x\\y=z' }, ''],
  ['endpoint=ep-1 -c jit=on -e', { jit: 'on' }, 'endpoint=ep-1 -e'],
  ['-c', {}, '-c'],
  ['-c jit', {}, '-cjit'],
])('reads %j', (options, settings, rest) => {
  expect(readSessionOptions(options)).toEqual({ settings, rest })
})

test('sets all of them by one statement', () => {
  const quote = (text: string) => `'${text}'`
  expect(settingsQuery({ jit: 'off', work_mem: '4MB' }, quote)).toBe(
    "select where set_config('jit', 'off', false) is null or set_config('work_mem', '4MB', false) is null",
  )
})
