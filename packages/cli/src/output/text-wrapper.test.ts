import { describe, expect, it } from 'vitest'
import { displayWidth } from './display-width.ts'
import { TextWrapper } from './text-wrapper.ts'

const wrap = (pieces: readonly string[], columns: number) => {
  let text = ''
  const wrapper = new TextWrapper(
    piece => {
      text += piece
    },
    '  ',
    columns,
  )
  for (const piece of pieces) wrapper.push(piece)
  wrapper.flush()
  return text
}

describe('streamed text', () => {
  it('wraps between words, further lines indented', () => {
    expect(wrap(['one two three four'], 9)).toBe('one two\n  three\n  four')
  })

  it('looks the same for any chunks', () => {
    const text =
      'The quick 狐 jumps\n\nover  the lazy 🐕‍🦺 dog, é and e\u0301 — supercalifragilistic ends. \n - a\n   - b '
    for (const columns of [7, 12, 20, Number.POSITIVE_INFINITY]) {
      const whole = wrap([text], columns)
      for (let first = 0; first < text.length; first += 1) {
        expect(wrap([text.slice(0, first), text.slice(first)], columns)).toBe(whole)
      }
      expect(wrap(text.split(''), columns)).toBe(whole)
      for (const line of whole.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns + 2)
    }
  })

  it('breaks words longer than a line', () => {
    expect(wrap(['abcdefghij'], 4)).toBe('abcd\n  efgh\n  ij')
    expect(wrap(['漢字漢字'], 4)).toBe('漢字\n  漢字')
  })

  it('keeps lines and their indents, without runs of empty lines or outer space', () => {
    expect(wrap(['\n\n  a\n\n\n\n\n\n    b\n\n'], 80)).toBe('  a\n\n      b')
  })

  it('shows nothing of an escape sequence, wherever it is split', () => {
    expect(wrap(['a\u001b', '[2J\u009b', 'b'], 80)).toBe('a[2Jb')
  })

  it('delays only the unfinished word', () => {
    const written: string[] = []
    const wrapper = new TextWrapper(piece => written.push(piece), '', 80)
    wrapper.push('one tw')
    expect(written.join('')).toBe('one')
    wrapper.push('o ')
    expect(written.join('')).toBe('one two')
  })
})
