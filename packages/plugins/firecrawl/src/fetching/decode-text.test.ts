import { describe, expect, test } from 'vitest'
import { encodeText } from '../testing/encode-text.ts'
import { decodeText } from './decode-text.ts'

describe('a charset', () => {
  test.each([
    ['windows-1252', 'Grüße – “so”'],
    ['iso-8859-2', 'Źdźbło'],
    ['iso-8859-15', 'Prix: 5 €'],
    ['windows-1251', 'Гавань'],
    ['koi8-r', 'Гавань'],
    ['shift_jis', '港のニュース'],
    ['euc-jp', '港のニュース'],
    ['gb18030', '港口新闻'],
    ['big5', '港口新聞'],
    ['euc-kr', '항구 소식'],
    ['utf-16le', 'Λιμάνι'],
    ['utf-16be', 'Λιμάνι'],
  ])('%s is read by its server’s word', (charset, text) => {
    expect(decodeText(encodeText(text, charset), charset.toUpperCase(), false)).toBe(text)
  })

  test.each([
    ['<meta charset="shift_jis"><p>港', 'shift_jis'],
    ["<META http-equiv=content-type content='text/html; charset=windows-1251'><p>Гавань", 'windows-1251'],
    ['<?xml version="1.0" encoding="koi8-r"?><p>Гавань', 'koi8-r'],
    ['<!-- <meta charset=koi8-r> --><meta charset=windows-1251><p>Гавань', 'windows-1251'],
  ])('is read by the page’s own word: %s', (text, charset) => {
    expect(decodeText(encodeText(text, charset), undefined, true)).toBe(text)
  })

  test('a byte order mark overrides all other declarations', () => {
    const bytes = Buffer.concat([Buffer.from([0xfe, 0xff]), encodeText('Λιμάνι', 'utf-16be')])
    expect(decodeText(bytes, 'windows-1252', true)).toBe('Λιμάνι')
    expect(decodeText(Buffer.from('\ufeffé'), 'windows-1252', true)).toBe('é')
  })

  test('undeclared text is UTF-8 if it is valid, else windows-1252', () => {
    expect(decodeText(Buffer.from('é'), undefined, true)).toBe('é')
    expect(decodeText(Buffer.from([0xe9, 0x20]), undefined, true)).toBe('é ')
    expect(decodeText(Buffer.from('<meta charset=utf-16><p>é'), undefined, true)).toContain('é')
  })

  test.each(['utf-7', 'x-klingon', 'utf8mb4', 'none', ''])('that no standard lists is skipped: %s', charset => {
    expect(decodeText(Buffer.from('é'), charset, false)).toBe('é')
    expect(decodeText(Buffer.from([0xe9, 0x20]), charset, false)).toBe('é ')
    const own = encodeText('<meta charset=koi8-r><p>Гавань', 'koi8-r')
    expect(decodeText(own, charset, true)).toContain('Гавань')
    const second = encodeText(`<meta charset="${charset || 'x'}"><meta charset=koi8-r><p>Гавань`, 'koi8-r')
    expect(decodeText(second, undefined, true)).toContain('Гавань')
  })

  test.each(['iso-2022-kr', 'HZ-GB-2312', 'replacement'])('%s is rejected', charset => {
    expect(() => decodeText(Buffer.from('a'), charset, true)).toThrow('charset of the page is not supported')
  })
})
