import { expect, test } from 'vitest'
import { requestCodes, splitServiceCode } from './session-place.ts'

test.each([
  ['*1234#', ['*1234#'], '*1234#', ''],
  ['*1234*1*2#', ['*1234#'], '*1234#', '1*2'],
  ['*1234*5*1#', ['*1234#', '*1234*5#'], '*1234*5#', '1'],
  ['*1234*5*1#', ['*1234*5#', '*1234#'], '*1234*5#', '1'],
  ['*12345#', ['*1234#'], '*12345#', ''],
  ['*999*1#', ['*1234#'], '*999*1#', ''],
  ['*1234*1*2#', [], '*1234*1*2#', ''],
])('%s among %j is %s with answers "%s"', (dialled, codes, base, shortcut) => {
  expect(splitServiceCode(dialled, codes)).toEqual({ base, shortcut })
})

test('a provider may send the dialed text in addition to its code, or no code at all', () => {
  const codes = ['*1234#', '*1234*5#']
  expect(requestCodes({ serviceCode: '*1234#', dialled: '*1234*1*2#' }, codes)).toEqual({
    session: '*1234#',
    base: '*1234#',
    shortcut: '1*2',
  })
  expect(requestCodes({ serviceCode: '', dialled: '*1234*5*2#' }, codes)).toEqual({
    session: '',
    base: '*1234*5#',
    shortcut: '2',
  })
  expect(requestCodes({ serviceCode: '' }, codes)).toEqual({ session: '', base: '', shortcut: '' })
})
