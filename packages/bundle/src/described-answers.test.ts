import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { createMnemonic } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { testApp } from '@sibyl/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'
import { bundledPlugins } from './bundled-plugins.ts'

const operatorToken = 'operator-token-of-the-tests-01'

const boot = async (env: Record<string, string> = {}) => {
  const app = await testApp({
    plugins: bundledPlugins(),
    adapters: bundledAdapters(),
    env: { ORACLE_ADAPTERS: 'openai,mcp-server,a2a,ag-ui', OAUTH: 'on', ORACLE_OPERATOR_TOKEN: operatorToken, ...env },
  })
  onTestFinished(() => app.app.close())
  return app
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>
  readonly security: readonly unknown[]
  readonly 'x-owner': string
}

const operationsOf = async ({ app }: Awaited<ReturnType<typeof boot>>) => {
  const document = await (await app.request('/openapi.json')).json()
  const { paths, components } = document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    readonly components: { readonly responses: Readonly<Record<string, { readonly content?: object }>> }
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
      /** Media types and examples of a status; undefined for one that is not described. */
      answer: (status: number) => {
        const found = operation.responses[status]
        const named = found?.$ref === undefined ? found : components.responses[found.$ref.split('/').at(-1)!]
        return named && ((named.content ?? {}) as Readonly<Record<string, { readonly example?: object }>>)
      },
    })),
  )
}

test('the document has the media type and form with which every route rejects a caller without a credential', async () => {
  const app = await boot({ RATE_LIMIT_PER_MINUTE: '0' })
  const adapters = new Set<string>()
  for (const { path, method, operation, answer } of await operationsOf(app)) {
    if (operation.security.length === 0) continue
    const body = ['GET', 'DELETE'].includes(method)
      ? {}
      : { body: '{}', headers: { 'content-type': 'application/json' } }
    const got = await app.app.request(path.replace(/\{[^}]+\}/g, 'x'), { method, ...body })
    const route = `${method} ${path}`
    expect([route, got.status]).toEqual([route, 401])
    const type = got.headers.get('content-type')?.split(';')[0] ?? ''
    expect([route, Object.keys(answer(401) ?? {})]).toEqual([route, [type]])
    const example = answer(401)?.[type]?.example
    if (type === 'application/problem+json') continue
    adapters.add(operation['x-owner'])
    expect([route, shapeOf(example)]).toEqual([route, shapeOf(await got.json())])
  }
  expect([...adapters].toSorted()).toEqual(['a2a', 'mcp-server', 'openai'])
})

/** Replaces texts and numbers by their types. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
}

test('routes that stream describe JSON and server-sent events', async () => {
  const app = await boot()
  const streaming = (await operationsOf(app)).filter(({ path }) =>
    ['/v1/chat/completions', '/v1/responses', '/mcp', '/a2a'].includes(path),
  )
  expect(streaming.filter(({ method }) => method === 'POST')).toHaveLength(4)
  for (const { method, answer } of streaming)
    if (method === 'POST') expect(Object.keys(answer(200) ?? {})).toEqual(['application/json', 'text/event-stream'])
})

const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find(existsSync)

test.skipIf(promtool === undefined)('promtool finds nothing in the metrics', async () => {
  const { app, actor } = await boot({ RATE_LIMIT_PER_MINUTE: '0' })
  await (await actor.request('/chat', { json: { id: 's1', message: 'What is the weather in Nairobi?' } })).text()
  const read = async () =>
    (await app.request('/metrics', { headers: { authorization: `Bearer ${operatorToken}` } })).text()
  await read()
  // The delay of the event loop is in the second one.
  let text = ''
  while (!text.includes('sibyl_event_loop_delay_seconds{')) {
    await setImmediate()
    text = await read()
  }
  const printed = execFileSync(promtool ?? '', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  expect(printed).toBe('')
})

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

describe.skipIf(postgres === undefined)('on PostgreSQL', () => {
  test('a NUL in a path, a query or a name is an invalid or unknown one', { tags: 'long' }, async () => {
    const app = await boot({
      ...everythingOn(temporaryFolder()),
      DATABASE_URL: (await postgres?.createDatabase()) ?? '',
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_DID_PER_MINUTE: '0',
      NODE_ENV: 'development',
    })
    const failed: string[] = []
    for (const { path, method, operation } of await operationsOf(app)) {
      const parameters = (operation as { parameters?: readonly { name: string; in: string }[] }).parameters ?? []
      const query = parameters.filter(one => one.in === 'query').map(({ name }) => `${name}=a%00b`)
      const paths = [
        path.replace(/\{[^}]+\}/g, 'a%00b'),
        ...query.map(one => `${path.replace(/\{[^}]+\}/g, 'x')}?${one}`),
      ]
      for (const given of new Set(paths)) {
        for (const token of [operatorToken, await app.actor.token()]) {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': '*' }
          const body = ['GET', 'DELETE'].includes(method) ? {} : { body: '{"name":"a\\u0000b","id":"a\\u0000b"}' }
          const answer = await app.app.request(given, { method, headers, ...body })
          if (answer.status >= 500 && answer.status !== 503) failed.push(`${method} ${given} ${answer.status}`)
          await answer.body?.cancel()
        }
      }
    }
    expect(failed).toEqual([])
  })
})
