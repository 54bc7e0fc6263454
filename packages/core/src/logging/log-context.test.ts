import { defineTool, type Host, route } from '@sibyl/plugin'
import { type RecordedLine, recordedLogger } from '@sibyl/plugin/testing'
import { readStream, type ScriptedStep, scriptedModel, startFakeOpenAi, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { samplePlugin } from '../testing/sample-plugin.ts'

/** Creates a plugin whose every part writes a line, without access to the request. */
const talkative = () =>
  samplePlugin('talkative', {
    manifest: { title: 'Talkative', summary: 'Talks.', whenToUse: ['always'], load: 'always' },
    setup(host: Host) {
      host.jobs.define('talkative/later', z.object({}), async () => host.log.info('in the job'))
      const talk = defineTool({
        description: 'Talks.',
        input: z.object({}),
        effect: 'read',
        execute: async () => {
          await new Promise(resolve => setTimeout(resolve, 1))
          host.log.info('in the tool')
          await host.jobs.enqueue('talkative/later', {})
          return 'said'
        },
      })
      const answered = route.get(
        '/talk',
        { auth: 'public', summary: 'A route', ok: { 200: { description: 'x' } } },
        async c => {
          await new Promise(resolve => setImmediate(resolve))
          host.log.info('in the route')
          return c.text('ok')
        },
      )
      return {
        tools: { talk },
        routes: [answered],
        turn: {
          before: async () => {
            host.log.info('before the turn')
            return undefined
          },
          after: async () => host.log.info('after the turn'),
        },
      }
    },
  })

const oracleWith = async (steps: readonly ScriptedStep[]) => {
  const log = recordedLogger()
  const oracle = await testApp({ plugins: [talkative()], model: scriptedModel(steps), logger: log })
  const line = (message: string): RecordedLine | undefined => log.lines.find(one => one.message === message)
  return { ...oracle, log, line, [Symbol.asyncDispose]: () => oracle.app.close() }
}

test('a request ID is in every line that it causes: in turn, tool, hooks and job', async () => {
  await using oracle = await oracleWith([[{ tool: 'talk', id: 'c1' }], 'done'])
  const headers = { 'x-request-id': 'req-1' }
  const { last } = await readStream(await oracle.actor.request('/chat', { json: { message: 'hi' }, headers }))
  const { turnId: turn } = last!.messageMetadata as { turnId: string }
  const inTurn = { plugin: 'talkative', requestId: 'req-1', turn }
  await expect.poll(() => oracle.line('in the job')?.fields).toBeDefined()
  expect(oracle.line('before the turn')?.fields).toEqual({ plugin: 'talkative', requestId: 'req-1' })
  expect(oracle.line('in the tool')?.fields).toEqual({ ...inTurn, tool: 'talk', toolCall: 'c1' })
  expect(oracle.line('after the turn')?.fields).toEqual(inTurn)
  expect(oracle.line('in the job')?.fields).toEqual({
    plugin: 'talkative',
    requestId: 'req-1',
    job: 'talkative/later',
    jobId: expect.any(String),
  })
  expect(oracle.line('a tool was run')?.fields).toMatchObject({ requestId: 'req-1', turn, tool: 'talk' })
  expect(oracle.line('a turn ended')?.fields).toMatchObject({ requestId: 'req-1', turn, outcome: 'done' })
  expect(oracle.line('a job was run')?.fields).toMatchObject({ requestId: 'req-1', result: 'done' })
  await oracle.app.request('/talk', { headers: { 'x-request-id': 'req-2' } })
  expect(oracle.line('in the route')?.fields).toEqual({ plugin: 'talkative', requestId: 'req-2' })
})

test('concurrent turns over shared connections keep their contexts', async () => {
  const provider = await startFakeOpenAi({
    replies: ({ afterToolResult }) =>
      afterToolResult ? { text: 'done' } : { toolCalls: [{ name: 'talk', arguments: {} }] },
  })
  const log = recordedLogger()
  await using oracle = await testApp({
    plugins: [talkative()],
    logger: log,
    env: { OPENAI_BASE_URL: provider.url, LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'm' },
  })
  const { url } = await oracle.app.listen({ port: 0, host: '127.0.0.1' })
  const actor = testActor({ identity: oracle.app.identity, request: (path, init) => fetch(url + path, init) })
  for (const round of ['a', 'b']) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const headers = { 'x-request-id': `${round}${index}` }
        await readStream(await actor.request('/chat', { json: { message: 'hi' }, headers }))
      }),
    )
  }
  const lines = (message: string) => log.lines.filter(line => line.message === message).map(({ fields }) => fields)
  const pairs = (message: string) => lines(message).map(({ requestId, turn }) => `${requestId} ${turn}`)
  expect(new Set(pairs('in the tool')).size).toBe(40)
  expect(new Set(lines('in the tool').map(({ turn }) => turn)).size).toBe(40)
  expect(pairs('a turn ended').toSorted()).toEqual(pairs('in the tool').toSorted())
  expect(pairs('after the turn').toSorted()).toEqual(pairs('in the tool').toSorted())
  await provider.close()
})

test('each request logs one line with its route instead of its path, the caller and the outcome', async () => {
  await using oracle = await oracleWith(['fine'])
  const { url } = await oracle.app.listen({ port: 0, host: '127.0.0.1' })
  const actor = testActor({ identity: oracle.app.identity, request: (path, init) => fetch(url + path, init) })
  await readStream(await actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
  await actor.request('/sessions/in-the-path?token=in-the-query', { headers: { 'x-request-id': 'req-9' } })
  await fetch(`${url}/no/such/thing`)
  await expect.poll(() => oracle.log.lines.filter(line => line.message === 'a request was answered').length).toBe(3)
  const [chat, session, missing] = oracle.log.lines.filter(line => line.message === 'a request was answered')
  expect(chat?.fields).toMatchObject({
    method: 'POST',
    route: '/chat',
    status: 200,
    actor: actor.did,
    via: 'ucan',
    address: '127.0.0.1',
    durationMs: expect.any(Number),
    requestId: expect.any(String),
  })
  expect(session).toMatchObject({
    level: 'debug',
    fields: { requestId: 'req-9', route: '/sessions/{id}', status: 404, code: 'session_not_found' },
  })
  expect(missing?.fields).toMatchObject({ route: 'unmatched', status: 404, code: 'route_not_found' })
  expect(JSON.stringify(oracle.log.lines)).not.toMatch(/in-the-query|in-the-path|no\/such/)
})

test('the line has level info in machine logs; probes are not logged', async () => {
  const log = recordedLogger()
  await using oracle = await testApp({ plugins: [], logger: log, env: { LOG_FORMAT: 'json' } })
  await oracle.app.request('/health')
  await oracle.app.request('/sessions')
  const lines = log.lines.filter(line => line.message === 'a request was answered')
  expect(lines.map(({ level, fields }) => [level, fields.route])).toEqual([
    ['debug', '/health'],
    ['info', '/sessions'],
  ])
})
