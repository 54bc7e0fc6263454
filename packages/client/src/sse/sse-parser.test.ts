import { describe, expect, it } from 'vitest'
import { ResponseTooLargeError } from '../errors/response-too-large-error.ts'
import { SseParser } from './sse-parser.ts'

const parse = (...pieces: string[]) => {
  const parser = new SseParser(1_000)
  return pieces.flatMap(piece => parser.push(piece))
}

describe('the SSE parser', () => {
  it('reads id and data', () => {
    expect(parse('id: t:1\ndata: {"a":1}\n\n')).toEqual([{ id: 't:1', data: '{"a":1}' }])
  })

  it('gives the same events wherever the text is cut', () => {
    const text =
      '\uFEFF: hello\r\n\r\nid: t:1\r\ndata: one\rdata: ü\u{1F600}\n\nevent: x\nretry: 5\ndata:three\r\rid\ndata\n\n'
    const expected = [
      { id: 't:1', data: 'one\nü\u{1F600}' },
      { id: undefined, data: 'three' },
      { id: '', data: '' },
    ]
    expect(parse(text)).toEqual(expected)
    for (let first = 0; first <= text.length; first += 1) {
      expect(parse(text.slice(0, first), text.slice(first))).toEqual(expected)
    }
    expect(parse(...text)).toEqual(expected)
  })

  it('skips comments and events without data, and forgets their id', () => {
    expect(parse(': ping\n\nid: t:7\n\ndata: x\n\n')).toEqual([{ id: undefined, data: 'x' }])
  })

  it('takes only one space off a value, and a byte order mark only at the start', () => {
    expect(parse('data:  x\n\n', '\uFEFFdata: y\n\n')).toEqual([{ id: undefined, data: ' x' }])
  })

  it('keeps an unfinished event back', () => {
    expect(parse('data: x\n')).toEqual([])
  })

  it.each([
    ['one long line', ['data: ', 'x'.repeat(1_001)]],
    ['many lines', ['data: xxxxxxxxx\n'.repeat(200)]],
    ['a comment without an end', Array<string>(200).fill(': never ending ')],
  ])('refuses an event longer than its limit: %s', (_, pieces) => {
    expect(() => parse(...pieces)).toThrow(ResponseTooLargeError)
  })
})
