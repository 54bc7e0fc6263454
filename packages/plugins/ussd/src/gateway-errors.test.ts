import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { OracleApp } from '@sibyl/core'
import { testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineFlow } from './flow/define-flow.ts'
import { sendUssd, type UssdTarget } from './testing/send-ussd.ts'
import { ussd } from './ussd.ts'

const pin = '830549'
const [phoneNumber, otherPhone] = ['+260977000111', '+260977000222']

const boot = (env: Record<string, string> = {}, plugin = ussd()) =>
  testApp({ plugins: [plugin], env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), NODE_ENV: 'development', ...env } })

const databaseFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-ussd-known-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'sibyl.db')
}

const openAccount = async (app: UssdTarget, name = 'Mutale', from = phoneNumber): Promise<string> => {
  const made = await (await sendUssd(app, { phoneNumber: from })).answer('2', '2', name, '1', pin, pin)
  return /\b\d{9}\b/.exec(made.text)?.[0] ?? made.text
}

/** Sends a text as one request, independent of earlier ones. */
const send = async (app: OracleApp, sessionId: string, text: string): Promise<string> => {
  const response = await app.request('/api/ussd', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId, serviceCode: '*1234#', phoneNumber, text }),
  })
  return response.text()
}

describe('common errors of gateways:', () => {
  test.each([[[]], [['1']], [['1', '3']], [['2']], [['2', '2']]])('Exit ends the session after %j', async path => {
    await using oracle = await boot()
    expect((await (await sendUssd(oracle.app)).answer(...path, '*')).kind).toBe('END')
  })

  test('two stars within an answer are not an exit, and a name keeps its star', async () => {
    await using oracle = await boot()
    const asked = await (await sendUssd(oracle.app)).answer('2', '2', 'Ann**Lee')
    expect([asked.kind, asked.lines[0]]).toEqual(['CON', 'Enter your e-mail, or 1 if you have none'])
    const customerId = await openAccount(oracle.app, 'A*B')
    const profile = await (await sendUssd(oracle.app)).answer('2', '1', customerId, pin, '3')
    expect(profile.lines[0]).toBe('A*B')
  })

  test.each(['%2B260977000111', '+260977000111', '260977000111'])('a number sent as %s keeps its plus', async given => {
    await using oracle = await boot()
    await oracle.app.request('/api/ussd/africas-talking', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `sessionId=at-1&serviceCode=*1234%23&text=&phoneNumber=${given}`,
    })
    const record = await (await oracle.app.request('/api/ussd/debug/at-1')).json()
    expect(record.debugInfo.context.phoneNumber).toBe(phoneNumber)
  })

  test('another phone with the ID of a session gets its own session', async () => {
    await using oracle = await boot()
    const sessionId = 'known-to-two'
    const asked = await (await sendUssd(oracle.app, { sessionId, phoneNumber })).answer('2', '2', 'Mutale', '1')
    const stranger = await sendUssd(oracle.app, { sessionId, phoneNumber: otherPhone })
    expect(stranger.lines).toContain('1. Know More')
    expect((await asked.answer(pin)).lines[0]).toBe('Enter the PIN again')
  })

  test('a restart loses no session', async () => {
    const env = { DATABASE_URL: `file:${databaseFile()}` }
    const before = await boot(env)
    const sessionId = 'over-a-restart'
    const asked = await (await sendUssd(before.app, { sessionId, phoneNumber })).answer('2', '2', 'Mutale', '1', pin)
    await before.app.close()
    await using after = await boot(env)
    expect(await send(after.app, sessionId, `${asked.typed}*${pin}`)).toMatch(/^CON Your account is ready/)
  })

  test('equal PINs are not equal at rest', async () => {
    const file = databaseFile()
    await using oracle = await boot({ DATABASE_URL: `file:${file}` })
    for (const from of [phoneNumber, otherPhone]) await openAccount(oracle.app, 'Mutale', from)
    const database = new DatabaseSync(file, { readOnly: true })
    const pins = database.prepare('select pin from ussd_customers').all()
    database.close()
    expect(new Set(pins.map(row => row.pin)).size).toBe(2)
  })

  test('wrong PINs are counted across dials and phones', async () => {
    await using oracle = await boot()
    const customerId = await openAccount(oracle.app)
    const logIn = async (typed: string, from: string) =>
      (await (await sendUssd(oracle.app, { phoneNumber: from })).answer('2', '1', customerId, typed)).lines[0]
    for (const last of ['1', '2', '3', '4', '5']) await logIn('1597', `+26097700033${last}`)
    expect(await logIn(pin, otherPhone)).toBe('Too many wrong tries. Try again in 15 min.')
  })

  test('no page splits a word', async () => {
    const words = 'Every household that cooks with pellets saves wood, time and smoke, [and] money. '.repeat(6).trim()
    const flow = defineFlow({ start: 'long', screens: { long: { kind: 'message', text: () => words } } })
    await using oracle = await boot({}, ussd({ flow }))
    let page = await sendUssd(oracle.app)
    const shown: string[] = []
    for (let more = true; more; ) {
      shown.push(...page.lines.filter(line => !/^(98|99|\*)\. /.test(line)))
      more = page.lines.includes('98. More')
      if (more) page = await page.answer('98')
    }
    expect(shown.length).toBeGreaterThan(2)
    expect(shown.join(' ')).toBe(words)
  })

  test('a long accumulated text does not pass the PIN, even a right one', async () => {
    await using oracle = await boot()
    const customerId = await openAccount(oracle.app)
    expect(await send(oracle.app, 'asks', `2*1*${customerId}`)).toMatch(/^CON Enter your PIN/)
    expect(await send(oracle.app, 'deep', `2*1*${customerId}*${pin}`)).not.toContain('My account')
    const record = await (await oracle.app.request('/api/ussd/debug/deep')).json()
    expect(record.debugInfo.context.isAuthenticated).toBe(false)
    expect(await send(oracle.app, 'asks', `2*1*${customerId}*${pin}`)).toContain('My account')
  })
})
