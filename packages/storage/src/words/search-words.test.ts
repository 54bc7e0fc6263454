import { expect, test } from 'vitest'
import { joinedWord, nameParts, searchWords } from './search-words.ts'

test.each([
  ['Améliorés: 12 cook-stoves!', ['amelior', '12', 'cook', 'stov']],
  ['STOVES stove Stove', ['stov', 'stov', 'stov']],
  ['batteries battery', ['batteri', 'batteri']],
  ['boxes box, branches branch', ['box', 'box', 'branch', 'branch']],
  ['gas glass Paris', ['gas', 'glass', 'pari']],
  ['Straße Łódź Œuvre', ['strass', 'lodz', 'oeuvr']],
  ['清洁炉灶', ['清洁', '洁炉', '炉灶']],
  ['炉', ['炉']],
  ['ACE炉灶2', ['ace', '炉灶', '2']],
  ['🔥🔥', []],
  ['"NEAR(a b)" OR * - \u0000 \ud800', ['near', 'a', 'b', 'or']],
  ['', []],
])('%j has the words %j', (text, words) => {
  expect(searchWords(text)).toEqual(words)
})

test('the same word with and without diacritics, composed or not, is one', () => {
  expect(searchWords('e\u0301nergie')).toEqual(searchWords('énergie'))
  expect(searchWords('energie')).toEqual(searchWords('ÉNERGIE'))
})

test('a word is cut before it is too long for an index', () => {
  expect(searchWords('x'.repeat(10_000))[0]?.length).toBeLessThan(100)
  expect(searchWords(`${'e'.repeat(500_000)}x ${'é'.repeat(500_000)}x`)).toHaveLength(2)
})

test('a text does not become much longer when its letters are taken apart', () => {
  expect(searchWords('ﷺ'.repeat(1_000)).join('').length).toBeLessThan(4_000)
  expect(searchWords('각 '.repeat(1_000))).toEqual(Array.from({ length: 1_000 }, () => '각'))
})

test.each([
  ['CleanCookingDevice', 'Clean Cooking Device'],
  ['LPGStove', 'LPG Stove'],
  ['fuel_type', 'fuel type'],
  ['stove2Kit', 'stove2 Kit'],
])('%s has the parts %s', (name, parts) => {
  expect(nameParts(name)).toBe(parts)
})

test.each(['CookStove', 'cook stoves', 'cook-stove', 'COOK STOVE', 'cook_stove', 'cookStove'])(
  '%s is the type CookStove as one word',
  name => {
    expect(joinedWord(name)).toBe('cookstov')
  },
)
