import { expect, test } from 'vitest'
import { didText } from './did-text.ts'

test.each([
  'did:web:a.example',
  'did:web:localhost%3A3000:entities:0',
  'did:key:z6Mk',
  'did:x:_',
  'did:x::y',
  'did:x:a::b',
])('%s is a DID', text => {
  expect(didText.parse(text)).toBe(text)
})

test.each([
  'did:web:',
  'did:x:a:',
  'did::a',
  'did:web',
  'DID:web:a',
  'did:Web:a',
  'did:web:a#key',
  'did:web:a?q',
  'did:web:a/b',
  'did:web:a%3',
  ' did:web:a',
  'did:web:a\n',
  `did:web:${'a'.repeat(493)}`,
  `did:web:${':'.repeat(490)}`,
])('%j is none', text => {
  expect(didText.safeParse(text).success).toBe(false)
})
