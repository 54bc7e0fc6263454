/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { ussd } from '@sibyl/plugin-ussd'
import { testApp } from '@sibyl/testing'
import { expect, it, onTestFinished } from 'vitest'
import { bundledSibyl } from '../../process/bundled-sibyl.test.helper.ts'

const serve = async (env: Record<string, string>) => {
  const { app } = await testApp({ plugins: [ussd()], env })
  onTestFinished(() => app.close())
  const { port } = await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${port}`
}

/** Runs `sibyl ussd` as a process, with this input. */
const dial = async (url: string, args: readonly string[], stdin = '') => {
  const child = spawn(process.execPath, [bundledSibyl, 'ussd', ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, SIBYL_URL: url },
  })
  child.stdin.end(stdin)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { stdout, stderr, code: code as number }
}

const enabled = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) }

it('walks the menus of a real oracle, also on a network that delivers twice', async () => {
  const { stdout, stderr, code } = await dial(await serve(enabled), ['--twice'], '1\n*\n')
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout).toContain('1. Know More\n2. Account Menu\n*. Exit\n')
  expect(stdout).toContain('1. About this service\n2. Pricing\n3. Delivery\n')
  expect(stdout).toMatch(/the session has ended\n$/)
})

it('uses another phone and shows the last screen', async () => {
  const { stdout, code } = await dial(await serve(enabled), ['--phone', '+260971234567', '--once', '1'])
  expect(stdout).toContain('2. Pricing\n')
  expect(code).toBe(0)
})

it('explains how to enable the plugin', async () => {
  const { stderr, code } = await dial(await serve({}), ['--once', ''])
  expect(stderr).toContain('There is no USSD gateway at http://127.0.0.1:')
  expect(stderr).toContain('Enable it with PIN_ENCRYPTION_KEY')
  expect(code).toBe(4)
})

it('shows the rejection of a gateway', async () => {
  const only = await dial(await serve({ ...enabled, USSD_GATEWAY_ONLY: 'true' }), ['--once', ''])
  expect(only).toMatchObject({ code: 1, stderr: expect.stringContaining('Set USSD_GATEWAY_SECRET to the value') })
})

it.each(['africas-talking', 'hubtel', 'hollatags', 'nalo'])('sends the requests of %s', async provider => {
  const args = ['--provider', provider, '--json']
  const { stdout, stderr, code } = await dial(await serve(enabled), args, '1\n2\n*\n')
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const screens = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(screens.map(({ kind, text }) => [kind, text.split('\n')[0]])).toEqual([
    ['continue', expect.stringMatching(/^Welcome/)],
    ['continue', 'Know More'],
    ['continue', expect.stringContaining('no price')],
    ['end', 'Thank you. Goodbye.'],
  ])
  expect(screens[0].limit).toBe({ 'africas-talking': 182, nalo: 120 }[provider] ?? 160)
})

it('names the providers for an unknown one', async () => {
  const { stderr, code } = await dial('http://127.0.0.1:9', ['--provider', 'acme'])
  expect(stderr).toContain('Pass one of plain, africas-talking, arkesel')
  expect(code).toBe(2)
})
