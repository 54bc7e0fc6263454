import { type Capability, defineTool, ToolFailure } from '@sibyl/plugin'
import { scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const add = defineTool({ description: 'Adds.', input: z.object({}), effect: 'read', execute: async () => 'done' })

const server = (name: string, more: Partial<Capability> = {}): Capability => ({
  name,
  manifest: { title: name, summary: `The server ${name}.`, whenToUse: [`someone needs ${name}`], tags: [name] },
  tools: () => ({ add }),
  state: () => 'ready',
  ...more,
})

/** Returns the output of one call of core's tools. */
const outputOf = async (capabilities: readonly Capability[], tool: string, input: object = {}) => {
  const model = scriptedModel([{ tool, input }, 'ok'])
  await using oracle = await testApp({
    plugins: [officePlugin({ capabilities: () => capabilities }, 'many')],
    model,
  })
  const stream = await oracle.chat('go', { session: 's1' })
  const output = stream.events.find(({ type }) => type === 'tool-output-available')?.output
  const { loadedPlugins } = await (await oracle.actor.request('/sessions/s1')).json()
  return { output, loadedPlugins, offered: model.calls[1]?.tools.slice(2) }
}

const load = (capabilities: readonly Capability[], names: readonly string[]) =>
  outputOf(capabilities, 'load_capability', { names })

const never = new Promise<never>(() => {})

describe('load_capability', () => {
  test('loads several at once, each with its own outcome, in order of the names', async () => {
    const capabilities = [
      server('notes'),
      server('mail', { state: () => 'degraded', tools: () => ({}) }),
      server('files'),
      server('maps', {
        state: () => 'pending',
        tools: async () => {
          throw new ToolFailure("The server 'maps' asks for a key that is not set.")
        },
      }),
    ]
    const { output, loadedPlugins, offered } = await load(capabilities, ['files', 'mail', 'nots', 'notes', 'maps'])
    expect(output).toMatchObject({
      results: [
        { name: 'files', status: 'loaded', tools: [{ name: 'files_add' }] },
        {
          name: 'mail',
          status: 'failed',
          error: "'mail' does not work at the moment. Continue without it, or load it again later.",
        },
        { name: 'nots', status: 'unknown', near: ['notes'] },
        { name: 'notes', status: 'loaded', tools: [{ name: 'notes_add' }] },
        { name: 'maps', status: 'failed', error: "The server 'maps' asks for a key that is not set." },
      ],
    })
    expect(loadedPlugins).toEqual(['files', 'notes'])
    expect(offered).toEqual(['files_add', 'notes_add'])
  })

  test('gives up together on those whose tools never resolve', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `slow-${index}`)
    const slow = names.map(name => server(name, { state: () => 'pending', tools: () => never }))
    const { output } = await load([...slow, server('notes')], [...names, 'notes'])
    expect((output as { results: object[] }).results).toMatchObject([
      ...names.map(name => ({
        name,
        error: `'${name}' is still starting. Continue without it, or load it again in a moment.`,
      })),
      { name: 'notes', status: 'loaded' },
    ])
  })

  test('a degraded one with known tools is loaded', async () => {
    const { offered } = await load([server('notes', { state: () => 'degraded' })], ['notes'])
    expect(offered).toEqual(['notes_add'])
  })
})

describe('list_capabilities', () => {
  test('describes a few in full', async () => {
    const { output } = await outputOf([server('notes', { state: () => 'pending' })], 'list_capabilities')
    expect((output as { capabilities: object[] }).capabilities[1]).toEqual({
      name: 'notes',
      summary: 'The server notes.',
      mode: 'on-demand',
      loaded: false,
      tags: ['notes'],
      state: 'pending',
    })
  })

  test('the list of fifty stays small', async () => {
    const manifest = { ...server('x').manifest, summary: 'A word '.repeat(28).trim() }
    const many = Array.from({ length: 50 }, (_, index) => server(`server-${index}`, { manifest }))
    const { output } = await outputOf(many, 'list_capabilities')
    const { capabilities } = output as { capabilities: { name: string; summary: string }[] }
    expect(capabilities.map(({ name }) => name)).toEqual(['many', ...many.map(({ name }) => name)])
    expect(capabilities[1]?.summary).toMatch(/word…$/)
    expect(JSON.stringify(output).length / 4).toBeLessThan(2_200)
  })
})
