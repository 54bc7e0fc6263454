import { phoneTextLength } from '@sibyl/plugin/phones'
import { describe, expect, test } from 'vitest'
import { phoneText } from './create-questions.ts'

test.each([
  [
    'Markdown goes',
    '# Rain\n\n* **Berlin**: _slight_ `rain`\n* [Bonn](https://example.org): ~~none~~',
    'Rain\n- Berlin: slight rain\n- Bonn: none',
  ],
  ['so do tables', '| City | Rain |\n|:-----|-----:|\n| Bonn | none |', 'City, Rain\nBonn, none'],
  ['so do fences, quotes, rules and tags', '> Note\n---\n```js\nrun()\n```\na<br>b <b>c</b>', 'Note\nrun()\na b c'],
  ['pictures and pictographs are not seen', '![A map](map.png) Sunny ☀️ 👩‍🌾🏽 today', 'A map Sunny today'],
  ['stars and underscores of words stay', '2*3*4 and snake_case_name and a * b', '2*3*4 and snake_case_name and a * b'],
  ['signs become those of a phone', '“It’s 14 °C – maybe 15°C…”', '"It\'s 14 C - maybe 15 C..."'],
  [
    'western letters lose accents that a phone lacks',
    'Où êtes-vous ? Ça va, là-bas à Bâle',
    'Où etes-vous ? Ça va, là-bas à Bale',
  ],
  ['other letters stay as they are', 'Ìrọ̀lẹ́ ê', 'Ìrọ̀lẹ́ ê'],
  ['control and direction characters go', 'a\u202Eb\u0000c\u200Fd\r\ne', 'ab cd\ne'],
  ['nothing stays nothing', ' \n\u200B\n***\n', ''],
])('%s', (_what, markdown, expected) => {
  expect(phoneText(markdown)).toBe(expected)
})

describe('a long answer', () => {
  test('ends after a sentence', () => {
    const text = phoneText('This is one sentence of many. '.repeat(50))
    expect(text.length).toBeLessThanOrEqual(600)
    expect(text).toMatch(/many\.\.\.$/)
  })

  test('without sentences ends after a word', () => {
    const text = phoneText('word '.repeat(500))
    expect(text.length).toBeLessThanOrEqual(600)
    expect(text).toMatch(/ word\.\.\.$/)
  })

  test('in letters of two bytes is shorter, and no surrogate pair is split', () => {
    const text = phoneText('𝒳'.repeat(500))
    expect(text.length).toBeLessThanOrEqual(240)
    expect(text.isWellFormed()).toBe(true)
    expect(phoneTextLength(phoneText('погода '.repeat(100)))).toMatchObject({ encoding: 'ucs2' })
  })

  test('of any size is processed quickly', () => {
    for (const evil of [
      '**a'.repeat(100_000),
      '[a](b'.repeat(100_000),
      '<a '.repeat(100_000),
      '`a'.repeat(100_000),
      '> '.repeat(100_000),
    ]) {
      expect(phoneText(evil).length).toBeLessThanOrEqual(600)
    }
  })
})
