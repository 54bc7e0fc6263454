import { describe, expect, it } from 'vitest'
import { displayWidth, truncate } from './display-width.ts'

describe('the width of text on a terminal', () => {
  it.each([
    ['plain', 5],
    ['漢字', 4],
    ['한국어', 6],
    ['🌧️', 2],
    ['é', 1],
    ['e\u0301', 1],
    ['°…·', 3],
    ['ｆｕｌｌ', 8],
    ['', 0],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  it('is truncated with an ellipsis, never through a wide character', () => {
    expect(truncate('abcdef', 6)).toBe('abcdef')
    expect(truncate('abcdef', 5)).toBe('abcd…')
    expect(truncate('漢字漢字', 6)).toBe('漢字…')
    expect(truncate('abc', 0)).toBe('')
  })
})
