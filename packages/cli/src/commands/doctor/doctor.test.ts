import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOracleApp } from '@sibyl/core'
import { createMnemonic, parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { HttpRegistry } from '@sibyl/plugin-entities/registry'
import { reservePort, silentLogger } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { startDevnet } from '../../devnet/start-devnet.ts'
import { run } from '../../main.ts'
import { displayWidth } from '../../output/display-width.ts'
import { useBundledPackages } from '../../process/bundled-sibyl.test.helper.ts'
import { folderWith } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { oracleProject } from '../plugin/plugin-project.test.helper.ts'
import type { Finding } from './checks/finding.ts'

useBundledPackages()

/** Starts a devnet with the entity of an oracle, listed at an address. */
const startRegistry = async (folder: string, apiUrl: string) => {
  const devnet = await startDevnet({ folder, newKey: false, port: await reservePort(), logger: silentLogger })
  onTestFinished(() => devnet.close())
  const registry = new HttpRegistry({ url: devnet.url, apiKey: devnet.keys.apiKey })
  const { entity } = await registry.create({
    type: 'Oracle',
    properties: {},
    services: [{ id: '#api', type: 'OracleApi', endpoint: apiUrl }],
  })
  return { url: devnet.url, entityDid: entity.did }
}

test('reports no problems if devnet and oracle run', async () => {
  const port = await reservePort()
  const url = `http://localhost:${port}`
  const words = createMnemonic(12).reveal()
  const { folder, sibyl } = oracleProject()
  const registry = await startRegistry(folderWith({}), url)
  writeFileSync(
    join(folder, '.env'),
    `PORT=${port}\nORACLE_MNEMONIC=${words}\nREGISTRY_URL=${registry.url}\nORACLE_ENTITY_DID=${registry.entityDid}\n`,
    { mode: 0o600 },
  )
  mkdirSync(join(folder, '.data'), { mode: 0o700 })
  const app = await createOracleApp({
    plugins: [],
    config: {},
    env: {
      PORT: String(port),
      ORACLE_MNEMONIC: words,
      DATABASE_URL: `file:${folder}/.data/sibyl.db`,
      LOG_LEVEL: 'silent',
    },
  })
  onTestFinished(() => app.close())
  await app.listen()
  const env = { SIBYL_HOME: join(folder, 'home') }
  const { code, text } = await sibyl(['doctor', '--json'], { env })
  const { findings, ...counts } = JSON.parse(text) as { findings: Finding[] }
  expect(counts).toMatchObject({ healthy: true, fail: 0, project: folder })
  expect(code).toBe(0)
  const parsed = await parseMnemonic(words)
  const { did } = await signingKeyFromMnemonic(parsed.ok ? parsed.mnemonic : expect.unreachable())
  const ok = findings.filter(({ state }) => state === 'ok').map(({ message }) => message)
  for (const words of [
    `this oracle runs at http://127.0.0.1:${port}`,
    'it is healthy',
    `the registry lists it at ${url}, its address`,
    'sibyl.db opens; an oracle is using it',
    `signs as ${did.slice(0, 13)}…${did.slice(-3)}`,
    `did:web:localhost%3A${port} resolves to this key`,
    'ussd is excluded: PIN_ENCRYPTION_KEY is blank',
  ]) {
    expect(ok).toContain(words)
  }
  expect(ok.some(message => message.startsWith('The clock agrees with '))).toBe(true)
  expect(JSON.stringify(findings)).not.toContain(words.split(' ').slice(0, 3).join(' '))
})

test('groups problems, with a fix each, also in 40 columns', async () => {
  const { folder, sibyl } = oracleProject({
    '.env': `ORACLE_PORMPT=Be kind.\nORACLE_MNEMONIC=no words\nPORT=${await reservePort()}\n`,
  })
  chmodSync(join(folder, '.env'), 0o644)
  const { code, text } = await sibyl(['doctor'], {
    isTTY: true,
    columns: 40,
    env: { SIBYL_HOME: join(folder, 'home') },
  })
  expect(code).toBe(1)
  expect(text).toContain('\nFiles\n')
  expect(text).toContain('  warn  Other users can read .env\n        (0644).\n        → chmod 600 .env\n')
  expect(text).toContain(
    '  warn  The variable ORACLE_PORMPT is\n        unknown.\n        → Did you mean ORACLE_PROMPT?\n',
  )
  expect(text).toContain('  fail  The oracle does not start: Core\n        env validation failed for\n')
  expect(text).toMatch(/\n1 failure, \d warnings\.\n$/)
  for (const line of text.split('\n').slice(2)) {
    expect([line, displayWidth(line) <= 40 || !line.trim().slice(6).trim().includes(' ')]).toEqual([line, true])
  }
})

test('an oracle that would not start, because of its settings or its code', { tags: 'long' }, async () => {
  const wrong = oracleProject({ '.env': 'LLM_PROVIDER=magic\nPORT=99999\n' })
  const settings = await wrong.sibyl(['doctor'])
  expect(settings.code).toBe(1)
  expect(settings.text).toMatch(/fail {2}The oracle does not start: .*PORT/)
  expect(settings.text).toMatch(/fail {2}The oracle does not start: .*LLM_PROVIDER/)
  const torn = oracleProject({ 'src/main.ts': "throw new Error('no such pump')\n" })
  const code = await torn.sibyl(['doctor'])
  expect(code).toMatchObject({ code: 1, errors: '' })
  expect(code.text).toContain('src/main.ts does not start, in src/main.ts:1: Error: no such pump')
  expect(code.text).toContain('  ok    Node.js')
})

test('outside a project, and with damaged files', async () => {
  const check = async (files: Record<string, string>) => {
    const folder = folderWith(files)
    const terminal = new FakeTerminal({ SIBYL_HOME: join(folder, 'home') }, false, 80, folder)
    return { code: await run(['doctor'], terminal.io), text: terminal.text }
  }
  const outside = await check({})
  expect(outside.code).toBe(0)
  expect(outside.text).toContain('warn  There is no project in this folder.\n        → Go to the folder of the oracle')
  expect(outside.text).toContain('  ok    Node.js')
  const damaged = await check({ 'oracle.config.json': '{"name":\n"x",}' })
  expect(damaged.code).toBe(1)
  expect(damaged.text).toMatch(/fail {2}.*oracle\.config\.json/)
})

test('Ctrl-C stops it', async () => {
  const { folder } = oracleProject({
    'src/main.ts':
      "import { writeFileSync } from 'node:fs'\nwriteFileSync('started', '')\nsetInterval(() => {}, 1000)\n",
  })
  const terminal = new FakeTerminal({ SIBYL_HOME: join(folder, 'home') }, false, 80, folder)
  const ended = run(['doctor'], terminal.io)
  await expect.poll(() => existsSync(join(folder, 'started'))).toBe(true)
  terminal.interrupt()
  expect(await ended).toBe(130)
  expect(terminal.text).toBe('')
})
