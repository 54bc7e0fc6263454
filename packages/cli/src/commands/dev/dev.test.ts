import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@sibyl/client'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { startFakeOpenAi } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { folderWith } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { pumpPlugin, pumpProject, startDev } from './dev-process.test.helper.ts'

const textOf = async (chat: ReturnType<ReturnType<typeof createClient>['chat']>) => {
  let text = ''
  for await (const { event } of (await chat).events) if (event.type === 'text-delta') text += event.delta
  return text
}

test('saved changes apply, in the same session', async () => {
  const folder = pumpProject()
  const save = (path: string, text: string) => writeFileSync(join(folder, path), text)
  save('.env', `PORT=0\nORACLE_MNEMONIC="${createMnemonic(12).reveal()}"\n`)
  const dev = startDev(folder)
  const signer = createSigningKey()
  const { url } = await dev.next()
  const client = createClient({ url: url!, signer })
  const first = await client.chat('How is the pump?', { sessionId: 's1' })
  expect(await textOf(Promise.resolve(first))).toBe('It is dry.')

  save('src/plugins/pump.ts', pumpPlugin('It runs.'))
  const reloaded = await dev.next()
  expect(reloaded).toMatchObject({ type: 'reloaded', files: ['src/plugins/pump.ts'] })
  const again = createClient({ url: reloaded.url!, signer })
  expect(await textOf(again.chat('How is the pump?', { sessionId: 's1' }))).toBe('It runs.')
  expect((await again.sessions.get('s1')).messages).toHaveLength(4)
  dev.kill('SIGTERM')
  expect((await dev.ended).code).toBe(0)
  await expect(fetch(`${reloaded.url}/health`)).rejects.toThrow()
})

test('shows errors, ignores irrelevant files, and recovers with the next save', async () => {
  const folder = pumpProject()
  const save = (path: string, text: string) => writeFileSync(join(folder, path), text)
  const dev = startDev(folder)
  const { url } = await dev.next()
  for (const path of ['src/plugins/pump.test.ts', 'src/plugins/.pump.ts.swp', 'src/pump.ts~', 'README.md'])
    save(path, '')
  mkdirSync(join(folder, 'src/node_modules'))
  save('src/node_modules/x.ts', '')
  save('src/plugins/pump.ts', "export const pump = () => {}\nthrow new Error('the pump is stuck')\n")
  expect(await dev.next()).toEqual({ type: 'not-started', end: 1 })
  expect(dev.shown.stderr).toContain('Error: the pump is stuck')

  save('.env', 'PORT=0\nORACLE_NAME=Well Oracle\n')
  expect(await dev.next()).toEqual({ type: 'not-started', end: 1 })

  for (const text of ['one', 'two', 'three']) save('src/plugins/pump.ts', pumpPlugin(text))
  save('src/plugins/new.ts', '')
  const fixed = await dev.next()
  expect(fixed).toMatchObject({ type: 'reloaded', files: ['src/plugins/pump.ts', 'src/plugins/new.ts'] })
  expect(await (await fetch(`${fixed.url}/.well-known/oracle.json`)).json()).toMatchObject({ name: 'Well Oracle' })

  save('new.json', '{"nmae":"Well Oracle"}')
  renameSync(join(folder, 'new.json'), join(folder, 'oracle.config.json'))
  expect(await dev.next()).toMatchObject({ type: 'not-started', remedy: expect.stringContaining('Did you mean name?') })
  for (const one of [url, fixed.url]) await expect(fetch(`${one}/health`)).rejects.toThrow()
})

test('a project with missing files starts, and reloads when .env and mcp.json are created', {
  tags: 'long',
}, async () => {
  const folder = pumpProject()
  rmSync(join(folder, '.env'))
  const dev = startDev(folder, ['--port', '0', '--json'])
  expect(await dev.next()).toMatchObject({ type: 'started' })
  for (const [file, text] of [
    ['mcp.json', '{ "mcpServers": {} }'],
    ['.env', 'ORACLE_NAME=Well Oracle\n'],
  ] as const) {
    writeFileSync(join(folder, file), text)
    expect(await dev.next()).toMatchObject({ type: 'reloaded', files: [file] })
  }
})

test('a .env that was moved away and saved again, as editors do, still reloads', { tags: 'long' }, async () => {
  const folder = pumpProject()
  const file = join(folder, '.env')
  writeFileSync(file, 'ORACLE_NAME=First\n')
  const dev = startDev(folder, ['--port', '0', '--json'])
  await dev.next()
  for (const name of ['Second', 'Third']) {
    renameSync(file, `${file}~`)
    expect(await dev.next()).toMatchObject({ type: 'reloaded', files: ['.env'] })
    writeFileSync(file, `ORACLE_NAME=${name}\n`)
    const { url, type, files } = await dev.next()
    expect([type, files]).toEqual(['reloaded', ['.env']])
    expect(await (await fetch(`${url}/.well-known/oracle.json`)).json()).toMatchObject({ name })
  }
})

test('the file that MCP_SERVERS_FILE names is watched, also if it is created later', { tags: 'long' }, async () => {
  const folder = pumpProject()
  const file = 'config/.servers.json'
  writeFileSync(join(folder, '.env'), `PORT=0\nMCP_SERVERS_FILE=./${file}\n`)
  mkdirSync(join(folder, 'config'))
  const dev = startDev(folder)
  await dev.next()
  for (const servers of ['{}', '{ "a": { "disabled": true } }']) {
    writeFileSync(join(folder, file), `{ "mcpServers": ${servers} }`)
    expect(await dev.next()).toMatchObject({ type: 'reloaded', files: [file] })
  }
})

test('shows what prevents the start, what was saved and how long it took', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const folder = pumpProject()
  writeFileSync(join(folder, '.env'), `PORT=${port}\n`)
  const dev = startDev(folder, [])
  await dev.until('not started (exit code 75); the next save restarts it\n')
  expect(dev.shown.stdout).toMatch(/^Sibyl .*Oracle.*\n\n\[boot\] loaded +pump/)
  expect(dev.shown.stderr).toContain(`Port ${port} is already in use.`)

  writeFileSync(join(folder, '.env'), 'PORT=0\n')
  await dev.until('reloaded in')
  expect(dev.shown.stdout).toMatch(/\nreloaded in \d+\.\d s {2}\(\.env\)\n/)
  writeFileSync(join(folder, 'src/plugins/pump.ts'), pumpPlugin('It runs.'))
  await dev.until('s  (src/plugins/pump.ts)\n')
  expect(dev.shown.stdout.match(/\[boot\] loaded/g)).toHaveLength(2)
  dev.kill('SIGINT')
  expect(await dev.ended).toMatchObject({ code: 0 })
})

test('a running answer gets a moment; a second Ctrl-C does not wait for it', { tags: 'long' }, async () => {
  const { promise: never } = Promise.withResolvers<never>()
  const model = await startFakeOpenAi({ replies: () => never })
  onTestFinished(() => model.close())
  const folder = pumpProject()
  writeFileSync(join(folder, '.env'), `PORT=0\nORACLE_MNEMONIC="${createMnemonic(12).reveal()}"\n`)
  const dev = startDev(folder, ['--json'], { OPENAI_BASE_URL: model.url, SHUTDOWN_GRACE_SECONDS: '600' })
  const { url } = await dev.next()
  await createClient({ url: url!, signer: createSigningKey() }).chat('hello')
  dev.kill('SIGINT')
  await dev.until('Stopping; press Ctrl-C again to exit immediately.', 'stderr')
  dev.kill('SIGINT')
  expect((await dev.ended).code).toBe(130)
  await expect(fetch(`${url}/health`)).rejects.toThrow()
})

test('an oracle does not outlive its command, not even during boot; --port has priority', {
  tags: 'long',
}, async () => {
  const folder = pumpProject()
  const dev = startDev(folder, ['--port', '0', '--json'], { PORT: 'many' })
  expect(await dev.next()).toMatchObject({ type: 'started' })
  const standsStill =
    "setup: async () => { (await import('node:fs')).writeFileSync('pid', String(process.pid)); return never }"
  const plugin = pumpPlugin('').replace(/setup: [\s\S]*/, `${standsStill} })\nconst never = new Promise(() => {})`)
  writeFileSync(join(folder, 'src/plugins/pump.ts'), plugin)
  await expect.poll(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8')).toMatch(/^\d+$/)
  dev.kill('SIGKILL')
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('a database among the sources is ignored, and a file that the oracle writes at every start is named', {
  tags: 'long',
}, async () => {
  const folder = pumpProject()
  const dev = startDev(folder)
  await dev.next()
  for (const path of ['a.db', 'a.db-wal', 'a.sqlite3', 'a.db.lock']) writeFileSync(join(folder, 'src', path), '1')
  const writing =
    "import { writeFileSync } from 'node:fs'\nwriteFileSync('src/state.json', String(performance.timeOrigin))\n"
  writeFileSync(join(folder, 'src/plugins/pump.ts'), writing + pumpPlugin('It runs.'))
  const event = await dev.next()
  expect(event).toEqual({ type: 'restless', files: ['src/state.json'] })
})

test('outside a project there is nothing to run', async () => {
  const terminal = new FakeTerminal({})
  expect(await run(['dev'], { ...terminal.io, cwd: folderWith() })).toBe(3)
  expect(terminal.errors).toContain('There is no oracle here')
  expect(await run(['dev', '--port', '70000'], terminal.io)).toBe(2)
})

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
