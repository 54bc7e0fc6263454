/** @module-tag long */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { type FakeReply, startFakeOpenAi } from '@sibyl/models/testing'
import { startOtlpCollector } from '@sibyl/telemetry/testing'
import { testActor } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { listEnvVariables } from '../config/env-reference.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const canaries = {
  ORACLE_MNEMONIC: createMnemonic(12).reveal(),
  OPENAI_API_KEY: 'sk-canary/key+1234567890',
  ORACLE_OPERATOR_TOKEN: 'operator-canary-1234567890',
  LEAKY_TOKEN: 'plugin canary "1234567890"',
  LEAKY_WORDS: 'words/that+nobody may see',
  OPENAI_EXTRA_HEADERS: 'x-gateway-key=gateway%2Fcanary1234567890',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector%2Fcanary1234567890,x-tenant=tenant-canary-1234567890',
  AWS_SECRET_ACCESS_KEY: 'object-store/canary+1234567890',
  AWS_SESSION_TOKEN: 'session-token/canary+1234567890',
  ORACLE_API_KEYS: 'shop:api-key-canary/+1234567890:*,till:till-canary-1234567890',
}

/** Secrets that are part of lists. */
const inside = {
  shop: 'api-key-canary/+1234567890',
  till: 'till-canary-1234567890',
  gateway: 'gateway/canary1234567890',
  collector: 'collector/canary1234567890',
  tenant: 'tenant-canary-1234567890',
}

/** Values that must not appear anywhere: the variables, and each secret of a list. */
const secrets: Readonly<Record<string, string>> = {
  ...canaries,
  ...inside,
}

/** Returns a secret in every common encoding. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    base64,
    bytes.toString('base64url'),
    hex,
    hex.toUpperCase(),
  ]
}

/** Returns provider failures that contain the key in every form. */
const failures = (key: string): Record<string, FakeReply> => {
  const message = `Incorrect key ${formsOf(key).join(' or ')}`
  return {
    unauthorized: { status: 401, error: { message, code: 'invalid_api_key' } },
    forbidden: { status: 403, error: { message } },
    'not-found': { status: 404, error: { message, code: 'model_not_found' } },
    html: { status: 400, headers: { 'content-type': 'text/html' }, body: `<h1>${message}</h1>` },
    broken: { status: 500, headers: { 'retry-after-ms': '1', 'x-key': key }, body: JSON.stringify({ odd: message }) },
    'no-stream': { status: 200, body: message },
    redirected: { status: 302, headers: { location: `http://127.0.0.1:1/?key=${encodeURIComponent(key)}` } },
    'tool-fails': { toolCalls: [{ name: 'leak', arguments: {} }] },
    'tool-fails-by-cause': { toolCalls: [{ name: 'leak_cause', arguments: {} }] },
    'bad-arguments': { toolCalls: [{ name: 'leak', arguments: '{"a":' }] },
  }
}

const start = async (
  env: Record<string, string>,
): Promise<{ child: ChildProcess; url: string; did: string; output: () => string }> => {
  const file = new URL('../testing/leaky-oracle-process.ts', import.meta.url).pathname
  const child = fork(file, { env, execArgv: ['--conditions=sibyl-source'], silent: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', chunk => (output += chunk))
  const [reported] = (await once(child, 'message')) as [{ url: string; did: string }]
  return { child, ...reported, output: () => output }
}

test('every secret variable of core has a canary here', () => {
  const names = listEnvVariables().flatMap(({ name, secret }) => (secret ? [name] : []))
  expect(Object.keys(canaries)).toEqual(expect.arrayContaining(names))
})

for (const format of ['json', 'pretty']) {
  const name = `no secret and no token reaches a log line (${format}), an answer, an event, a row, a metric or a trace, whatever fails`
  test.concurrent(name, async () => {
    using folder = temporaryFolder()
    const replies = failures(canaries.OPENAI_API_KEY)
    const provider = await startFakeOpenAi({
      replies: request => {
        const text = JSON.stringify(request.body)
        const name = Object.keys(replies).findLast(one => text.includes(`please ${one}`)) ?? ''
        return request.afterToolResult ? { text: 'It failed.' } : (replies[name] ?? { text: 'fine' })
      },
    })
    const collector = await startOtlpCollector()
    const { child, url, did, output } = await start({
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      ...canaries,
      DATABASE_URL: folder.databaseUrl,
      INSIDE_LISTS: JSON.stringify(Object.values(inside)),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OPENAI_BASE_URL: provider.url,
      LOG_LEVEL: 'trace',
      LOG_FORMAT: format,
    })
    const answers: string[] = []
    const tokens: string[] = []
    const call = async (path: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      tokens.push(headers.get('authorization') ?? '')
      const answer = await fetch(url + path, { ...init, headers })
      answers.push(JSON.stringify([...answer.headers]) + (await answer.text()))
      return answer
    }
    const actor = testActor({ request: call, identity: { did } })
    for (const [index, name] of Object.keys(replies).entries()) {
      await actor.request('/chat', { json: { id: `s${index}`, message: `please ${name}` } })
      await actor.request(`/sessions/s${index}`)
    }
    await call('/leak')
    const invocation = { authorization: `Bearer ${await actor.token()}` }
    const exchanged = await fetch(`${url}/auth/token`, { method: 'POST', headers: invocation })
    const bearer = `Bearer ${(await exchanged.json()).token}`
    const created = await fetch(`${url}/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await actor.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'canary', scopes: ['*'] }),
    })
    const storedKey = `Bearer ${(await created.json()).key}`
    const operator = `Bearer ${canaries.ORACLE_OPERATOR_TOKEN}`
    for (const authorization of [
      bearer,
      storedKey,
      `${storedKey.slice(0, -1)}_`,
      `Bearer ${inside.shop}`,
      `${bearer}x`,
      operator,
      'Bearer sk-not-a-key-of-ours',
    ]) {
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ id: 'b', message: 'please tool-fails' })
      await call('/chat', { method: 'POST', headers, body })
      await call('/leak', { headers: { authorization } })
    }
    for (const path of ['/', '/health', '/.well-known/oracle.json', '/.well-known/did.json', '/no/such'])
      await call(path)
    await actor.request('/capabilities')
    await call('/sessions', { headers: { authorization: 'Bearer wrong.token.here' } })
    await call('/chat?token=x', {
      method: 'POST',
      body: '{',
      headers: { authorization: `Bearer ${await actor.token()}` },
    })
    const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: operator } })).text()
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    await ended
    await provider.close()
    await collector.close()

    const traces = collector.requests.map(({ body }) => body).join('\n')
    const rows = readdirSync(folder.path).map(name => readFileSync(join(folder.path, name), 'latin1'))
    expect(output().split('\n').length).toBeGreaterThan(20)
    expect(output()).toContain('a tool failed')
    expect(rows.join('').length).toBeGreaterThan(10_000)
    expect(metrics).toContain('sibyl_tool_calls_total{tool="leak",result="failed"}')
    expect(collector.spans.map(({ name }) => name)).toContain('execute_tool leak')
    const places = { log: output(), answers: answers.join('\n'), rows: rows.join('\n'), metrics, traces }
    for (const [place, text] of Object.entries(places)) {
      for (const [name, secret] of Object.entries(secrets)) {
        for (const form of formsOf(secret)) expect(text.includes(form), `${name} in the ${place}`).toBe(false)
      }
      for (const token of new Set(tokens.filter(Boolean))) {
        for (const form of formsOf(token.slice('Bearer '.length))) {
          expect(text.includes(form), `a token in the ${place}`).toBe(false)
        }
      }
    }
  })
}
