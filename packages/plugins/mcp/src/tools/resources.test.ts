import { startMcpServer } from '@sibyl/mcp-client/testing'
import { scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { oracleWith, seen, serverAt } from '../oracle-with-servers.test.support.ts'

const resources = [{ uri: 'note://monday', name: 'Monday', text: 'Milk\u202e and bread' }]
const prompts = [{ name: 'plan', text: 'Plan the week.' }]
const own = { name: 'read_resource', description: 'A tool of the server of that very name.', does: [{ text: 'own' }] }

test('resources and prompts are reached where a server offers them, and marked as from outside', async () => {
  const server = await startMcpServer({ tools: [own], resources, prompts })
  const model = scriptedModel([
    { tool: 'load_capability', input: { names: ['notes'] } },
    [
      { tool: 'notes_list_resources', input: {} },
      { tool: 'notes_read_resource', input: { uri: 'note://monday' } },
      { tool: 'notes_list_prompts', input: {} },
      { tool: 'notes_get_prompt', input: { name: 'plan' } },
    ],
    'Done.',
  ])
  await using oracle = await oracleWith({ notes: serverAt(server.address) }, { model })
  await oracle.until('notes', 'ready')
  const stream = await oracle.chat('What do the notes say?')
  expect(model.calls.at(-1)?.tools.filter(name => name.startsWith('notes_'))).toEqual([
    expect.stringMatching(/^notes_read_resource_[0-9a-f]{6}$/),
    'notes_list_resources',
    'notes_read_resource',
    'notes_list_prompts',
    'notes_get_prompt',
  ])
  expect(oracle.resultOf(stream, 'notes_list_resources')).toMatchObject({
    notice: expect.stringContaining('From outside'),
    text: 'note://monday: Monday\nnote://{day}: note',
  })
  expect(oracle.resultOf(stream, 'notes_read_resource')).toMatchObject({ text: 'note://monday\nMilk and bread' })
  expect(oracle.resultOf(stream, 'notes_list_prompts')).toMatchObject({ text: 'plan(topic?)' })
  expect(oracle.resultOf(stream, 'notes_get_prompt')).toMatchObject({ text: 'user: Plan the week.' })
  await server.stop()
})

test('if tools are selected or all are approved, these must be named too', async () => {
  const server = await startMcpServer({ tools: [own], resources, prompts })
  await using oracle = await oracleWith({
    picked: serverAt(server.address, { sibyl: { tools: ['read_resource'], approval: 'always' } }),
    plain: serverAt((await startMcpServer({ tools: [own] })).address),
  })
  await oracle.until('picked', 'ready')
  await oracle.until('plain', 'ready')
  await seen(async () => (await oracle.capability('picked'))?.tools.length === 2)
  await seen(async () => (await oracle.capability('plain'))?.tools.length === 1)
  expect((await oracle.capability('picked'))?.tools.at(-1)).toBe('picked_read_resource')
  expect((await oracle.capability('plain'))?.tools).toEqual(['plain_read_resource'])
  await server.stop()
})
