import { describe, expect, test } from 'vitest'
import { cleanText, hasUnsafeText } from './clean-text.ts'

const family = '👩‍👩‍👧'

describe('on one line', () => {
  test.each([
    ['plain text', 'Jikokoa Pro 2', 'Jikokoa Pro 2'],
    ['nothing', '', ''],
    ['white space', '  Jikokoa \t\n\n Pro\u00a0\u3000', 'Jikokoa Pro'],
    ['line breaks of every kind', 'a\r\nb\rc\u0085d\u2028e\u2029f\vg\fh', 'a b c d e f g h'],
    ['control characters', 'a\0b\u001b[31mc\u009b', 'ab[31mc'],
    ['marks that turn direction', 'a\u202eb\u2066c\u200ed\u061ce', 'abcde'],
    ['zero width', 'a\u200bb\u2060c\ufeffd\u00ade', 'abcde'],
    ['what is drawn as nothing', 'a\u115fb\u3164c\u034fd\ufe00e\u{e0101}f', 'abcdef'],
    ['tags, which can carry hidden text', `a${'\u{e0041}\u{e0042}'}b`, 'ab'],
    ['noncharacters', 'a\uffffb\ufdd0c', 'abc'],
    ['half of a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['joiners in words and emoji', `می‌خواهم ${family} ❤️`, `می‌خواهم ${family} ❤️`],
    ['runs of joiners', 'a\u200c\u200d\u200cb\ufe0f\ufe0f', 'ab'],
    ['runs of joiners that something else hid', 'a\u200d\u200b\u200db', 'ab'],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean)
    expect(cleanText(clean)).toBe(clean)
  })
})

test('with lines, breaks become line feeds, and indentation stays', () => {
  expect(cleanText(' a\r\n\tb\rc\u2028d\u001b[0m\n', { lines: true })).toBe(' a\n\tb\nc\nd[0m\n')
})

describe('truncated', () => {
  test.each([
    ['Jikokoa', 7, 'Jikokoa'],
    ['Jikokoa', 6, 'Jikok…'],
    ['Jiko koa', 6, 'Jiko…'],
    ['𝒥𝒾𝓀ℴ𝓀ℴ𝒶', 7, '𝒥𝒾𝓀ℴ𝓀ℴ𝒶'],
    ['𝒥𝒾𝓀ℴ𝓀ℴ𝒶', 4, '𝒥𝒾𝓀…'],
    [`a${family}b`, 6, 'a…'],
    [`a${family}bc`, 7, `a${family}…`],
    ['e\u0301e\u0301', 3, 'e\u0301…'],
    ['Jikokoa', 1, '…'],
  ])('%s to %i characters', (text, maxLength, shown) => {
    expect(cleanText(text, { maxLength })).toBe(shown)
    expect([...shown].length).toBeLessThanOrEqual(maxLength)
  })

  test('with another ellipsis, or none', () => {
    expect(cleanText('Jikokoa', { maxLength: 5, ellipsis: '...' })).toBe('Ji...')
    expect(cleanText('Jikokoa', { maxLength: 5, ellipsis: '' })).toBe('Jikok')
  })

  test('a very long text', () => {
    expect(cleanText('ab\n'.repeat(100_000), { maxLength: 6 })).toBe('ab ab…')
  })
})

describe('hasUnsafeText', () => {
  test.each(['Jikokoa', '', 'two  spaces', `می‌خواهم ${family} ❤️`])('accepts %j', text => {
    expect(hasUnsafeText(text)).toBe(false)
    expect(hasUnsafeText(text, { lines: true })).toBe(false)
  })

  test.each(['a\u202eb', 'a\0', '\ud800', 'a\u200d\u200db', '\u200b'])('rejects %j', text => {
    expect([hasUnsafeText(text), hasUnsafeText(text)]).toEqual([true, true])
    expect(hasUnsafeText(text, { lines: true })).toBe(true)
  })

  test.each(['a\nb', 'a\tb', 'a\r\nb', 'a\u2028b'])('accepts %j only with lines', text => {
    expect(hasUnsafeText(text)).toBe(true)
    expect(hasUnsafeText(text, { lines: true })).toBe(false)
  })
})
