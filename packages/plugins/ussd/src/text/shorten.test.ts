import { expect, it } from 'vitest'
import { fits, measure } from './measure.ts'
import { hostileWords, seededRandom } from './random.test.helper.ts'
import { shorten, shortenToFit } from './shorten.ts'

it.each([
  ['Chandrasekhar', 13, 'Chandrasekhar'],
  ['Chandrasekhar', 8, 'Chand...'],
  ['Mary Ann Jones', 12, 'Mary Ann...'],
  ['Mary Ann Jones', 13, 'Mary Ann...'],
  ['Mary Ann', 7, 'Mary...'],
  ['Al Chandrasekhar', 12, 'Al Chandr...'],
  ['Мария Анна Иванова', 13, 'Мария Анна…'],
  ['€€€€', 7, '€€...'],
  ['日本語の名前', 4, '日本語…'],
  ['👨‍👩‍👧👨‍👩‍👧', 10, '👨‍👩‍👧…'],
  ['👍👍👍', 4, '👍…'],
  ['Chandra', 3, 'Cha'],
  ['字字', 1, '字'],
  ['👍', 1, ''],
])('%j within %i is %j', (text, longest, short) => {
  expect(shorten(text, longest)).toBe(short)
})

it('removes the one character that made a message UCS-2, if that keeps more', () => {
  const text = `${'word '.repeat(30)}👍`
  expect(shortenToFit(text, { gsm7: 182, ucs2: 80 })).toBe(`${'word '.repeat(30).trim()}...`)
})

it('truncates between words', () => {
  const text = 'Thank you for the report. A field officer visits your village soon. '.repeat(4)
  const shown = shortenToFit(text, { gsm7: 182, ucs2: 80 })
  expect(text.startsWith(`${shown.slice(0, -3)} `)).toBe(true)
})

it('never exceeds its limit or splits a surrogate pair', () => {
  const random = seededRandom(1)
  const words = hostileWords.filter(word => word !== '\ud83d')
  for (let round = 0; round < 2000; round += 1) {
    const text = random.list(12, () => random.pick(words)).join(' ')
    const longest = random.number(100)
    const short = shorten(text, longest)
    if (measure(short).encoding === measure(text).encoding) expect(measure(short).used).toBeLessThanOrEqual(longest)
    expect(short.isWellFormed()).toBe(true)
    const limits = { gsm7: 10 + random.number(180), ucs2: 4 + random.number(80) }
    const fitted = shortenToFit(text, limits)
    expect(fits(fitted, limits)).toBe(true)
    expect(fitted.isWellFormed()).toBe(true)
  }
})
