import { testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineFlow } from '../flow/define-flow.ts'
import { ussd } from '../ussd.ts'
import { bundledProviders } from './bundled-providers.ts'
import { gatewaySecret, providerPhone } from './provider-phone.test.helper.ts'

const names = bundledProviders().map(({ name }) => name)

const broken = defineFlow({
  start: 'broken',
  screens: {
    broken: {
      kind: 'message',
      text: () => {
        throw new Error('a fault of the menus')
      },
    },
  },
})

const startOracle = (flow = {}, env: Record<string, string> = {}) =>
  testApp({
    plugins: [ussd(flow)],
    env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), USSD_GATEWAY_SECRET: gatewaySecret, ...env },
  })

type Oracle = Awaited<ReturnType<typeof startOracle>>
let working: Oracle
let failing: Oracle
let limited: Oracle
beforeAll(async () => {
  working = await startOracle({}, { USSD_GATEWAY_ONLY: 'true', USSD_PHONE_RATE: '0' })
  failing = await startOracle({ flow: broken }, { USSD_PHONE_RATE: '0' })
  limited = await startOracle({}, { USSD_PHONE_RATE: '1' })
  await providerPhone(limited.app, 'nalo').dial()
})
afterAll(async () => {
  for (const { app } of [working, failing, limited]) await app.close()
})

/** Returns the form of a dial's error: Infobip cannot end a session with its first reply. */
const dialError = (name: string) => (name === 'infobip' ? 'continue' : 'end')

test.each(names)('%s: an invalid answer is reported as an end', async name => {
  const phone = providerPhone(working.app, name)
  expect((await phone.dial()).kind).toBe('continue')
  expect(await phone.answer('\u0007')).toEqual({ kind: 'end', text: 'Invalid input. Please try again.', status: 200 })
})

test.each(names)('%s: an error of the service is reported as an end', async name => {
  const text = 'Service temporarily unavailable. Please try again later.'
  expect(await providerPhone(failing.app, name).dial()).toEqual({ kind: dialError(name), text, status: 200 })
})

test.each(names)('%s: an unknown gateway gets an error', async name => {
  const stranger = providerPhone(working.app, name, '')
  expect(await stranger.dial()).toEqual({ kind: dialError(name), text: 'This gateway may not call.', status: 403 })
})

test.each(names)('%s: a phone that calls too often gets an error', async name => {
  const text = 'Too many requests. Please try again later.'
  expect(await providerPhone(limited.app, name).dial()).toEqual({ kind: dialError(name), text, status: 429 })
})
