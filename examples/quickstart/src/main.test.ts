import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@sibyl/client'
import { createSigningKey } from '@sibyl/identity'
import { startLocalProvider } from '@sibyl/plugin-weather/testing'
import { startFakeOpenAi } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { startQuickstart, temporaryFolder } from './quickstart-process.test.helper.ts'

const startWithWeather = async (folder: string, env: Record<string, string> = {}) => {
  const provider = await startLocalProvider()
  onTestFinished(() => provider.stop())
  return startQuickstart(folder, { WEATHER_BASE_URL: provider.url, ...env })
}

const textOf = async (chat: ReturnType<ReturnType<typeof createClient>['chat']>) => {
  let text = ''
  for await (const { event } of (await chat).events) if (event.type === 'text-delta') text += event.delta
  return text
}

test('creates its secrets, chats, and is the same oracle with the same session after a restart', async () => {
  const folder = temporaryFolder()
  const signer = createSigningKey()
  const first = await startWithWeather(folder)
  const url = await first.url()
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok', database: 'connected' })
  const weather = await fetch(`${url}/weather/now?city=Berlin`)
  expect(await weather.json()).toMatchObject({ ok: true, city: 'Berlin', temp_c: 14, conditions: 'slight rain' })

  const client = createClient({ url, signer })
  const { did } = await client.oracle()
  const sessionId = 'walk'
  const answer = await textOf(client.chat("What's the weather in Berlin?", { sessionId }))
  expect(answer).toBe('It is 14 °C in Berlin with slight rain.')
  await textOf(client.chat('Note that the pump leaks', { sessionId }))
  const { code, stdout, stderr } = await first.stop()
  expect(code).toBe(0)
  // A busy machine may also print that the oracle is stopping.
  expect(stderr.replace(/^Stopping; .*\n/m, '')).toBe(
    'Made in .env (0600): ORACLE_MNEMONIC, PIN_ENCRYPTION_KEY, ORACLE_OPERATOR_TOKEN\n',
  )
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, '.data')).mode & 0o777).toBe(0o700)
  const secrets = [...readFileSync(join(folder, '.env'), 'utf8').matchAll(/^\w+="?([^"\n]+)/gm)].map(match => match[1])
  expect(secrets).toHaveLength(3)
  for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)

  const second = await startWithWeather(folder)
  const again = createClient({ url: await second.url(), signer })
  expect((await again.oracle()).did).toBe(did)
  const { messages, loadedPlugins } = await again.sessions.get(sessionId)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  expect(loadedPlugins).toEqual(['weather', 'notebook'])
  expect(await textOf(again.chat('What did I note?', { sessionId }))).toBe('1. the pump leaks')
  expect((await second.stop()).code).toBe(0)
})

test('without a mnemonic it boots, with authenticated routes 401 and public ones open', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '.env'), 'ORACLE_MNEMONIC=\n', { mode: 0o600 })
  const oracle = await startWithWeather(folder)
  const url = await oracle.url()
  const chat = await fetch(`${url}/chat`, { method: 'POST', body: '{"message":"hello"}' })
  expect(chat.status).toBe(401)
  expect((await fetch(`${url}/sessions`)).status).toBe(401)
  expect((await fetch(`${url}/weather/now?city=Berlin`)).status).toBe(200)
  expect((await oracle.stop()).stdout).toContain('no signing key, so every authenticated route answers 401')
  expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(/^ORACLE_MNEMONIC=\n\n/)
})

test('reports a port in use in a sentence, and leaves nothing running', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  const { code, stderr } = await startQuickstart(temporaryFolder(), { PORT: String(port) }).ended
  expect(code).toBe(75)
  const reason = `Port ${port} is already in use\\. [^\\n]+\\n\\[boot-error\\] This can pass: [^\\n]+`
  expect(stderr).toMatch(new RegExp(`^Made .*\\n\\[boot-error\\] ${reason}\\n$`))
})

test('reports all invalid settings at once, without a stack trace', async () => {
  const env = { PORT: 'many', WEATHER_DEFAULT_UNITS: 'kelvin' }
  const { code, stdout, stderr } = await startQuickstart(temporaryFolder(), env).ended
  expect(code).toBe(3)
  expect(stdout).toContain("[boot-error] Core env validation failed for 'PORT'")
  expect(stdout).toContain("[boot-error] Plugin 'weather' env validation failed for 'WEATHER_DEFAULT_UNITS'")
  expect(stdout).toContain('2 problems; the oracle did not start.')
  expect(stdout + stderr).not.toMatch(/^\s+at /m)
})

test('reports an unusable folder in a sentence', async () => {
  const { code, stdout, stderr } = await startQuickstart('/dev/null/nowhere').ended
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toBe('[boot-error] The folder /dev/null/nowhere cannot be used (ENOTDIR). Name another one.\n')
})

test('in production it makes no secrets and speaks in JSON lines', { tags: 'long' }, async () => {
  const folder = temporaryFolder()
  const oracle = startQuickstart(folder, { NODE_ENV: 'production' })
  await oracle.until('stdout', '[boot] ready')
  const { code, stdout, stderr } = await oracle.stop()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
  expect(existsSync(join(folder, '.env'))).toBe(false)
})

/** A quickstart in the middle of an answer, whose model says no more before `goOn`. */
const answering = async (env: Record<string, string> = {}) => {
  const { promise: gate, resolve: answer } = Promise.withResolvers<void>()
  const model = await startFakeOpenAi({ replies: () => gate.then(() => ({ text: 'At last.' })) })
  onTestFinished(() => model.close())
  const folder = temporaryFolder()
  const restart = (more: Record<string, string>) =>
    startQuickstart(folder, { OPENAI_BASE_URL: model.url, ...env, ...more })
  const oracle = restart({})
  const url = await oracle.url()
  const chat = await createClient({ url, signer: createSigningKey() }).chat('hello')
  return { oracle, chat, answer, restart: () => restart({ PORT: new URL(url).port }) }
}

test('a signal lets the running answer end, and a second one with it counts as one', { tags: 'long' }, async () => {
  const { oracle, chat, answer } = await answering()
  oracle.signal('SIGTERM')
  oracle.signal('SIGINT')
  await oracle.until('stderr', 'Stopping; press Ctrl-C again to exit immediately.')
  answer()
  expect(await textOf(Promise.resolve(chat))).toBe('At last.')
  expect((await oracle.ended).code).toBe(0)
})

test('the next process continues an answer that does not end in time, and the reader gets it whole', {
  tags: 'long',
}, async () => {
  const { oracle, chat, answer, restart } = await answering({ SHUTDOWN_GRACE_SECONDS: '0' })
  oracle.signal('SIGTERM')
  expect((await oracle.ended).code).toBe(0)
  await restart().url()
  answer()
  expect(await textOf(Promise.resolve(chat))).toBe('At last.')
})

test('a second signal ends it immediately', { tags: 'long' }, async () => {
  const { oracle } = await answering()
  oracle.signal('SIGINT')
  await oracle.until('stderr', 'Stopping; press Ctrl-C again to exit immediately.')
  oracle.signal('SIGINT')
  expect((await oracle.ended).code).toBe(130)
})
