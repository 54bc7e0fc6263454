import { describe, expect, test } from 'vitest'
import { readRobots } from './robots-rules.ts'

const rules = (text: string) => readRobots(text, 'SibylBot')

describe('the rules of a site (RFC 9309)', () => {
  test.each([
    ['User-agent: *\nDisallow: /', '/', false],
    ['User-agent: *\nDisallow:', '/a', true],
    ['', '/a', true],
    ['Disallow: /', '/a', true],
    ['User-agent: *\nDisallow: /a', '/ab', false],
    ['User-agent: *\nDisallow: /a/', '/a', true],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nAllow: /a/b\nDisallow: /a', '/a/c', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf?a', true],
    ['User-agent: *\nDisallow: /a*c', '/abbbc/d', false],
    ['User-agent: *\nDisallow: /*/private/*', '/x/private/y', false],
    ['User-agent: *\nDisallow: *', '/a', false],
    ['User-agent: *\nDisallow: /$', '/', false],
    ['User-agent: *\nDisallow: /$', '/a', true],
    ['User-agent: *\nDisallow: /?q=', '/?q=1', false],
    ['User-agent: *\nDisallow: /', '/robots.txt', true],
    ['User-agent: SibylBot\nUser-agent: Other\nDisallow: /a', '/a', false],
    ['User-agent: Other\nDisallow: /a\n\nUser-agent: *\nDisallow: /b', '/a', true],
    ['User-agent: sibylbot/2.1\nDisallow: /a', '/a', false],
    ['User-agent: SibylBotter\nDisallow: /a', '/a', true],
    [
      'User-agent: SibylBot\nDisallow: /a\nUser-agent: *\nDisallow: /b\nUser-agent: SIBYLBOT\nDisallow: /c',
      '/c',
      false,
    ],
    ['User-agent: SibylBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b', '/b', true],
    ['user-agent : *   # all\r\nDISALLOW :  /a # this', '/a', false],
    ['\uFEFFUser-agent: *\rDisallow: /a', '/a', false],
    ['User-agent: *\nSitemap: https://a.test/s.xml\nDisallow: /a', '/a', false],
    ['User-agent: *\nDisallow: /caf%C3%A9', '/caf%c3%a9', false],
    ['User-agent: *\nDisallow: /café', '/caf%C3%A9', false],
    ['User-agent: *\nDisallow: /%61', '/a', false],
    ['<html><p>User-agent: *</p></html>', '/a', true],
  ])('%j at %s: %s', (text, path, isAllowed) => {
    expect(rules(text).allows(path)).toBe(isAllowed)
  })

  test('may ask for a pause', () => {
    expect(rules('User-agent: *\nCrawl-delay: 2.5\nDisallow: /a').crawlDelay).toBe(2.5)
    expect(rules('User-agent: *\nCrawl-delay: soon').crawlDelay).toBeUndefined()
    expect(rules('User-agent: *\nCrawl-delay: -1').crawlDelay).toBeUndefined()
  })

  test('with expensive patterns are processed quickly', () => {
    const pattern = `/${'a*'.repeat(400)}b`
    const { allows } = rules(`User-agent: *\n${`Disallow: ${pattern}\n`.repeat(500)}`)
    expect(allows(`/${'a'.repeat(1_900)}`)).toBe(true)
  })

  test('with lines that are made to take long are read quickly', () => {
    const { allows } = rules(`${`Disallow:${' '.repeat(1_900)}#\u2028\n`.repeat(250)}User-agent: *\nDisallow: /a`)
    expect(allows('/a')).toBe(false)
  })

  test('that concern others do not use up what is read of ours', () => {
    const others = `User-agent: Other\n${'Disallow: /b\n'.repeat(6_000)}`
    expect(rules(`${others}User-agent: *\nDisallow: /a`).allows('/a')).toBe(false)
  })
})
