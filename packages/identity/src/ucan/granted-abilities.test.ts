import { expect, test } from 'vitest'
import { createSigningKey } from '../keys/node-signing-key.ts'
import { grantedAbilities } from './granted-abilities.ts'
import { mintDelegation } from './mint.ts'

test('names what delegations grant on a resource, each ability once', async () => {
  const [key, holder] = [createSigningKey(), createSigningKey()]
  const grant = (resource: string, abilities: string[]) =>
    mintDelegation({ key, audience: holder.did, resource, abilities })
  const tokens = [
    await grant('oracle:one', ['chat/*', 'session/read']),
    await grant('oracle:one', ['chat/*', 'memory/read']),
    await grant('oracle:two', ['*']),
    'not.a.token',
  ]
  expect(grantedAbilities(tokens, 'oracle:one')).toEqual(['chat/*', 'session/read', 'memory/read'])
  expect(grantedAbilities([], 'oracle:one')).toEqual([])
})
