import { definePlugin, defineTool } from '@sibyl/plugin'
import type { OracleProfile } from '@sibyl/plugin/host'
import { scriptedModel, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const tides = () =>
  definePlugin({
    name: 'tides',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Tides',
      summary: 'High and low water.',
      whenToUse: ['someone asks for the tide'],
      examples: [
        {
          user: 'When is high water in {port}?',
          tool: 'get_tide',
          args: { port: '{port}' },
          answer: 'At {high} in {port}.',
        },
      ],
    },
    setup: () => ({
      tools: {
        get_tide: defineTool({
          description: 'The next high water in a port.',
          input: z.object({ port: z.string().max(60) }),
          effect: 'read',
          execute: async ({ port }) => ({ port, high: '14:05' }),
        }),
      },
    }),
  })

test('an oracle discovers a plugin, loads it, calls its tool and answers', async () => {
  await using oracle = await testApp({ plugins: [tides()] })
  const { events, text, last, done } = await oracle.chat('When is high water in Hamburg?', { session: 's1' })
  const calls = events.flatMap(event => (event.type === 'tool-input-available' ? [event.toolName] : []))
  expect(calls).toEqual(['list_capabilities', 'load_capability', 'get_tide'])
  expect(events.find(event => event.type === 'data-capability')?.data).toMatchObject({
    name: 'tides',
    tools: ['get_tide'],
  })
  expect(text).toBe('At 14:05 in Hamburg.')
  expect(last).toMatchObject({ type: 'finish', messageMetadata: { outcome: 'done', stepCount: 4, model: 'offline' } })
  expect(done).toBe(true)
  expect(new Set(events.map(event => event.eventId)).size).toBe(events.length)
})

test('a loaded plugin stays loaded for the session, and the session keeps both messages', async () => {
  await using oracle = await testApp({ plugins: [tides()] })
  await oracle.chat('When is high water in Hamburg?', { session: 's1' })
  const { events } = await oracle.chat('When is high water in Bremen?', { session: 's1' })
  expect(events.flatMap(event => (event.type === 'tool-input-available' ? [event.toolName] : []))).toEqual(['get_tide'])
  const session = await (await oracle.actor.request('/sessions/s1')).json()
  expect(session.loadedPlugins).toEqual(['tides'])
  expect(session.messages.map((message: { role: string }) => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
  ])
})

test('another user cannot see the session or that it exists', async () => {
  await using oracle = await testApp({ plugins: [], model: scriptedModel(['hello']) })
  await oracle.chat('hi', { session: 's1' })
  const other = testActor(oracle.app)
  expect((await other.request('/sessions/s1')).status).toBe(404)
  expect(await (await other.request('/sessions')).json()).toEqual({ sessions: [] })
  expect((await other.request('/sessions/s1', { method: 'DELETE' })).status).toBe(404)
})

test('a plugin reads how the oracle presents itself; the environment overrides the config', async () => {
  const profiles: OracleProfile[] = []
  const curious = definePlugin({
    name: 'curious',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Curious', summary: 'Asks.', whenToUse: ['never'] },
    setup: ({ oracle }) => {
      profiles.push(oracle)
      return {}
    },
  })
  const config = { name: 'From config', description: 'Answers farmers.', price: '1 credit' }
  await using _named = await testApp({ plugins: [curious], config, env: { ORACLE_NAME: 'Field Oracle' } })
  await using _bare = await testApp({ plugins: [curious] })
  expect(profiles).toEqual([
    { name: 'Field Oracle', description: 'Answers farmers.', price: '1 credit' },
    { name: 'Oracle' },
  ])
})
