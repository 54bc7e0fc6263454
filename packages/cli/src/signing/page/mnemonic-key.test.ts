import { createMnemonic, parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { describe, expect, test } from 'vitest'
import { keyFromWords, newWords, readWords } from './mnemonic-key.ts'

const didOf = async (text: string) => (await keyFromWords(text.split(' '))).did

// The vectors of @sibyl/identity.
test.each([
  ['12 words', `${'abandon '.repeat(11)}about`, 'did:key:z6MkgHyMD2DpeupVC134bwD8WjYuRosxrqEpETihKurQwh1N'],
  ['24 words', `${'abandon '.repeat(23)}art`, 'did:key:z6Mkm7d7npwhSxKUBaS5Wfcase58teH7wJan7F9Xv82HqN2g'],
])('%s give the same DID as everywhere in Sibyl', async (_, words, did) => {
  expect(await didOf(words)).toBe(did)
})

test.each([12, 24] as const)('%i new words are valid, and give the same key in Node', async count => {
  const words = newWords(count)
  expect(words).toHaveLength(count)
  const parsed = parseMnemonic(words.join(' '))
  if (!parsed.ok) throw new Error(parsed.message)
  expect(await didOf(words.join(' '))).toBe((await signingKeyFromMnemonic(parsed.mnemonic)).did)
  const made = createMnemonic(count)
  expect(await didOf(made.reveal())).toBe((await signingKeyFromMnemonic(made)).did)
})

test('no two backups are the same', () => {
  expect(new Set(Array.from({ length: 50 }, () => newWords(12).join(' '))).size).toBe(50)
})

describe('a typed mnemonic', () => {
  const twelve = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

  test('is accepted in any case and spacing', () => {
    const typed = `  ${twelve.toUpperCase().replaceAll(' ', ' \n ')} \t`
    expect(readWords(typed)).toEqual({ words: twelve.split(' ') })
  })

  test.each([
    ['', 'These are 0 words; 12 or 24 are required.'],
    [twelve.replace('legal ', ''), 'These are 11 words; 12 or 24 are required.'],
    [`${'abandon '.repeat(14)}address`, 'These are 15 words; 12 or 24 are required.'],
    [twelve.replace('wave', 'waev'), 'Word 5 is not in the list of backup words.'],
    [twelve.replace('yellow', 'thank'), 'The words do not match. Check their order, and each of them.'],
  ])('gets an error without any of its words: %j', (typed, wrong) => {
    expect(readWords(typed)).toEqual({ wrong })
  })
})
