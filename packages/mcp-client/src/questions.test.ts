import type { JsonObject } from '@sibyl/protocol'
import { describe, expect, it } from 'vitest'
import { asQuestion, connected, eachGeneration, program, recordedLog, textsOf } from './connect-mcp.test.support.ts'
import { McpCallFailed } from './index.ts'

const form = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } })

describe.each(eachGeneration)('over %s', (_, serve) => {
  it('no answer in time: the server is notified, and the question is closed', async () => {
    const { address, events } = await serve({
      tools: [{ name: 'ask', does: [{ ask: [{ message: 'Well?', requestedSchema: form('x') }] }] }],
    })
    const notes = connected(address, { limits: { questionTimeoutMs: 30 } })
    await notes.ready()
    const question = asQuestion(await notes.call('ask', {}))
    await expect.poll(() => events().find(({ what }) => what === 'answered')?.replies).toEqual([{ action: 'cancel' }])
    await expect(question.answer({ action: 'accept' })).rejects.toThrow(McpCallFailed)
  })

  it('a form within a form is declined without asking', async () => {
    const requestedSchema = { type: 'object', properties: { deep: { type: 'object', properties: {} } } }
    const { address, events } = await serve({
      tools: [{ name: 'ask', does: [{ ask: [{ message: 'Well?', requestedSchema }] }] }],
    })
    const notes = connected(address)
    await notes.ready()
    const outcome = await notes.call('ask', {}).catch(error => error)
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(McpCallFailed)
    else expect(textsOf(outcome)).toEqual(['[{"action":"decline"}]'])
    expect(events().filter(({ what }) => what === 'called').length).toBeGreaterThan(0)
  })
})

describe('two calls over one channel that ask at the same time', () => {
  it('are separated once one of them has ended, and no user reads the question of another', async () => {
    const { address } = program({
      tools: [
        { name: 'asks', does: [{ ask: [{ message: 'Mine?', requestedSchema: form('x') }] }] },
        { name: 'works', does: [{ waitMs: 150 }, { text: 'done' }] },
      ],
    })
    const notes = connected(address)
    await notes.ready()
    const works = notes.call('works', {})
    const asks = notes.call('asks', {})
    expect(textsOf(await works)).toEqual(['done'])
    const question = asQuestion(await asks)
    expect(question.text).toContain('Mine?')
    await question.answer({ action: 'decline' })
  })
})

it('an answer that does not match the form is rejected, and may be repeated', async () => {
  const requestedSchema = {
    type: 'object',
    properties: {
      size: { type: 'string', enum: ['S', 'M'] },
      count: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    },
    required: ['size'],
  }
  const { address } = program({ tools: [{ name: 'ask', does: [{ ask: [{ message: 'Well?', requestedSchema }] }] }] })
  const notes = connected(address)
  await notes.ready()
  const question = asQuestion(await notes.call('ask', {}))
  const wrong: JsonObject[] = [
    {},
    { size: 'XL' },
    { size: 'M', count: 1.5 },
    { size: 'M', tags: ['c'] },
    { size: 'M', more: { deep: 1 } },
  ]
  for (const content of wrong) {
    await expect(question.answer({ action: 'accept', content })).rejects.toThrow('The answer')
  }
  const content = { size: 'M', count: 2, tags: ['a'] }
  const texts = textsOf(await question.answer({ action: 'accept', content }))
  expect(JSON.parse(texts[0] ?? '')).toEqual([{ action: 'accept', content }])
})

it('a question that is open when the connection is closed is closed with it', async () => {
  const ask = [{ message: 'Well?', requestedSchema: form('x') }]
  const { address } = program({ revision: 'new', tools: [{ name: 'ask', does: [{ ask }] }] })
  const notes = connected(address)
  await notes.ready()
  const question = asQuestion(await notes.call('ask', {}))
  await notes.close()
  await expect(question.answer({ action: 'accept' })).rejects.toThrow('was closed')
})

it('a question for a secret is a question like others, and names its server', async () => {
  const token = { type: 'string', title: 'To\u202eken', description: 'From\u0000 your mail' }
  const requestedSchema = { type: 'object', properties: { token } }
  const ask = [{ message: 'Your \u202eaccess token\u0007, please', requestedSchema }]
  const { address } = program({ tools: [{ name: 'login', does: [{ ask }] }] })
  const log = recordedLog()
  const notes = connected(address, { log })
  await notes.ready()
  const question = asQuestion(await notes.call('login', {}))
  expect(question.text).toBe('The MCP server notes asks: Your access token, please')
  expect(question.schema?.properties).toEqual({
    token: { type: 'string', title: 'Token', description: 'From your mail' },
  })
  await question.answer({ action: 'decline' })
  expect(log.lines.join()).not.toContain('access token')
})

it('a server of 2025 that wants a page to be visited first is called again after it', async () => {
  const elicitations = [{ mode: 'url', message: 'Log in', url: 'https://login.example/', elicitationId: '1' }]
  const refuse = { refuse: 'First log in', code: -32_042, data: { elicitations } }
  const { address, events, set } = program({ tools: [{ name: 'mail', does: [refuse] }] })
  const notes = connected(address)
  await notes.ready()
  const question = asQuestion(await notes.call('mail', {}))
  expect(question).toMatchObject({ url: 'https://login.example/', text: 'The MCP server notes asks: Log in' })
  set({ tools: [{ name: 'mail', does: [{ text: 'You have mail.' }] }] }, false)
  expect(textsOf(await question.answer({ action: 'accept' }))).toEqual(['You have mail.'])
  expect(events().filter(({ what }) => what === 'called')).toHaveLength(2)
})
