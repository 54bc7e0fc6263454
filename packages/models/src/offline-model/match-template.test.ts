import { describe, expect, it } from 'vitest'
import { matchTemplate, parseTemplate } from './match-template.ts'
import { readWords } from './read-words.ts'

const match = (template: string, text: string) => matchTemplate(parseTemplate(template), readWords(text))[0]

describe('matchTemplate', () => {
  it.each([
    ["What's the weather in {city}?", 'what is the weather in Berlin', { city: 'Berlin' }],
    ['Forecast for {city} for {days} days', 'forecast for Rome for 3 days!', { city: 'Rome', days: '3' }],
    ["{city}'s weather", "Berlin's weather", { city: 'Berlin' }],
    [
      'Send {text} to {number}',
      'send go to the shop to +260971234567',
      { text: 'go to the shop', number: '+260971234567' },
    ],
    ['Resolve {did}', 'Resolve did:web:example.org:entities:1.', { did: 'did:web:example.org:entities:1' }],
    ['Read {url}', 'read <https://example.org/a?b=c#d>', { url: 'https://example.org/a?b=c#d' }],
    ['Preview *{code}#', 'preview *384*1#', { code: '384*1' }],
    ['Say "{text}" loudly', 'say “good night” loudly', { text: 'good night' }],
    ['React with {emoji}', 'react with 🙂', { emoji: '🙂' }],
    ["Don't remind me of {text}", 'dont remind me of it’s', { text: 'it’s' }],
    ['Check in {name}', 'check in  Ada   Lovelace ,', { name: 'Ada   Lovelace' }],
    ['Search e-mail for {query}', 'Search email for x', { query: 'x' }],
    ['Café in {city}', 'cafe in Łódź', { city: 'Łódź' }],
    ['Write {path}: {text}', 'write a b.txt: it is 10:30: late', { path: 'a b.txt', text: 'it is 10:30: late' }],
    ['Text {to}: {text}', 'text Ada good night', { to: 'Ada good', text: 'night' }],
    ['{a} and {b}', 'one and two and three', { a: 'one and two', b: 'three' }],
  ])('reads “%s” in “%s”', (template, text, values) => {
    expect(match(template, text)).toEqual(values)
  })

  it.each([
    ['Weather in {city}', 'the weather in Berlin'],
    ['Weather in {city}', 'weather in'],
    ['Weather in {city}', 'weather in ?!'],
    ['Weather in {city} now', 'weather in Berlin'],
    ['Weather', 'weather Berlin'],
  ])('does not read “%s” in “%s”', (template, text) => {
    expect(match(template, text)).toBeUndefined()
  })

  it('offers every way to share the words, the longest first', () => {
    const ways = matchTemplate(parseTemplate('{a} to {b}'), readWords('x to y to z'))
    expect(ways).toEqual([
      { a: 'x to y', b: 'z' },
      { a: 'x', b: 'y to z' },
    ])
  })
})
