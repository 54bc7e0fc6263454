import { expect, test } from 'vitest'
import { z } from 'zod'
import { createOfflineModel } from './create-offline-model.ts'
import type { OfflineCatalogEntry } from './offline-catalog.ts'

const registry: OfflineCatalogEntry = {
  name: 'registry',
  mode: 'always',
  manifest: {
    title: 'Registry',
    summary: 'Registered boats.',
    whenToUse: ['someone looks for a boat'],
    examples: [
      { user: 'Register a boat called {name}', tool: 'register_boat', args: { name: '{name}' } },
      { user: 'Find {query}', tool: 'search_boats', args: { query: '{query}' } },
    ],
  },
  tools: [
    { name: 'register_boat', input: z.object({ name: z.string() }), effect: 'write' },
    { name: 'search_boats', input: z.object({ query: z.string() }) },
  ],
}

const tides: OfflineCatalogEntry = {
  name: 'tides',
  mode: 'always',
  manifest: {
    title: 'Tides',
    summary: 'High water.',
    whenToUse: ['someone asks for the next tide'],
    examples: [{ user: 'Next tide', tool: 'get_tide', args: {} }],
  },
  tools: [{ name: 'get_tide', input: z.object({}) }],
}

const send = async (text: string) => {
  const { content } = await createOfflineModel({ catalog: () => [registry, tides] }).doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
    tools: ['register_boat', 'search_boats', 'get_tide'].map(name => ({ type: 'function', name, inputSchema: {} })),
  })
  const [part] = content
  return part?.type === 'tool-call' ? [part.toolName, JSON.parse(part.input)] : content
}

test('a phrase of small words counts only if the other words lead to its plugin', async () => {
  expect(await send('find a boat')).toEqual(['search_boats', { query: 'a boat' }])
})

test('it counts where they lead nowhere', async () => {
  expect(await send('find Marie Celeste')).toEqual(['search_boats', { query: 'Marie Celeste' }])
})

test('it does not count where they lead to another plugin', async () => {
  expect(await send('find the next tide')).toEqual(['get_tide', {}])
})
