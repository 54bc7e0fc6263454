import { expect, it } from 'vitest'
import { fits, standardLimits, type TextLimits } from './measure.ts'
import { pageAt, pageText, paginate } from './paginate.ts'
import { hostileWords, seededRandom } from './random.test.helper.ts'

const splitPages = (text: string, limits: TextLimits) => paginate({ words: text, limits }).map(pageText)

const foot = ({ first, last }: { first: boolean; last: boolean }) => [
  ...(last ? [] : ['98. More']),
  ...(first ? [] : ['99. Previous']),
  '*. Exit',
]

it('keeps text that fits on one page, with its white space', () => {
  expect(splitPages('One\n\n  two', standardLimits)).toEqual(['One\n\n  two'])
})

it('splits at words', () => {
  expect(splitPages('alpha beta gamma delta', { gsm7: 11, ucs2: 5 })).toEqual(['alpha beta', 'gamma delta'])
})

it('splits a word that is longer than a page at a character', () => {
  expect(splitPages(`no ${'x'.repeat(25)} yes`, { gsm7: 10, ucs2: 5 })).toEqual([
    'no',
    'xxxxxxxxxx',
    'xxxxxxxxxx',
    'xxxxx yes',
  ])
})

it('does not split grapheme clusters', () => {
  expect(splitPages('👨‍👩‍👧👨‍👩‍👧', { gsm7: 20, ucs2: 10 })).toEqual(['👨‍👩‍👧', '👨‍👩‍👧'])
})

it('counts each page in its own encoding', () => {
  const [first, second] = splitPages(`${'plain '.repeat(30)}${'字'.repeat(40)}`, standardLimits)
  expect(first).toBe('plain '.repeat(30).trim())
  expect(second).toBe('字'.repeat(40))
})

it('puts the last lines under each page, and never splits a line', () => {
  const lines = Array.from({ length: 9 }, (_, index) => `${index + 1}. Option`)
  const pages = paginate({ words: 'Choose:', lines, foot, limits: { gsm7: 60, ucs2: 40 } })
  expect(pages.map(pageText)).toEqual([
    'Choose:\n1. Option\n2. Option\n3. Option\n98. More\n*. Exit',
    '4. Option\n5. Option\n6. Option\n98. More\n99. Previous\n*. Exit',
    '7. Option\n8. Option\n9. Option\n99. Previous\n*. Exit',
  ])
  expect(pages.flatMap(page => page.lines)).toEqual(lines)
})

it('shortens a line that is longer than a page', () => {
  const pages = paginate({ words: '', lines: [`1. ${'x'.repeat(99)}`, '2. y'], foot, limits: { gsm7: 40, ucs2: 20 } })
  expect(pages[0]).toEqual({ words: '', lines: [`1. ${'x'.repeat(17)}...`], foot: ['98. More', '*. Exit'] })
  expect(pages[1]?.lines).toEqual(['2. y'])
})

it('omits the last lines if there is no space for them', () => {
  const pages = paginate({ words: 'alpha beta', foot, limits: { gsm7: 8, ucs2: 4 } })
  expect(pages.map(pageText)).toEqual(['alpha', 'beta'])
})

it('returns the last page for a higher index', () => {
  const content = { words: 'alpha beta gamma', limits: { gsm7: 6, ucs2: 4 } }
  expect(pageAt(content, 1)).toMatchObject({ index: 1, page: { words: 'beta' } })
  expect(pageAt(content, 9)).toMatchObject({ index: 2, page: { words: 'gamma' } })
})

it('loses and repeats nothing, and fits, for any words', () => {
  const random = seededRandom(2)
  for (let round = 0; round < 1500; round += 1) {
    const words = random.list(40, () => random.pick(hostileWords)).join(random.pick([' ', '\n', '  ']))
    const lines = random.list(12, () => random.pick(['1. Yes', '2. Non, merci', '3. 字', '4. 👍']))
    const limits = { gsm7: 60 + random.number(123), ucs2: 40 + random.number(41) }
    const pages = paginate({ words, lines, foot, limits })
    expect(pages.filter(page => !fits(pageText(page), limits))).toEqual([])
    expect(pages.map(page => page.words.replaceAll(/\s/g, '')).join('')).toBe(words.replaceAll(/\s/g, ''))
    expect(pages.flatMap(page => page.lines)).toEqual(lines)
    const broken = pages.some(page => !page.words.isWellFormed())
    expect(broken).toBe(!words.isWellFormed())
  }
})
