import { expect, test } from 'vitest'
import { holdsAbility, type RequiredAbility } from './holds-ability.ts'

test.each<[readonly string[], RequiredAbility | undefined, boolean]>([
  [[], undefined, true],
  [['chat/send'], undefined, true],
  [['chat/send'], 'memory/read', false],
  [['memory/read'], 'memory/read', true],
  [['memory/*'], 'memory/read', true],
  [['*'], 'memory/read', true],
  [['memory/*'], 'memory', false],
  [['chat/send'], ['memory/read', 'chat/personal'], false],
  [['chat/personal'], ['memory/read', 'chat/personal'], true],
  [['chat/*'], ['memory/read', 'chat/personal'], true],
  [['memory/read'], ['memory/read', 'chat/personal'], true],
  [['*'], [], false],
  [[], 'memory/read', false],
])('scopes %j and the requirement %j: %s', (scopes, required, holds) => {
  expect(holdsAbility(scopes, required)).toBe(holds)
})
