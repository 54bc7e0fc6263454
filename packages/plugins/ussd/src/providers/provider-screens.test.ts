import { phoneTextLength } from '@sibyl/plugin/phones'
import { type TestApp, testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineFlow } from '../flow/define-flow.ts'
import type { Flow } from '../flow/flow.ts'
import { ussd } from '../ussd.ts'
import { bundledProviders } from './bundled-providers.ts'
import { gatewaySecret, providerPhone } from './provider-phone.test.helper.ts'

const names = bundledProviders().map(provider => [provider.name, provider.limits] as const)

/** The bundled providers with a short time window, so that the same answer may follow immediately. */
const promptProviders = bundledProviders().map(provider =>
  typeof provider.duplicates === 'object' ? { ...provider, duplicates: { windowMs: 1 } } : provider,
)

const startOracle = (flow?: Flow) =>
  testApp({
    plugins: [ussd({ providers: promptProviders, ...(flow && { flow }) })],
    env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), USSD_GATEWAY_SECRET: gatewaySecret, USSD_PHONE_RATE: '0' },
  })

let standard: TestApp
let long: TestApp
beforeAll(async () => {
  standard = await startOracle()
  long = await startOracle(longTexts)
})
afterAll(async () => {
  await standard.app.close()
  await long.app.close()
})

test.each(names)('%s: the default menus, from the dial to the end', async name => {
  const phone = providerPhone(standard.app, name)
  const welcome = await phone.dial()
  expect(welcome.kind).toBe('continue')
  expect(welcome.text).toMatch(/\n1\. Know More\n2\. Account Menu\n\*\. Exit$/)
  expect((await phone.answer('1')).text).toMatch(/\n1\. About this service\n2\. Pricing\n3\. Delivery\n.*\*\. Exit$/s)
  expect((await phone.answer('1')).kind).toBe('continue')
  expect((await phone.answer('*')).kind).toBe('end')
})

const english = 'Every household that cooks with pellets saves wood, time and smoke. [Ask {us}] ~ any day. '
const amharic = 'እንኳን ደህና መጡ። አገልግሎታችን ቀኑን ሙሉ ክፍት ነው። '

const longTexts = defineFlow({
  start: 'welcome',
  screens: {
    welcome: {
      kind: 'menu',
      text: 'Welcome',
      options: [
        { label: 'Long', to: 'long' },
        { label: 'Amharic', to: 'amharic' },
        { label: 'Name', to: 'name' },
      ],
    },
    long: { kind: 'message', text: () => english.replaceAll('{us}', 'us').repeat(5) },
    amharic: { kind: 'message', text: () => amharic.repeat(6) },
    name: { kind: 'input', text: 'Your name', into: 'name', parse: typed => ({ value: typed }), to: 'greeting' },
    greeting: { kind: 'message', text: ({ values }) => `Hello ${values.name}` },
  },
})

test.each(names)('%s: texts of any length and script fit on their pages', async (name, limits) => {
  for (const [answer, text] of [
    ['1', english.replaceAll('{us}', 'us').repeat(5)],
    ['2', amharic.repeat(6)],
  ] as const) {
    const phone = providerPhone(long.app, name)
    await phone.dial()
    const pages = [await phone.answer(answer)]
    while (pages.at(-1)?.text.includes('98. ') && pages.length < 40) pages.push(await phone.answer('98'))
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) {
      const { encoding, length } = phoneTextLength(page.text)
      expect(length).toBeLessThanOrEqual(limits[encoding])
    }
    const shown = pages.map(page =>
      page.text
        .split('\n')
        .filter(line => !/^(0|98|99|\*)\. /.test(line))
        .join(' '),
    )
    expect(shown.join(' ').replace(/\s+/g, ' ').trim()).toBe(text.trim())
  }
})

test.each(names)('%s: a star in a name stays in the name', async name => {
  const phone = providerPhone(long.app, name)
  await phone.dial()
  await phone.answer('3')
  expect((await phone.answer('A*B')).text).toContain('Hello A*B')
})

const closed = defineFlow({
  start: 'closed',
  screens: { closed: { kind: 'message', text: 'We are closed today.', ends: true } },
})

test('Infobip cannot close on a dial: the last text is a menu, and closes with the next answer', async () => {
  await using oracle = await startOracle(closed)
  const phone = providerPhone(oracle.app, 'infobip')
  expect(await phone.dial()).toEqual({ kind: 'continue', text: 'We are closed today.', status: 200 })
  expect(await phone.answer('1')).toEqual({ kind: 'end', text: 'We are closed today.', status: 200 })
})
