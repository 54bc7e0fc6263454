import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OracleAppOptions } from '@sibyl/core'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { type ScriptedStep, scriptedModel, type TestApp, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Flow } from '../flow/flow.ts'
import { sendUssd, type UssdDialogue } from '../testing/send-ussd.ts'
import { ussd } from '../ussd.ts'
import { defaultFlow } from './default-flow.ts'
import type { FlowServices } from './menu-kit.ts'

const env = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), RATE_LIMIT_PER_MINUTE: '0', USSD_PHONE_RATE: '0' }

const oracleWith = (options: Partial<OracleAppOptions> = {}): Promise<TestApp> =>
  testApp({ plugins: [ussd()], config: { name: 'Field Oracle' }, ...options, env: { ...env, ...options.env } })

/** The default flow with a short wait for answers. */
const impatientFlow = (services: FlowServices): Flow => {
  const flow = defaultFlow(services)
  const { askOracle } = flow.screens
  if (askOracle?.kind !== 'action') throw new Error('askOracle is no action')
  return { ...flow, screens: { ...flow.screens, askOracle: { ...askOracle, timeLimitMs: 50 } } }
}

/** Returns the screen with the answer, polled with 1 while it is late. */
const answered = async (call: UssdDialogue | Promise<UssdDialogue>): Promise<UssdDialogue> => {
  const screen = await call
  return screen.lines.includes('1. Check') ? answered(screen.answer('1')) : screen
}

/** Sends one request of a session that began in another process. */
const typedOn = async ({ app }: TestApp, request: { phoneNumber: string; sessionId: string; text: string }) => {
  const body = JSON.stringify({ serviceCode: '*1234#', ...request })
  const headers = { 'content-type': 'application/json' }
  return (await app.request('/api/ussd', { method: 'POST', headers, body })).text()
}

/** Returns the operator's debug record of a call. */
const debugOf = async ({ app }: TestApp, { sessionId }: UssdDialogue) => {
  const record = await (await app.request(`/api/ussd/debug/${sessionId}`)).json()
  const { debugInfo } = record as { debugInfo: { state: string; context: { isAuthenticated: boolean } } }
  return [debugInfo.state, debugInfo.context.isAuthenticated] as const
}

const create = async ({ app }: TestApp, phoneNumber: string) => {
  const call = await sendUssd(app, { phoneNumber })
  const created = await call.answer('2', '2', "Ng'andwe *Mwila*", 'chanda@Example.ORG', '8305', '8305')
  return { call: created, id: /\d{9}/.exec(created.text)?.[0] ?? '' }
}

test('a user creates an account, returns on another phone, and uses it', async () => {
  await using oracle = await oracleWith({ model: scriptedModel(['It will rain **tomorrow**.']) })
  const { call: created, id } = await create(oracle, '+260971234567')
  expect(created.lines).toContain('1. Continue')
  expect(await debugOf(oracle, created)).toEqual(['accountCreated', true])
  expect((await created.answer('*')).kind).toBe('END')

  const phone = await sendUssd(oracle.app, { phoneNumber: '+260961111111' })
  const asked = await phone.answer('2', '1', id)
  expect(await debugOf(oracle, asked)).toEqual(['enterPin', false])
  const account = await asked.answer('8305')
  expect(account.lines[0]).toBe('My account')
  expect(await debugOf(oracle, account)).toEqual(['myAccount', true])

  const profile = await account.answer('3')
  expect(profile.lines).toEqual(
    expect.arrayContaining([
      "Ng'andwe *Mwila*",
      `Customer ID: ${id}`,
      'Phone: +260971234567',
      'E-mail: chanda@example.org',
    ]),
  )
  const changed = await profile.answer('0', '5', '8305', '0174', '0174')
  expect(changed.lines[0]).toBe('Your PIN is changed.')
  const answer = await answered(changed.answer('1', '1', 'Will it rain?'))
  expect(answer.lines[0]).toBe('It will rain tomorrow.')
  const loggedOut = await answer.answer('0', '6')
  expect(loggedOut.lines[0]).toBe('You are logged out.')
  expect(await debugOf(oracle, loggedOut)).toEqual(['loggedOut', false])
  const start = await loggedOut.answer('1')
  expect(start.lines[0]).toBe('Welcome to Field Oracle')

  const later = await sendUssd(oracle.app, { phoneNumber: '+260961111111' })
  const again = await later.answer('2', '1', id, '0174', '2')
  expect(again.lines.slice(0, 2)).toEqual(['"Will it rain?"', 'It will rain tomorrow.'])
  const own = await sendUssd(oracle.app, { phoneNumber: '+260971234567' })
  expect((await own.answer('2', '1', id, '0174', '2')).lines[0]).toBe('There is no answer for you yet.')
})

test('wrong PINs lock the account on every phone, and reveal nothing to others', async () => {
  await using oracle = await oracleWith()
  const { id } = await create(oracle, '+260971234567')
  const tried = async (phoneNumber: string, customerId: string) => {
    let call = await (await sendUssd(oracle.app, { phoneNumber })).answer('2', '1', customerId, '0174')
    const shown = [call.text]
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      call = await call.answer('1', customerId, '0174')
      shown.push(call.text)
    }
    expect(await debugOf(oracle, call)).toEqual(['lockedOut', false])
    return shown
  }
  expect(await tried('+260962222222', id)).toEqual(await tried('+260963333333', '100000009'))
  const owner = await sendUssd(oracle.app, { phoneNumber: '+260971234567' })
  expect((await owner.answer('2', '1', id, '8305')).text).toContain('Too many wrong tries. Try again in 15 min.')
})

test('the same request twice creates one account, and asks once', async () => {
  const model = scriptedModel(['It rains.'])
  await using oracle = await oracleWith({ model })
  const { call, id } = await create(oracle, '+260971234567')
  expect((await call.repeat()).text).toContain(id)
  const answer = await answered(call.answer('1', '1', 'Rain?'))
  expect(answer.lines[0]).toBe('It rains.')
  expect((await answer.repeat()).text).toBe(answer.text)
  expect(model.calls.length).toBe(1)
})

test('a slow answer is polled with 1', async () => {
  const gate = Promise.withResolvers<void>()
  const model = scriptedModel([[{ wait: gate.promise }, 'It rains.']])
  await using oracle = await oracleWith({ model, plugins: [ussd({ flow: impatientFlow })] })
  const { call } = await create(oracle, '+260971234567')
  const late = await call.answer('1', '1', 'Rain?')
  expect(late.lines).toEqual(['The oracle is still thinking. Reply 1 to check.', '1. Check', '*. Exit'])
  gate.resolve()
  expect((await answered(late)).lines[0]).toBe('It rains.')
  expect(model.calls.length).toBe(1)
})

test('an answer continues over a restart, and is read in the next step of the dial', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-ussd-'))
  const oracle = (steps: readonly ScriptedStep[]) => {
    const model = scriptedModel(steps)
    const stays = { DATABASE_URL: `file:${join(folder, 'sibyl.db')}`, ORACLE_MNEMONIC: `${'abandon '.repeat(11)}about` }
    return oracleWith({ model, plugins: [ussd({ flow: impatientFlow })], env: stays })
  }
  const before = await oracle([[{ wait: new Promise(() => {}) }, 'Never.']])
  const { call } = await create(before, '+260971234567')
  const late = await call.answer('1', '1', 'Rain?')
  expect(late.lines).toContain('1. Check')
  await before.app.close()

  await using after = await oracle(['It rains.'])
  let text = late.typed
  const type = async (answer: string) => {
    text += `*${answer}`
    return typedOn(after, { phoneNumber: '+260971234567', sessionId: late.sessionId, text })
  }
  const check = async (screen: string): Promise<string> =>
    screen.includes('1. Check') ? check(await type('1')) : screen
  expect(await check(await type('1'))).toContain('It rains.')
  await rm(folder, { recursive: true })
})

test('a user without a key or a network asks the offline model by phone', async () => {
  const tides = definePlugin({
    name: 'tides',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Tides',
      summary: 'High water.',
      whenToUse: ['someone asks for the tide'],
      examples: [
        {
          user: 'When is high water in {port}?',
          tool: 'get_tide',
          args: { port: '{port}' },
          answer: 'At {high}, 14 °C.',
        },
      ],
    },
    setup: () => ({
      tools: {
        get_tide: defineTool({
          description: 'The next high water in a port.',
          input: z.object({ port: z.string().max(60) }),
          effect: 'read',
          execute: async () => ({ high: '14:05' }),
        }),
      },
    }),
  })
  await using oracle = await oracleWith({ plugins: [ussd(), tides] })
  const { call } = await create(oracle, '+260971234567')
  const answer = await answered(call.answer('1', '1', 'When is high water in Mombasa?'))
  expect(answer.lines[0]).toBe('At 14:05, 14 C.')
})
