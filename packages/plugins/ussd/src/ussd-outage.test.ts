import { startPostgres } from '@sibyl/storage/testing'
import { testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { sendUssd } from './testing/send-ussd.ts'
import { ussd } from './ussd.ts'
import { recordedLines } from './ussd-log.test.helper.ts'

const postgres = await startPostgres()

afterAll(() => postgres?.stop())

const unavailable = { kind: 'END', text: 'Service temporarily unavailable. Please try again later.', status: 200 }

const phoneNumber = '+260977445566'

/** Starts an oracle on its own PostgreSQL, with its log. */
const onPostgres = async () => {
  const log = recordedLines()
  const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', PIN_ENCRYPTION_KEY: 'ab'.repeat(32) }
  const oracle = await testApp({ plugins: [ussd()], env, logger: log.logger })
  const health = async () => {
    const answer = await oracle.app.request('/health')
    return [answer.status, (await answer.json()).database]
  }
  return { oracle, log, health, [Symbol.asyncDispose]: () => oracle.app.close() }
}

test.skipIf(postgres === undefined)(
  'while the database is down the phone and /health report it, and sessions continue afterwards',
  async () => {
    await using running = await onPostgres()
    const { oracle, log, health } = running
    const call = { phoneNumber, sessionId: 'held-over-the-outage' }
    const welcome = await sendUssd(oracle.app, call)
    const information = await welcome.answer('1')
    await postgres?.crash()
    expect(await welcome.answer('1', '3')).toMatchObject(unavailable)
    expect(await sendUssd(oracle.app)).toMatchObject(unavailable)
    expect(await health()).toEqual([503, 'disconnected'])
    const invalid = await oracle.app.request('/api/ussd', {
      method: 'POST',
      body: '{"text":',
      headers: { 'content-type': 'application/json' },
    })
    expect(await invalid.text()).toBe('END Invalid input. Please try again.')
    for (const path of ['/api/ussd/sessions', '/api/ussd/debug/a']) {
      const answer = await oracle.app.request(path)
      expect([answer.status, (await answer.json()).code]).toEqual([503, 'storage_unavailable'])
    }

    await postgres?.restart()
    await expect.poll(health, { interval: 100 }).toEqual([200, 'connected'])
    expect((await welcome.answer('1')).text).toBe(information.text)
    const delivery = await welcome.answer('1', '3')
    expect([delivery.kind, delivery.lines[0] === information.lines[0]]).toEqual(['CON', false])
    expect(log.text()).not.toContain(phoneNumber.slice(1))
    expect(log.text()).toContain('storage')
  },
)

test.skipIf(postgres === undefined)(
  'while the database hangs the phone gets replies in time, and nothing is done twice afterwards',
  async () => {
    await using running = await onPostgres()
    const { oracle, health } = running
    const welcome = await sendUssd(oracle.app, { phoneNumber })
    await postgres?.standStill()
    try {
      const screens = await Promise.all([welcome.answer('1'), welcome.answer('1'), sendUssd(oracle.app)])
      for (const screen of screens) expect(screen).toMatchObject(unavailable)
      expect(await health()).toEqual([503, 'disconnected'])
    } finally {
      await postgres?.resume()
    }
    await expect.poll(health, { interval: 100 }).toEqual([200, 'connected'])
    const information = await welcome.answer('1')
    expect(information.lines).toEqual(expect.arrayContaining(['2. Pricing', '*. Exit']))
    expect((await information.answer('*')).kind).toBe('END')
  },
)
