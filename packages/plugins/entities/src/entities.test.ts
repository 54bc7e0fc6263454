import { checkPlugin, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { entities } from './entities.ts'

const did = 'did:web:oracle.example:entities:01kajbch80e04s35sfmmgrwb41'
const samples = {
  did,
  entity: did,
  other_entity: 'did:web:oracle.example:entities:01kajbch80ebxsxnn17a9rb0d0',
  protocol: did,
  type: 'cook stove',
  name: 'ACE One',
  things: 'cook stoves',
  place: 'Kisumu',
  query: 'cook stoves',
  relationship: 'generates',
  depth: '2',
}

describe('keeps the rules of all plugins:', () => {
  for (const check of checkPlugin(() => entities(), { samples })) test(check.name, check.run)
})

test('costs a turn no more than 700 tokens', async () => {
  await using oracle = await testApp({ plugins: [entities()] })
  const [record] = oracle.app.capabilities()
  expect(record).toMatchObject({ name: 'entities', mode: 'always', tools: expect.arrayContaining(['create_entity']) })
  expect(record?.tokens).toBeLessThanOrEqual(700)
})

test.each([
  ['production', undefined, 0],
  ['production', 'on', 2],
  ['development', undefined, 2],
  ['development', 'off', 0],
] as const)('in %s with ENTITIES_EXPLORER=%s it has %i routes', async (environment, ENTITIES_EXPLORER, routes) => {
  const env = ENTITIES_EXPLORER === undefined ? {} : { ENTITIES_EXPLORER }
  await using oracle = await testApp({
    plugins: [entities()],
    env: { ...env, NODE_ENV: environment },
  })
  const document = await (await oracle.app.request('/openapi.json')).json()
  expect(Object.keys(document.paths).filter(path => path.startsWith('/explorer'))).toHaveLength(routes)
})
