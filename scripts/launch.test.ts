import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let checkout = ''

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'sibyl-launch-'))
  write(
    'package.json',
    JSON.stringify({ type: 'module', engines: { node: '>=22.13' }, devDependencies: { vitest: '1' } }),
  )
  mkdirSync(join(checkout, 'scripts'))
  copyFileSync(join(import.meta.dirname, 'launch.mjs'), join(checkout, 'scripts/launch.mjs'))
})
afterEach(() => rmSync(checkout, { recursive: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(checkout, path)), { recursive: true })
  writeFileSync(join(checkout, path), text)
}
const install = (vitest = '') => {
  write('node_modules/.modules.yaml', '')
  write('node_modules/vitest/vitest.mjs', vitest)
}
const launch = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, 'scripts/launch.mjs'), ...args], {
    encoding: 'utf8',
    cwd: tmpdir(),
  })
  return { status, stdout, stderr }
}

test('runs the tool in the root of the checkout, with the arguments of the caller', () => {
  install('console.log(JSON.stringify([process.cwd().split("/").at(-1), ...process.argv.slice(2)]))')
  const { status, stdout } = launch('test', 'packages/core', '-t', 'two words')
  expect(JSON.parse(stdout)).toEqual([
    checkout.split('/').at(-1),
    'run',
    '--tags-filter=!long',
    'packages/core',
    '-t',
    'two words',
  ])
  expect(status).toBe(0)
})

test('ends as the tool ended', () => {
  install('process.exit(7)')
  expect(launch('test').status).toBe(7)
})

test('switches telemetry off', () => {
  install('console.log(process.env.DO_NOT_TRACK, process.env.TURBO_TELEMETRY_DISABLED)')
  expect(launch('test').stdout).toBe('1 1\n')
})

test('runs every step of a check and fails when one did', () => {
  install('console.log("tests ran")')
  write('node_modules/@biomejs/biome/bin/biome', 'console.log("lint failed"); process.exit(3)')
  write('node_modules/typescript/bin/tsc', 'console.log("types are fine")')
  const { status, stdout } = launch('check')
  expect(stdout).toBe('lint failed\ntypes are fine\ntests ran\n')
  expect(status).toBe(3)
})

test('hands signals to what it runs', async () => {
  install('process.once("SIGTERM", () => process.exit(5)); setInterval(() => {}, 1000); console.log("up")')
  const child = spawn(process.execPath, [join(checkout, 'scripts/launch.mjs'), 'test'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([5, null])
})

test.each([[], ['dance'], ['constructor']])('lists the commands when asked for %j', (...args) => {
  install()
  const { status, stderr } = launch(...args)
  expect(stderr).toContain('npx -y pnpm@12 <command>')
  expect(stderr).toMatch(/^ {2}demo /m)
  expect(status).toBe(2)
})

test('says that nothing is installed', () => {
  const { status, stderr } = launch('test')
  expect(stderr).toBe('The dependencies are not installed. Install them with: npx -y pnpm@12 install\n')
  expect(status).toBe(2)
})

test('says that the installation is incomplete', () => {
  write('node_modules/.modules.yaml', '')
  expect(launch('test').stderr).toContain('incomplete (missing: vitest)')
  write('node_modules/vitest/package.json', '{}')
  expect(launch('test').stderr).toContain('incomplete (missing: node_modules/vitest/vitest.mjs)')
  rmSync(join(checkout, 'node_modules/.modules.yaml'))
  expect(launch('test').stderr).toContain('incomplete')
})

test('says that Node is too old', () => {
  install()
  write('package.json', JSON.stringify({ type: 'module', engines: { node: '>=999.1' }, devDependencies: {} }))
  const { status, stderr } = launch('test')
  expect(stderr).toContain(`Sibyl needs Node 999.1 or later, and this is Node ${process.versions.node}.`)
  expect(stderr).toContain('npx -y pnpm@12 test')
  expect(status).toBe(2)
})

test('says which file a command lacks', () => {
  install()
  expect(launch('start').stderr).toContain('examples/quickstart/src/main.ts')
})
