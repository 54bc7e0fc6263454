import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// A checkout with the real scripts and a made-up npx, which does for each command what a test wrote for it.
let place = ''
const checkout = () => join(place, 'checkout')

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'sibyl-ci-test-'))
  cpSync(import.meta.dirname, join(checkout(), 'scripts'), { recursive: true })
  cpSync(join(import.meta.dirname, '../.ci'), join(checkout(), '.ci'), { recursive: true })
  write('bin/npx', `#!/usr/bin/env node\nimport(${JSON.stringify(join(place, 'npx.mjs'))})\n`)
  chmodSync(join(place, 'bin/npx'), 0o755)
})
afterEach(() => rmSync(place, { recursive: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(place, path)), { recursive: true })
  writeFileSync(join(place, path), text)
}

/** Runs `.ci/run`; `commands` has the code of each pnpm command, with `report` to write a report of vitest. Returns the lines for npx. */
const ci = (commands: Record<string, string> = {}) => {
  write(
    'npx.mjs',
    `import { appendFileSync, writeFileSync } from 'node:fs'
    const command = process.argv[4]
    const file = process.env.SIBYL_TEST_REPORT
    const report = (passed, failed) =>
      writeFileSync(file, JSON.stringify({ numPassedTests: passed, numFailedTests: failed }))
    appendFileSync(${JSON.stringify(join(place, 'ran'))}, process.argv.slice(2).join(' ') + '\\n')
    ${Object.entries(commands)
      .map(([command, code]) => `if (command === '${command}') { ${code} } else`)
      .join(' ')}
    if (file) report(10, 0)`,
  )
  const { status, stdout } = spawnSync(join(checkout(), '.ci/run'), {
    encoding: 'utf8',
    env: { ...process.env, PATH: [join(place, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter) },
  })
  const ran = readFileSync(join(place, 'ran'), 'utf8').trim().split('\n')
  return { status, ran, stdout, lastLine: stdout.trimEnd().split('\n').at(-1) }
}

test('runs each step and counts it, and every test', () => {
  const { status, ran, lastLine } = ci()
  const commands = ran.map(line => line.split(' ')[2])
  const besideBuild = ['lint', 'test:node22', 'demo']
  expect(commands.filter(command => !besideBuild.includes(command!)).slice(0, 2)).toEqual(['install', 'build'])
  expect(commands.filter(command => besideBuild.includes(command!))).toEqual(besideBuild)
  expect(commands.slice(commands.indexOf('build') + 1)).toEqual(expect.arrayContaining(['packed', 'test']))
  expect(ran).toContain('-y pnpm@12 test')
  expect(lastLine).toBe('37 passed, 0 failed')
  expect(status).toBe(0)
})

test('continues after a failed step and fails in the end', () => {
  const { status, ran, stdout, lastLine } = ci({ lint: 'process.exit(1)' })
  expect(ran).toContain('-y pnpm@12 demo')
  expect(stdout).toContain('lint: exit code 1')
  expect(lastLine).toBe('36 passed, 1 failed')
  expect(status).toBe(1)
})

test('counts failed tests', () => {
  const { status, lastLine } = ci({ test: 'report(8, 2); process.exit(1)' })
  expect(lastLine).toBe('34 passed, 3 failed')
  expect(status).toBe(1)
})

test('fails when tests crash before they report', () => {
  const { status, lastLine } = ci({ 'test:node22': 'process.kill(process.pid, "SIGKILL")' })
  expect(lastLine).toBe('26 passed, 2 failed')
  expect(status).toBe(1)
})

test('fails when a report is no report', () => {
  expect(ci({ test: 'writeFileSync(file, "{}")' })).toMatchObject({ status: 1, lastLine: '27 passed, 1 failed' })
})

test('stops when the installation fails', () => {
  const { status, ran, lastLine } = ci({ install: 'process.exit(1)' })
  expect(ran).toEqual(['-y pnpm@12 install --frozen-lockfile'])
  expect(lastLine).toBe('0 passed, 1 failed')
  expect(status).toBe(1)
})

test('runs the black-box checks of the plugins that are there, on an oracle that it starts and ends', () => {
  const oracle = `import('node:http').then(({ createServer }) => {
    createServer((_, reply) => reply.end(process.env.WEATHER_BASE_URL)).listen(process.env.PORT)
    process.on('SIGINT', () => process.exit())
  })`
  mkdirSync(join(checkout(), 'node_modules/.bin'), { recursive: true })
  write('checkout/node_modules/.bin/node', `#!/bin/sh\nexec "${process.execPath}" "$@"\n`)
  chmodSync(join(checkout(), 'node_modules/.bin/node'), 0o755)
  write(
    'checkout/packages/plugins/weather/src/testing/local-provider-process.ts',
    'console.log("http://127.0.0.1:9"); setInterval(() => {}, 1000)',
  )
  write(
    'shared/conformance/runtime.test.mjs',
    `import assert from 'node:assert'
    import test from 'node:test'
    const ask = async () => (await fetch(process.env.BASE_URL)).text()
    test('one', async () => assert.equal(await ask(), 'http://127.0.0.1:9'))
    test('two', async () => assert.equal(await ask(), 'something else'))`,
  )
  const { status, stdout, lastLine } = ci({ start: oracle })
  expect(stdout).toContain('ok: an oracle for runtime.test.mjs starts')
  expect(stdout).toContain('1 tests passed, 1 failed')
  expect(stdout).toContain('ok: the oracle for runtime.test.mjs exits on SIGINT')
  expect(lastLine).toBe('40 passed, 2 failed')
  expect(status).toBe(1)
})

test('prints what a step beside the tests wrote when it has ended, in one piece', () => {
  const { stdout } = ci({ demo: 'console.log("a tour")', test: 'setTimeout(() => report(10, 0), 500)' })
  expect(stdout).toMatch(/=== demo\n {4}npx -y pnpm@12 demo\n\na tour\n--- ok: demo, /)
})
