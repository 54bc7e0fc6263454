import { type Capability, defineTool, type Tool } from '@sibyl/plugin'
import type { LoadMode } from '@sibyl/plugin/host'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { questionsOf } from '../testing/approval-questions.ts'
import { officePlugin } from '../testing/office-plugin.ts'

const ran: string[] = []

const tool = (name: string, more: Partial<Tool> = {}) =>
  ({
    ...defineTool({
      description: `Does ${name}.`,
      input: z.object({}),
      effect: 'read',
      execute: async () => {
        ran.push(name)
        return 'done'
      },
    }),
    ...more,
  }) as Tool

const server = (name: string, load: LoadMode, tools: Record<string, Tool>): Capability => ({
  name,
  manifest: { title: name, summary: `The server ${name}.`, whenToUse: [`someone needs ${name}`], load },
  tools: () => tools,
  state: () => 'ready',
})

/** Starts an oracle with a plugin of many capabilities, which can change. */
const play = async (capabilities: Capability[], turns: readonly (readonly ScriptedStep[])[]) => {
  ran.length = 0
  const model = scriptedModel(turns.flat())
  const oracle = await testApp({ plugins: [officePlugin({ capabilities: () => capabilities }, 'many')], model })
  const chat = () => oracle.chat('go on', { session: 's1' })
  return { oracle, model, chat, [Symbol.asyncDispose]: () => oracle.app.close() }
}

test('tools of a capability are prefixed with its name, and available once it is loaded, in later turns too', async () => {
  const early = { tool: 'my_notes_add' }
  const load = { tool: 'load_capability', input: { names: ['my-notes'] } }
  await using app = await play(
    [server('my-notes', 'on-demand', { add: tool('add') })],
    [
      [early, load, early, 'ok'],
      [early, 'ok'],
    ],
  )
  const { events } = await app.chat()
  const refused = events.filter(({ type }) => type === 'tool-input-error')
  expect(refused.length).toBe(1)
  expect(events.find(({ type }) => type === 'data-capability')?.data).toMatchObject({
    name: 'my-notes',
    tools: ['my_notes_add'],
  })
  expect(ran).toEqual(['add'])
  await app.chat()
  expect(ran).toEqual(['add', 'add'])
  expect((await (await app.oracle.actor.request('/sessions/s1')).json()).loadedPlugins).toEqual(['my-notes'])
})

test('a capability that is removed takes its tools along; its traces in the session do no harm', async () => {
  const capabilities = [
    server('notes', 'on-demand', { add: tool('add') }),
    server('other', 'always', { see: tool('see') }),
  ]
  const load = { tool: 'load_capability', input: { names: ['notes'] } }
  await using app = await play(capabilities, [
    [load, 'ok'],
    [{ tool: 'notes_add' }, { tool: 'other_see' }, 'ok'],
  ])
  await app.chat()
  capabilities.shift()
  expect((await app.chat()).text).toBe('ok')
  expect(ran).toEqual(['see'])
  expect(app.model.calls.at(-1)?.tools).toEqual(['list_capabilities', 'load_capability', 'other_see'])
})

test('its tools request approval like any other', async () => {
  const pay = tool('pay', { approval: 'user', effect: 'write' })
  await using app = await play([server('bank', 'always', { pay })], [[{ tool: 'bank_pay' }]])
  expect(questionsOf(await app.chat()).length).toBe(1)
  expect(ran).toEqual([])
})

test('each turn queries it for its own tools', async () => {
  const seen: string[] = []
  const capability: Capability = {
    ...server('mine', 'always', {}),
    tools: async turn => {
      seen.push(turn.actor.did)
      return { [turn.session.id === 's1' ? 'one' : 'two']: tool('x') }
    },
  }
  await using app = await play([capability], [['ok'], ['ok']])
  await app.chat()
  await app.oracle.chat('hi', { session: 's2' })
  expect(seen).toEqual([app.oracle.actor.did, app.oracle.actor.did])
  expect(app.model.calls.map(({ tools }) => tools.at(-1))).toEqual(['mine_one', 'mine_two'])
})
