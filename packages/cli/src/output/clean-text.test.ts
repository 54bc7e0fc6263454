import { describe, expect, it } from 'vitest'
import { cleanLine, cleanText, safeJson } from './clean-text.ts'

const hostile = 'a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd\u202ee\rf\u0000g\u007fh\u2028i\ud800j\u200fk'

describe('text from outside', () => {
  it('is printed without control characters, bidi marks, and unpaired surrogates', () => {
    expect(cleanText(hostile)).toBe('a[31mb]0;titlec2Jdefgh\nijk')
  })

  it('keeps normal text', () => {
    const text = 'Ünïcödé, 漢字, עברית, 👨‍👩‍👧, \ttabs\nand lines'
    expect(cleanText(text)).toBe(text)
  })

  it('fits on one line', () => {
    expect(cleanLine('  one\n\n two\u2029three ')).toBe('one two three')
  })

  it('keeps its value as JSON', () => {
    const json = safeJson({ hostile })
    expect(json).toMatch(/^[^\p{Cc}\p{Bidi_Control}\u2028\u2029]*$/u)
    expect(JSON.parse(json)).toEqual({ hostile })
  })
})
