import { officePlugin } from '@sibyl/core/testing'
import { createMnemonic } from '@sibyl/identity'
import { defineTool } from '@sibyl/plugin'
import { scriptedModel, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const link = 'https://files.example/f?expires=9&signature=c2VjcmV0'

const oracleWith = (env: Readonly<Record<string, string>> = {}) => {
  const read = defineTool({
    description: 'Reads a line.',
    input: z.object({ line: z.string() }),
    effect: 'read',
    execute: async () => ({ link }),
  })
  const instructions = async () => 'It is raining.'
  const model = scriptedModel([{ tool: 'read', input: { line: 'x' }, id: 'c1' }, 'First answer.', 'Second answer.'])
  return testApp({ plugins: [officePlugin({ tools: { read }, instructions })], model, env })
}

test('shows the prompt of the latest message, and of earlier ones, as the model was sent it', async () => {
  await using oracle = await oracleWith({ ORACLE_PROMPT: 'You help farmers.' })
  await oracle.chat('one', { session: 's1', messageId: 'm1' })
  await oracle.chat('two', { session: 's1', messageId: 'm2' })
  const response = await oracle.actor.request('/sessions/s1/prompt')
  const prompt = await response.json()
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(prompt).toMatchObject({ messageId: 'm2', model: 'scripted', omittedMessages: 0 })
  expect(prompt.system).toContain('You help farmers.')
  expect(prompt.tools.map(({ name, owner }: { name: string; owner: string }) => `${owner} ${name}`)).toEqual([
    'core list_capabilities',
    'core load_capability',
    'desk read',
  ])
  expect(prompt.tools[2].inputSchema.properties).toEqual({ line: { type: 'string' } })
  const parts = prompt.messages.flatMap(({ parts }: { parts: { type: string }[] }) => parts.map(({ type }) => type))
  expect(parts).toEqual(['text', 'tool-call', 'tool-result', 'text', 'text', 'note'])
  expect(prompt.messages.at(-1).parts[1].text).toContain('It is raining.')
  expect(prompt.systemTokens * prompt.messageTokens * prompt.toolTokens).toBeGreaterThan(0)
  const first = await (await oracle.actor.request('/sessions/s1/prompt?message=m1')).json()
  expect(first.messages.length).toBe(1)
  const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
  const ofAnswer = await (await oracle.actor.request(`/sessions/s1/prompt?message=${messages[1].id}`)).json()
  expect(ofAnswer).toEqual(first)
  expect(messages.length).toBe(4)
})

test('redacts secrets and the signatures of links', async () => {
  const mnemonic = createMnemonic(12).reveal()
  await using oracle = await oracleWith({ ORACLE_MNEMONIC: mnemonic, ORACLE_PROMPT: `Say ${mnemonic}.` })
  await oracle.chat('one', { session: 's1' })
  await oracle.chat(`two ${mnemonic}`, { session: 's1' })
  const text = await (await oracle.actor.request('/sessions/s1/prompt')).text()
  expect(text).not.toContain(mnemonic)
  expect(text).not.toContain('c2VjcmV0')
  expect(text).toContain('signature=[redacted]')
})

test('is for the owner with session/inspect, which channel abilities do not cover', async () => {
  await using oracle = await oracleWith()
  await oracle.chat('one', { session: 's1' })
  const codeOf = async (response: Response) => [response.status, (await response.json()).code]
  const narrow = await oracle.actor.request('/sessions/s1/prompt', { abilities: ['chat/*', 'session/read'] })
  expect(await codeOf(narrow)).toEqual([403, 'ucan_capability_missing'])
  const other = testActor(oracle.app)
  expect(await codeOf(await other.request('/sessions/s1/prompt'))).toEqual([404, 'prompt_not_found'])
  const unknown = await oracle.actor.request('/sessions/s1/prompt?message=nope')
  expect(await codeOf(unknown)).toEqual([404, 'prompt_not_found'])
})

test('is off in production unless the operator switches it on', async () => {
  const env = { NODE_ENV: 'production', ORACLE_ACCESS: 'open' }
  const statusOf = async (more: Readonly<Record<string, string>>) => {
    await using oracle = await oracleWith({ ...env, ...more })
    await oracle.chat('one', { session: 's1' })
    const response = await oracle.actor.request('/sessions/s1/prompt')
    return [response.status, (await response.json()).code]
  }
  expect(await statusOf({})).toEqual([403, 'prompt_inspection_off'])
  expect(await statusOf({ PROMPT_INSPECTION_ENABLED: 'true' })).toEqual([200, undefined])
})
