import type { ToolCall, Turn } from '@sibyl/plugin'
import { expect, test } from 'vitest'
import { storedEntity } from '../search/stored-entities.test.support.ts'
import { createEntityTool, typeName } from './create-entity-tool.ts'
import type { ToolDependencies } from './find-entity.ts'

const actor = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const call = { turn: { actor: { did: actor } }, idempotencyKey: 'the-call-1' } as ToolCall

const asked: unknown[] = []
const tool = createEntityTool({
  writer: {
    create: async (...given: unknown[]) => {
      asked.push(given)
      return { entity: storedEntity({ type: 'CookStove' }), relationships: {} }
    },
  },
} as unknown as ToolDependencies)

test('writes as the person, under the key of the call, so that one that runs again is the same entity', async () => {
  await tool.execute({ type: 'cook stove', properties: { name: 'ACE' } }, call)
  expect(asked).toEqual([
    [{ type: 'CookStove', properties: { name: 'ACE' } }, { did: actor, actor: { did: actor } }, 'the-call-1'],
  ])
})

test('invalid input is reported with its path, and not written', async () => {
  asked.length = 0
  const input = { type: 'Stove', protocol: 'none', relationships: { 'part of': 7 } }
  await expect(tool.execute(input, call)).rejects.toMatchObject({
    code: 'entity_invalid',
    issues: expect.arrayContaining([expect.objectContaining({ path: '/protocol' })]),
  })
  expect(asked).toEqual([])
})

test('asks in plain words, and not at any length', async () => {
  const ask = async (input: Parameters<typeof tool.execute>[0]) => tool.describe?.(input, {} as Turn)
  expect((await ask({ type: 'CookStove', properties: { name: 'n'.repeat(900) } }))?.length).toBeLessThan(200)
  expect(await ask({ type: 'cook stove', properties: { name: 'ACE', fuel: 'wood', watts: 3 } })).toBe(
    'Register a new cook stove called “ACE”. You will be its controller.',
  )
})

test.each([
  ['clean cooking device', 'CleanCookingDevice'],
  ['CookStove', 'CookStove'],
  ['LPG stove', 'LPGStove'],
  ['cook-stove', 'CookStove'],
  ['foyer amélioré', 'FoyerAmeliore'],
  ['3 stoves', undefined],
  ['stove for my mother', undefined],
  ['炉灶', undefined],
  ['a b c d e', undefined],
  ['', undefined],
  ['X'.repeat(65), undefined],
])('%j is the type %s', (text, name) => {
  expect(typeName(text)).toBe(name)
})
