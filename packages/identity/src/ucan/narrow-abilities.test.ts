import { expect, test } from 'vitest'
import { abilityCovers } from './capability.ts'
import { narrowAbilities } from './narrow-abilities.ts'

test.each<[readonly string[], readonly string[], readonly string[]]>([
  [['*'], ['chat/send', 'memory/*'], ['chat/send', 'memory/*']],
  [
    ['chat/*', 'memory/read'],
    ['chat/send', 'memory/*'],
    ['memory/read', 'chat/send'],
  ],
  [['chat/send'], ['chat/personal'], []],
  [['chat/*'], ['session/*'], []],
  [[], ['*'], []],
  [['*'], ['*'], ['*']],
])('%j and %j give %j', (one, other, both) => {
  expect(narrowAbilities(one, other)).toEqual(both)
  expect(narrowAbilities(other, one).toSorted()).toEqual(both.toSorted())
})

test('covers exactly what both lists cover', () => {
  const patterns = ['*', 'a/*', 'a/x', 'a/x/*', 'a/x/y', 'a/y', 'b/*', 'b/x']
  const abilities = ['a/x', 'a/x/y', 'a/x/z', 'a/y', 'a/z', 'b/x', 'b/y', 'c/x']
  const lists = patterns.flatMap(one => patterns.map(other => [one, other]))
  const covers = (scopes: readonly string[], ability: string) => scopes.some(scope => abilityCovers(scope, ability))
  const wrong = lists.flatMap(one =>
    lists.flatMap(other =>
      abilities.filter(
        ability => covers(narrowAbilities(one, other), ability) !== (covers(one, ability) && covers(other, ability)),
      ),
    ),
  )
  expect(wrong).toEqual([])
})
