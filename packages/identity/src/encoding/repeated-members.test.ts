import { expect, test } from 'vitest'
import { repeatedMembers } from './repeated-members.ts'

test.each<[string, string, string[][]]>([
  ['one member twice', '{"a":1,"a":2}', [['a']]],
  ['a name once more in escapes', '{"a":1,"\\u0061":2}', [['a']]],
  ['a quote in the name', '{"\\"":1,"\\u0022":2}', [['"']]],
  ['a character beyond the basic plane', '{"\u{1F600}":1,"\\ud83d\\ude00":2}', [['\u{1F600}']]],
  ['__proto__', '{"__proto__":1,"__proto__":2}', [['__proto__']]],
  ['names of Object', '{"constructor":1,"toString":2}', []],
  ['the empty name', '{"":1,"":2}', [['']]],
  ['the same in a list of objects', '[{"a":1},{"a":2}]', []],
  ['below a list', '{"att":[{"with":1,"can":2,"with":3}]}', [['att', 'with']]],
  ['inside and outside', '{"a":{"a":{"a":1}}}', []],
  ['after an inner object', '{"a":{"b":1},"b":2,"a":3}', [['a']]],
  ['three times', '{"a":1,"a":2,"a":3}', [['a'], ['a']]],
  ['values like names', '{"a":"b","b":"a","c":["a","a","b"]}', []],
  ['marks in a text', '{"a":"{\\"a\\":1,\\"a\\":2}","b":"},{[\\\\"}', []],
  ['a text alone', '"{\\"a\\":1}"', []],
])('%s', (_, json, expected) => {
  JSON.parse(json)
  expect([...repeatedMembers(json)]).toEqual(expected)
})

test('deep nesting and long texts are read', () => {
  const deep = `${'{"a":['.repeat(5_000)}{"a":1,"a":2}${']}'.repeat(5_000)}`
  expect([...repeatedMembers(deep)]).toHaveLength(1)
  const long = JSON.stringify({ text: '\\"'.repeat(500_000), other: 1 })
  expect([...repeatedMembers(long)]).toEqual([])
})
