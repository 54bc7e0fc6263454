import { describe, expect, it } from 'vitest'
import { renderResult } from './render-value.ts'
import { fillAnswer, wordFailure } from './word-answer.ts'

describe('fillAnswer', () => {
  const output = { temp_c: 14.5, items: [{ name: 'a' }, { name: 'b' }], ok: true, days: [{ x: 1 }], none: null }
  const fill = (answer: string) => fillAnswer(answer, [output, { city: 'Berlin', days: 3 }])

  it.each([
    ['It is {temp_c} °C in {city}.', 'It is 14.5 °C in Berlin.'],
    ['First {items.0.name}, then {items.1.name}.', 'First a, then b.'],
    ['{days} days', '3 days'],
    ['{days.0.x} in {items}', '1 in name a, name b'],
    ['Well: {ok}. Lost {none}. Also {items.9.name}! Gone {constructor}. {__proto__}', 'Well: yes.'],
    ['{unknown}', ''],
    ['No { placeholder } here {1}', 'No { placeholder } here {1}'],
  ])('fills “%s”', (answer, expected) => {
    expect(fill(answer)).toBe(expected)
  })

  it('ends a sentence once', () => {
    expect(fillAnswer('Found: {a}. {b}.', [{ a: 'All is well.', b: 'wait...' }])).toBe('Found: All is well. wait...')
  })

  it('never reads what it filled in as a template', () => {
    expect(fillAnswer('{a} {b}', [{ a: '{b}', b: '$1 $& {a}' }])).toBe('{b} $1 $& {a}')
  })
})

describe('renderResult', () => {
  it.each([
    [null, 'Done.'],
    [{}, 'Done.'],
    [[], 'Nothing was found.'],
    [false, 'No'],
    ['sent', 'Sent'],
    [{ serviceCode: '*1#', did_of: 'x', empty: [], gone: null }, 'Service code: *1#\nDID of: x\nEmpty: none'],
    [{ hits: [{ name: 'a', id: 1 }, { name: 'b' }] }, 'Hits:\n- name a, ID 1\n- name b'],
    [[1, [2, [3, [4, [5, [6]]]]]], '- 1\n- 2, 3, 4, 5, …'],
  ])('renders %j', (value, expected) => {
    expect(renderResult(value)).toBe(expected)
  })

  it('stays short whatever it is given', () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 'x'.repeat(5_000)]))
    expect(renderResult(wide)).toMatch(/… and 490 more$/)
    expect(renderResult(wide).length).toBeLessThan(25_000)
    expect(renderResult('x'.repeat(1_000_000)).length).toBeLessThan(2_100)
  })
})

describe('wordFailure', () => {
  it.each([
    ['CityUnknown: No such place.', 'That did not work. No such place.'],
    ['Error: x', 'That did not work. x'],
    ['Closed: come later.', 'That did not work. Closed: come later.'],
    ['  ', 'That did not work, and no reason was given.'],
  ])('words %j', (failure, expected) => {
    expect(wordFailure(failure)).toBe(expected)
  })
})
