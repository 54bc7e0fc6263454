import { expect, test } from 'vitest'
import { indexWords, isSmall } from './index-words.ts'

test('words are compared without case, diacritics and plurals', () => {
  expect(indexWords('Améliorés: 12 cook-stoves!')).toEqual(['amelior', '12', 'cook', 'stov'])
})

test('small words are left out where the language is known', () => {
  const text = "Where's the key of my bicycle?"
  expect(indexWords(text, { languages: ['en'] })).toEqual(['key', 'bicycl'])
  expect(indexWords(text, { languages: ['sw'] })).toEqual(indexWords(text))
  expect(indexWords('Où est la clé de mon vélo', { languages: ['en', 'fr'] })).toEqual(['cle', 'velo'])
  expect([isSmall('the', ['en']), isSmall('the', ['fr'])]).toEqual([true, false])
})

test('a text of only small words keeps them', () => {
  expect(indexWords('Who am I?', { languages: ['en'] })).toEqual(['who', 'am', 'i'])
})

test.each(['worked working worker works', 'allergy allergic allergies', 'married marriage'])(
  'relatives are the same by their root: %s',
  text => {
    const roots = new Set(indexWords(text, { stem: 'root' }))
    expect(roots.size).toBe(1)
    expect(new Set(indexWords(text)).size).toBeGreaterThan(1)
  },
)
