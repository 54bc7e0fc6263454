import { expect, test } from 'vitest'
import { canonicalDid, normalDid, sameDid } from './did-form.ts'

const party = 'did:web:farm.example%3A4810:entities:a%2Fb'

/** All forms that mix these forms of the host, the port, and an encoded character of the path. */
const forms = ['farm.example', 'FARM.Example', 'farm.example.', '%66arm.example'].flatMap(host =>
  ['%3A4810', '%3a4810', ':4810'].flatMap(port =>
    ['a%2Fb', 'a%2fb', '%61%2Fb'].map(path => `did:web:${host}${port}:entities:${path}`),
  ),
)

test.each(forms)('%s has one canonical form', form => {
  expect(normalDid(form)).toBe(party)
  expect(sameDid(form, party)).toBe(true)
  expect(canonicalDid.safeParse(form).success).toBe(form === party)
})

test.each([
  party,
  'did:web:farm.example',
  'did:web:farm.example:entities:4810',
  'did:web:farm.example:4810x',
  'did:web:farm.example:481000',
  'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  'did:ixo:entity:0123456789abcdef0123456789abcdef',
])('%s is a form that stays', did => {
  expect(normalDid(did)).toBe(did)
  expect(canonicalDid.parse(did)).toBe(did)
})

test('the refusal of another form has the canonical one', () => {
  expect(canonicalDid.safeParse('did:web:farm.example:4810').error?.issues[0]?.message).toBe(
    'is not in its canonical form: write did:web:farm.example%3A4810',
  )
})

test.each([
  ['did:web:farm.example', 'did:web:farm.example:x'],
  ['did:web:farm.example:Path', 'did:web:farm.example:path'],
  ['did:key:zAb', 'did:key:zaB'],
])('%s and %s are two', (one, other) => {
  expect(sameDid(one, other)).toBe(false)
})
