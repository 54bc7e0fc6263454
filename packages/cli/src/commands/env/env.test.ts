import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { createMnemonic } from '@sibyl/identity'
import { describe, expect, it } from 'vitest'
import { madeSecrets } from '../../env/made-secrets.ts'
import { run } from '../../main.ts'
import { useBundledPackages } from '../../process/bundled-sibyl.test.helper.ts'
import { folderWith } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

useBundledPackages()

const checkout = join(import.meta.dirname, '../../../../..')
const names = madeSecrets.map(({ variable }) => variable)
const words = createMnemonic(24).reveal()

/** Returns the modules of an oracle with its own plugin; bundled ones load slowly. */
const mainWith = (imports: string, plugins: string) => `
${imports}
import { createOracleApp } from '@sibyl/core'
import { definePlugin } from '@sibyl/plugin'
import { loadEnvFile, runUntilSignal } from '@sibyl/core/start'
import { z } from 'zod'
const pump = definePlugin({
  name: 'pump', version: '0.1.0', core: '^0.1.0',
  manifest: { title: 'Pump', summary: 'A pump.', whenToUse: ['pumps'], load: 'always' },
  env: z.object({
    PUMP_URL: z.url().optional().meta({ description: 'Where the pump is', example: 'https://pump.example' }),
    PUMP_TOKEN: z.string().optional(),
  }),
  optIn: ['PUMP_URL'],
  setup: () => ({}),
})
await runUntilSignal(() => {
  loadEnvFile()
  return createOracleApp({ config: { name: 'Field Oracle' }, plugins: [${plugins}] })
})
`

const main = mainWith('', 'pump')
const mainWithBundle = mainWith("import { bundledPlugins } from '@sibyl/bundle'", '...bundledPlugins(), pump')

const project = (env?: string, { config = '{ "name": "Field Oracle" }', source = main } = {}) => {
  const folder = folderWith({
    'oracle.config.json': config,
    'package.json': '{"type":"module"}',
    'src/main.ts': source,
    ...(env === undefined ? {} : { '.env': env }),
  })
  if (env !== undefined) chmodSync(join(folder, '.env'), 0o600)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(checkout, 'templates/twins/node_modules/@sibyl'), join(folder, 'node_modules/@sibyl'))
  symlinkSync(join(checkout, 'templates/twins/node_modules/zod'), join(folder, 'node_modules/zod'))
  return folder
}

const sibyl = async (cwd: string, args: readonly string[], env: Record<string, string> = {}) => {
  const kept = {
    NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  }
  const terminal = new FakeTerminal({ SIBYL_HOME: '/nowhere/at/all', ...kept, ...env }, false, 80, cwd)
  const code = await run(['env', ...args], terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

const envOf = (folder: string) => parseEnv(readFileSync(join(folder, '.env'), 'utf8'))

describe('sibyl env init', () => {
  it('creates .env with new secrets, and adds nothing the second time', async () => {
    const folder = project()
    const { code, text } = await sibyl(join(folder, 'src'), ['init'])
    expect([code, text.split('\n')[0]]).toEqual([0, `Made ${join(folder, '.env')} (0600)`])
    const made = envOf(folder)
    expect(Object.keys(made).toSorted()).toEqual(names.toSorted())
    for (const value of Object.values(made)) expect(text).not.toContain(value)
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
    expect((await sibyl(folder, ['init'])).text).toBe(`Nothing is missing in ${join(folder, '.env')}\n`)
    expect(envOf(folder)).toEqual(made)
    expect(readdirSync(folder)).not.toContain('.env.draft')
  })

  it('adds missing variables and keeps existing ones, including blank ones', async () => {
    const folder = project(`# mine\nPORT=4000\nORACLE_MNEMONIC="${words}"\nPIN_ENCRYPTION_KEY=\n# ENTITIES_API_KEYS=\n`)
    const { text } = await sibyl(folder, ['init', '--json'], { USSD_OPERATOR_TOKEN: 'x'.repeat(20) })
    expect(JSON.parse(text)).toEqual({
      path: join(folder, '.env'),
      made: false,
      added: ['ENTITIES_API_KEYS', 'ORACLE_OPERATOR_TOKEN'],
      blank: ['PIN_ENCRYPTION_KEY'],
    })
    expect(envOf(folder)).toMatchObject({ PORT: '4000', ORACLE_MNEMONIC: words, PIN_ENCRYPTION_KEY: '' })
    expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(/^# mine\nPORT=4000\nORACLE_MNEMONIC="/)
  })

  it('keeps the identity of a registered oracle unless told otherwise', async () => {
    const folder = project('PORT=4000\n', { config: '{ "entityDid": "did:web:a" }' })
    const refused = await sibyl(folder, ['init'])
    expect(refused.code).toBe(2)
    expect(refused.errors).toContain('a new one would create another oracle than did:web:a')
    expect(envOf(folder)).toEqual({ PORT: '4000' })
    expect((await sibyl(folder, ['init'], { SIBYL_MNEMONIC: words })).code).toBe(0)
    expect(envOf(folder).ORACLE_MNEMONIC).toBe(words)
    const other = project(undefined, { config: '{ "entityDid": "did:web:a" }' })
    expect((await sibyl(other, ['init', '--new-mnemonic'])).code).toBe(0)
    expect(envOf(other).ORACLE_MNEMONIC?.split(' ')).toHaveLength(24)
  })

  it('asks on a terminal whose mnemonic to use', async () => {
    const folder = project(undefined, { config: '{ "entityDid": "did:web:a" }' })
    const terminal = new FakeTerminal({}, true, 80, folder)
    const making = run(['env', 'init'], terminal.io)
    await terminal.until('Which words?')
    terminal.type('\r')
    await terminal.until('Its 12 or 24 words')
    terminal.type(`${words}\r`)
    expect(await making).toBe(0)
    expect(envOf(folder).ORACLE_MNEMONIC).toBe(words)
    expect(terminal.raw).not.toContain(words.slice(0, 12))
  })

  it('requires an oracle’s folder', async () => {
    expect(await sibyl(folderWith(), ['init'])).toMatchObject({
      code: 3,
      errors: expect.stringContaining('There is no oracle here'),
    })
  })
})

describe('sibyl env check', () => {
  it('finds nothing in a valid file', async () => {
    const folder = project(undefined, { source: mainWithBundle })
    await sibyl(folder, ['init'])
    const { code, text } = await sibyl(folder, ['check', '--json'])
    const { ok, findings } = JSON.parse(text)
    expect([code, ok]).toEqual([0, true])
    expect(findings).toContainEqual({
      level: 'note',
      variable: 'PUMP_URL',
      message: 'Plugin pump is off.',
      fix: expect.any(String),
    })
    expect(findings.filter(({ message }: { message: string }) => !/^Plugin \w+ is off\.$/.test(message))).toEqual([])
  })

  it('reports invalid, missing, mistyped, blank, duplicate and exposed variables, and no value of a secret', async () => {
    const env = [
      'PORT=many',
      'ORACLE_OPERATOR_TOKEN=canary',
      'ORACLE_MNEMONIC=canary canary canary',
      'ORACLE_PORMPT=Be kind.',
      'PIN_ENCRYPTION_KEY=',
      'PORT=plenty',
      'canary without a name',
    ]
    const folder = project(`${env.join('\n')}\n`, { source: mainWithBundle })
    chmodSync(join(folder, '.env'), 0o644)
    const { code, text, errors } = await sibyl(folder, ['check'])
    expect(code).toBe(3)
    const flat = text.replace(/\s+/g, ' ')
    for (const report of [
      "fail Core env validation failed for 'PORT'",
      "fail Core env validation failed for 'ORACLE_OPERATOR_TOKEN'",
      "fail Core env validation failed for 'ORACLE_MNEMONIC': A mnemonic has 12 or 24 words, got 3",
      'warn ORACLE_PORMPT: Nothing reads it. Did you mean ORACLE_PROMPT?',
      'warn PIN_ENCRYPTION_KEY: It is blank.',
      'warn ENTITIES_API_KEYS: It is missing.',
      `warn Other users can read ${join(folder, '.env').replace(/\s+/g, ' ')} (mode 0644).`,
      'warn PORT: It is set on lines 1 and 6; the last one applies.',
      'warn Line 7 of',
      '3 failures, 7 warnings.',
    ]) {
      expect(flat).toContain(report)
    }
    expect(text + errors).not.toContain('canary')
    expect(existsSync(join(folder, '.data'))).toBe(false)
  })

  it('reports a missing .env, and why a project does not start', async () => {
    expect((await sibyl(project(), ['check'])).text).toContain('Create it: sibyl env init')
    const broken = await sibyl(project('', { source: "throw new Error('no pump')" }), ['check', '--json'])
    expect([broken.code, JSON.parse(broken.text).error.code]).toEqual([3, 'project_failed'])
  })
})

describe('sibyl env example', () => {
  it('contains the variables of the project’s own plugins, and is written, checked and found to be outdated', {
    tags: 'long',
  }, async () => {
    const folder = project('')
    expect(await sibyl(folder, ['example', '--write'])).toMatchObject({ code: 0, errors: '' })
    const text = readFileSync(join(folder, '.env.example'), 'utf8')
    expect(text).toContain('\n# Where the pump is.\n# URL; opt-in\n# PUMP_URL=https://pump.example\n')
    expect(text).toContain('# PUMP_TOKEN=\n')
    const checked = await sibyl(folder, ['example', '--check', '--json'])
    const path = join(folder, '.env.example')
    expect([checked.code, JSON.parse(checked.text)]).toEqual([0, { path, upToDate: true, changed: false }])
    writeFileSync(path, text.replace('PUMP_TOKEN', 'PUMP_TOKENS'))
    expect(await sibyl(folder, ['example', '--check'])).toMatchObject({ code: 1 })
  })

  it('is printed outside a project for the bundled plugins', async () => {
    const { code, text } = await sibyl(folderWith(), ['example'])
    expect([code, text.split('\n')[0]]).toEqual([0, expect.stringMatching(/^# Every variable of this oracle/)])
  })

  it('is not written if the variables are unknown', async () => {
    const broken = project('', { source: "throw new Error('no pump')" })
    expect(await sibyl(broken, ['example', '--write'])).toMatchObject({ code: 3 })
    expect(await sibyl(folderWith(), ['example', '--check'])).toMatchObject({ code: 3 })
  })
})

describe('sibyl env explain', () => {
  it('explains the use and source of a variable, and of a secret only that it is set', async () => {
    const folder = project('PORT=4123\nORACLE_OPERATOR_TOKEN=canary-canary-canary\n')
    const { text } = await sibyl(folder, ['explain', '--json'], { HOST: '127.0.0.2' })
    expect(JSON.parse(text).variables).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'PORT', from: '.env', value: '4123', default: '3000', owner: 'core' }),
        expect.objectContaining({ name: 'HOST', from: 'environment', value: '127.0.0.2' }),
        expect.objectContaining({ name: 'ORACLE_NAME', from: 'oracle.config.json', value: 'Field Oracle' }),
        expect.objectContaining({ name: 'LOG_LEVEL', from: 'default' }),
        expect.objectContaining({ name: 'PUMP_URL', from: 'nowhere', need: 'opt-in', owner: 'pump' }),
      ]),
    )
    expect(text).not.toContain('canary')
    const secret = await sibyl(folder, ['explain', 'ORACLE_OPERATOR_TOKEN'])
    expect(secret.text).toMatch(/now +set, in \.env\n/)
    expect(secret.text).not.toContain('canary')
  })

  it('hides the password in a URL, and values given as arguments', { tags: 'long' }, async () => {
    const folder = project('DATABASE_URL=postgres://u:canary-canary@h/db\n')
    const { text } = await sibyl(folder, ['explain', 'DATABASE_URL', '--json'])
    expect(JSON.parse(text).value).toBe('postgres://u:[redacted]@h/db')
    expect((await sibyl(folder, ['explain', 'DATABASE_URL'])).text).not.toContain('canary')
    const mistyped = await sibyl(folder, ['explain', 'OPENAI_API_KEYS=sk-canary'])
    expect(mistyped.errors).toContain('OPENAI_API_KEYS means nothing')
    expect(mistyped.errors).not.toContain('canary')
  })

  it('lists all, works outside a project, and suggests the closest name', async () => {
    const outside = folderWith()
    const { code, text } = await sibyl(outside, ['explain'])
    expect(code).toBe(0)
    for (const name of [...names, 'REGISTRY_URL', 'SIBYL_PACKAGES', 'WEATHER_DEFAULT_UNITS'])
      expect(text).toContain(`  ${name}\n`)
    expect(await sibyl(outside, ['explain', 'WEATHER_DEFAULT_UNIT'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Did you mean WEATHER_DEFAULT_UNITS'),
    })
  })
})
