import { expect, test } from 'vitest'
import { decodeParameters } from './provider-routes.ts'

test.each([
  ['', {}],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=%2B260+97&b', { a: '+260 97', b: '' }],
  ['a=*1234%23&text=1%2A2', { a: '*1234#', text: '1*2' }],
  ['a=%FF', { a: '\ufffd' }],
  ['a=%zz', { a: '%zz' }],
  ['constructor=1&toString=2', { constructor: '1', toString: '2' }],
])('%s is read', (text, read) => {
  expect({ ...decodeParameters(text) }).toEqual(read)
})

test.each(['a=1&a=2', 'a=1&a', '%61=1&a=2', '__proto__=1', Array.from({ length: 101 }, (_, at) => `a${at}`).join('&')])(
  '%s is rejected',
  text => {
    expect(decodeParameters(text)).toBeUndefined()
  },
)
