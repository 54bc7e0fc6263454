import { searchWords } from '@sibyl/storage'
import { expect, test } from 'vitest'
import { rootOf } from './root-of.ts'
import { isSmall } from './small-words.ts'

test('small words are known in the named languages', () => {
  const kept = (text: string, languages: ('en' | 'fr' | 'sw')[]) =>
    searchWords(text).filter(word => !isSmall(word, languages))
  const text = "Where's the key of my bicycle?"
  expect(kept(text, ['en'])).toEqual(['key', 'bicycl'])
  expect(kept(text, ['sw'])).toEqual(searchWords(text))
  expect(kept('Où est la clé de mon vélo', ['en', 'fr'])).toEqual(['cle', 'velo'])
  expect([isSmall('the', ['en']), isSmall('the', ['fr'])]).toEqual([true, false])
})

test.each(['worked working worker works', 'allergy allergic allergies', 'married marriage'])(
  'relatives are the same by their root: %s',
  text => {
    expect(new Set(searchWords(text).map(rootOf)).size).toBe(1)
    expect(new Set(searchWords(text)).size).toBeGreaterThan(1)
  },
)
