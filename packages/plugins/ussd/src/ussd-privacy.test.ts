import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { standingAlone, withoutIds } from './canaries.test.helper.ts'
import { sendUssd } from './testing/send-ussd.ts'
import { ussd } from './ussd.ts'
import { recordedLines } from './ussd-log.test.helper.ts'

const phoneNumber = '+260977112233'
const pin = '730194'
const name = 'Chanda Mwansabombwe'

/** Returns a pattern for a text, or for digits that are not part of a longer number such as a time. */
const asWritten = (text: string) => (/^\d+$/.test(text) ? standingAlone(text) : new RegExp(text))

test('neither log nor disk contains a phone number, a name or a typed PIN', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-ussd-privacy-'))
  const log = recordedLines()
  const secrets = { USSD_OPERATOR_TOKEN: 'operator-token-0123456789', USSD_GATEWAY_SECRET: 'gateway-secret-0123456789' }
  const oracle = await testApp({
    plugins: [ussd()],
    env: {
      DATABASE_URL: `file:${join(folder, 'sibyl.db')}`,
      PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
      USSD_PHONE_RATE: '12',
      LOG_LEVEL: 'trace',
      ...secrets,
    },
    logger: log.logger,
  })
  const call = { phoneNumber, headers: { 'x-gateway-secret': secrets.USSD_GATEWAY_SECRET } }
  const dialled = await sendUssd(oracle.app, call)
  const confirmed = await dialled.answer('2', '2', name, '1', pin, pin)
  expect(confirmed.text).toMatch(/\b\d{9}\b/)
  await oracle.app.request(
    `/api/ussd/hollatags?${new URLSearchParams({ session_msisdn: phoneNumber, session_id: pin })}`,
  )
  await oracle.app.request(`/api/ussd/debug/${encodeURIComponent(phoneNumber)}`)
  const limited: number[] = []
  for (let request = 0; request < 12; request += 1) limited.push((await dialled.repeat()).status)
  expect(limited).toContain(429)
  await oracle.app.close()

  const files = readdirSync(folder).map(file => withoutIds(readFileSync(join(folder, file), 'latin1')))
  rmSync(folder, { recursive: true })
  expect(files.join('').length).toBeGreaterThan(10_000)
  for (const secret of [phoneNumber.slice(1), pin, name, name.split(' ')[0]!, ...Object.values(secrets)]) {
    const written = asWritten(secret)
    expect(written.test(log.text()), `${secret} in the log`).toBe(false)
    expect(
      files.some(file => written.test(file)),
      `${secret} on disk`,
    ).toBe(false)
  }
})
