import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FakeTerminal } from '../commands/chat/terminal.test.helper.ts'
import { useBundledPackages } from '../process/bundled-sibyl.test.helper.ts'
import { inspectProject } from './inspect-project.ts'
import { openProject } from './open-project.ts'
import { folderWith, inherited } from './project-folder.test.helper.ts'

useBundledPackages()

const checkout = join(import.meta.dirname, '../../../..')

/** Creates a project in which `@sibyl/core`, the bundle and zod are installed. */
const project = (main: string, files: Record<string, string> = {}) => {
  const folder = folderWith({
    'oracle.config.json': '{"name":"Field Oracle"}',
    'package.json': '{"type":"module"}',
    'src/main.ts': main,
    ...files,
  })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(checkout, 'templates/weather/node_modules/@sibyl'), join(folder, 'node_modules/@sibyl'))
  return folder
}

const inspect = async (cwd: string, env: Record<string, string> = {}) => {
  const { io } = new FakeTerminal({ ...inherited(), ...env })
  const opened = await openProject({ cwd, env: io.env })
  return inspectProject(opened, io)
}

const booting = `
import { createOracleApp } from '@sibyl/core'
import { loadEnvFile, runUntilSignal } from '@sibyl/core/start'
await runUntilSignal(() => {
  loadEnvFile()
  return createOracleApp({ config: { name: 'Field Oracle' }, plugins: [] })
})
`

test('describes an oracle, without a trace in its folder', async () => {
  const folder = project(booting, {
    '.env': 'PORT=4123\nORACLE_PORMPT=Be kind.\nMY_OWN=1\nMATRIX_BASE_URL=https://m.example\n',
  })
  const { oracle, problems, turn, variables, unknownVariables } = await inspect(folder)
  expect(existsSync(join(folder, '.data'))).toBe(false)
  expect(oracle).toMatchObject({ name: 'Field Oracle', port: 4123, database: 'sqlite' })
  expect(problems).toEqual([])
  expect(turn?.prompt).toContain('You are Field Oracle.')
  expect(variables.find(({ name }) => name === 'PORT')).toMatchObject({ owner: 'core', from: 'environment' })
  expect(unknownVariables).toEqual([{ name: 'ORACLE_PORMPT', meant: 'ORACLE_PROMPT' }, { name: 'MY_OWN' }])
})

test('includes what prevents boot', async () => {
  const { problems, turn } = await inspect(project(booting, { '.env': 'PORT=many\n' }))
  expect(problems).toMatchObject([{ code: 'env_invalid', variable: 'PORT' }])
  expect(turn).toBeUndefined()
})

test.each([
  ["throw new TypeError('no such pump')", 'src/main.ts does not start, in src/main.ts:1: TypeError: no such pump'],
  ["import './plugins/pump.ts'", 'src/main.ts does not start, in src/plugins/pump.ts:2: Error: the pump is off'],
  ['const = 4', /^src\/main\.ts does not start, in src\/main\.ts:1: .*SyntaxError/],
  ["console.error('sorry'); process.exit(7)", 'src/main.ts does not start: sorry'],
  ['process.exit(7)', 'src/main.ts does not start: it had no output'],
  ["console.error('\\u001b[2J gone'); process.exit(7)", 'src/main.ts does not start: [2J gone'],
])('reports a project that fails to load in a line: %s', async (main, reported) => {
  const files = { 'src/plugins/pump.ts': "\nthrow new Error('the pump is off')" }
  await expect(inspect(project(main, files))).rejects.toMatchObject({
    code: 'project_failed',
    exitCode: 3,
    message: typeof reported === 'string' ? reported : expect.stringMatching(reported),
    remedy: 'Fix it; node src/main.ts shows the complete error.',
  })
})

test('prints no secret of a project that fails to load, in whichever form or part', async () => {
  const [key, pin, password] = ['7f3d9a1b2c4e', 'aabbccddeeff0011', 'hunter22']
  const files = {
    '.env': `ENTITIES_API_KEYS=dev:${key}:read\nPIN_ENCRYPTION_KEY=${pin}\nDATABASE_URL=postgres://u:${password}@h/db\n`,
  }
  const main = `
    import { readFileSync } from 'node:fs'
    const text = readFileSync('.env', 'utf8').replaceAll('\\n', ' ')
    throw new Error(['dark', '${key}', Buffer.from('${pin}').toString('base64'), text].join(' '))`
  const error = await inspect(project(main, files)).catch(it => it)
  expect(error.message).toContain('Error: dark [redacted] [redacted]')
  for (const secret of [key, pin, password]) expect(error.message).not.toContain(secret)
})

test('hides variables of the command from the code of the project', async () => {
  const main = "console.error(Object.keys(process.env).toSorted().join(' ')); process.exit(1)"
  const own = { SIBYL_PASSPHRASE: 'x'.repeat(10), SIBYL_MNEMONIC: 'a b', MATRIX_REGISTRATION_TOKEN: 'y', MY_OWN: '1' }
  const { message } = await inspect(project(main), own).catch(it => it)
  expect(message).toContain('MY_OWN')
  expect(message).not.toMatch(/SIBYL_PASSPHRASE|SIBYL_MNEMONIC|MATRIX_REGISTRATION_TOKEN/)
})

test('does not wait for a program that the project leaves running', async () => {
  const left = `
    import { spawn } from 'node:child_process'
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    writeFileSync('left', String(pid))
  `
  const folder = project(`import { writeFileSync } from 'node:fs'\n${left}\n${booting}`)
  onTestFinished(() => void process.kill(Number(readFileSync(join(folder, 'left'), 'utf8'))))
  expect((await inspect(folder)).oracle.name).toBe('Field Oracle')
})

test('reports missing packages', async () => {
  await expect(inspect(project("import 'no-such-package'"))).rejects.toMatchObject({
    message: expect.stringContaining("Cannot find package 'no-such-package'"),
    remedy: 'Install the packages of the project: npm install (or pnpm, or yarn)',
  })
})

test('reports a project without an oracle', async () => {
  await expect(inspect(project('export {}'))).rejects.toThrow('src/main.ts ended without a call of createOracleApp.')
  const folder = folderWith({ 'oracle.config.json': '{}' })
  await expect(inspect(folder)).rejects.toMatchObject({
    code: 'configuration_invalid',
    message: `src/main.ts does not exist in ${folder}.`,
  })
})

test('redacts a secret that a failing project prints', async () => {
  const main =
    "import { readFileSync } from 'node:fs'\nthrow new Error(readFileSync('.env', 'utf8') + process.env.OPENAI_API_KEY)"
  const files = { '.env': 'ORACLE_MNEMONIC="canary words of the key"' }
  const error = await inspect(project(main, files), { OPENAI_API_KEY: 'canary-in-the-mine' }).catch(it => it)
  expect(error.code).toBe('project_failed')
  expect(`${error.message} ${error.remedy}`).not.toContain('canary')
})

test.each([
  ['x'.repeat(100), 'has an unknown format'],
  ['{"core":1}', 'has an unknown format'],
])('rejects the result %s', async (answer, report) => {
  const main = `import { writeSync } from 'node:fs'\nwriteSync(3, ${JSON.stringify(answer)})`
  await expect(inspect(project(main))).rejects.toThrow(report)
})

test('stops reading a result that is too large', async () => {
  const main = `import { writeSync } from 'node:fs'\nfor (;;) writeSync(3, 'x'.repeat(65536))`
  await expect(inspect(project(main))).rejects.toThrow('The inspection of the oracle is larger than 8 MiB.')
})

test('Ctrl-C ends the project and the command', async () => {
  const terminal = new FakeTerminal(inherited())
  const main = "import { writeFileSync } from 'node:fs'\nwriteFileSync('running', '')\nsetInterval(() => {}, 1000)"
  const folder = project(main)
  const inspection = inspectProject(await openProject({ cwd: folder, env: {} }), terminal.io)
  const left = expect(inspection).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
  await expect.poll(() => existsSync(join(folder, 'running'))).toBe(true)
  terminal.interrupt()
  await left
})

test('uses the file that npm start runs, with its options', async () => {
  const folder = project('throw new Error()', {
    'package.json': '{"type":"module","scripts":{"start":"node --no-warnings lib/oracle.ts"}}',
    'lib/oracle.ts': booting,
  })
  expect((await inspect(folder)).oracle.name).toBe('Field Oracle')
})

/** Creates a project with an older core, which lacks the exports that main.ts imports. */
const outdated = (core: string) => {
  const folder = folderWith({
    'oracle.config.json': '{"name":"Field Oracle"}',
    'package.json': '{"type":"module"}',
    'src/main.ts': "import { createOracleApp } from '@sibyl/core'\nimport '@sibyl/core/start'\ncreateOracleApp({})\n",
    'node_modules/@sibyl/core/package.json': '{"type":"module","version":"0.0.9","exports":{".":"./index.js"}}',
    'node_modules/@sibyl/core/index.js': core,
  })
  return inspect(folder)
}

test.each([
  ['export const createOracleApp = () => {}', /Package subpath '.\/start' is not defined/],
  ['export const makeOracle = () => {}', /(Package subpath|does not provide an export named)/],
])('reports the version of another core', async (core, message) => {
  const { version } = JSON.parse(readFileSync(join(checkout, 'packages/cli/package.json'), 'utf8'))
  const error = await outdated(core).catch(it => it)
  expect(error).toMatchObject({ code: 'project_failed', message: expect.stringMatching(message) })
  expect(error.remedy).toBe(
    `The project has @sibyl/core 0.0.9, and this sibyl is ${version}: use the command of the project (npx sibyl), or install all @sibyl packages in one version.`,
  )
})
