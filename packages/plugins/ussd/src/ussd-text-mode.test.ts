import { type TestApp, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { ussd } from './ussd.ts'

const phoneNumber = '+260977445599'

const startOracle = (mode?: string) =>
  testApp({
    plugins: [ussd()],
    env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), ...(mode && { USSD_TEXT_MODE: mode }) },
  })

/** Sends each text as one request of a session; returns the last screen. */
const screenAfter = async ({ app }: TestApp, texts: readonly string[]): Promise<string> => {
  const sessionId = crypto.randomUUID()
  let screen = ''
  for (const text of texts) {
    const response = await app.request('/api/ussd', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId, phoneNumber, serviceCode: '*1234#', text }),
    })
    screen = await response.text()
  }
  return screen
}

const pricing = /^CON This service has set no price/
const accountMenu = /^CON Account Menu/

test.each([
  [undefined, ['', '1', '1*2'], pricing],
  [undefined, ['', '1', '2'], accountMenu],
  ['cumulative', ['', '1', '1*2'], pricing],
  ['cumulative', ['', '1', '2'], accountMenu],
  ['last', ['', '1', '2'], pricing],
  ['auto', ['', '1', '1*2'], pricing],
  ['auto', ['', '1', '2'], pricing],
])('with USSD_TEXT_MODE=%s the texts %j lead to %s', async (mode, texts, expected) => {
  await using oracle = await startOracle(mode)
  expect(await screenAfter(oracle, texts)).toMatch(expected)
})

test('a session of last answers begins again with an empty text, and ends with a lone star', async () => {
  await using oracle = await startOracle('auto')
  expect(await screenAfter(oracle, ['', '1', '2', ''])).toMatch(/\n1\. Know More\n2\. Account Menu\n\*\. Exit$/)
  expect(await screenAfter(oracle, ['', '1', '2', '*'])).toMatch(/^END /)
})
