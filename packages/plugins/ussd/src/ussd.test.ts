import { checkPlugin, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { defineFlow } from './flow/define-flow.ts'
import { sendUssd } from './testing/send-ussd.ts'
import { ussd } from './ussd.ts'
import { recordedLines } from './ussd-log.test.helper.ts'

const key = 'ab'.repeat(32)
const token = 'an-operator-token-of-a-test'

describe('keeps the rules of all plugins:', () => {
  const env = { PIN_ENCRYPTION_KEY: key, USSD_OPERATOR_TOKEN: token }
  for (const check of checkPlugin(() => ussd(), { env })) test(check.name, check.run)
})

test('a dial shows the welcome menu, 1 the information menu, * the last text', async () => {
  await using oracle = await testApp({ plugins: [ussd()], env: { PIN_ENCRYPTION_KEY: key } })
  const welcome = await sendUssd(oracle.app)
  expect(welcome.kind).toBe('CON')
  expect(welcome.lines).toEqual(expect.arrayContaining(['1. Know More', '2. Account Menu', '*. Exit']))
  const information = await welcome.answer('1')
  expect(information.lines).toEqual(
    expect.arrayContaining(['1. About this service', '2. Pricing', '3. Delivery', '*. Exit']),
  )
  expect((await information.answer('*')).kind).toBe('END')
})

test('a custom flow replaces the bundled one', async () => {
  const flow = defineFlow({
    start: 'hello',
    screens: { hello: { kind: 'message', text: 'Hello, farmer', ends: true } },
  })
  await using oracle = await testApp({ plugins: [ussd({ flow })], env: { PIN_ENCRYPTION_KEY: key } })
  expect(await sendUssd(oracle.app)).toMatchObject({ kind: 'END', text: 'Hello, farmer' })
})

describe('a boot', () => {
  const boot = (env: Record<string, string>) => testApp({ plugins: [ussd()], env })

  test.each([
    ['PIN_ENCRYPTION_KEY', 'secret', 'openssl rand -hex 32'],
    ['PIN_ENCRYPTION_KEY', 'ab'.repeat(15), 'openssl rand -hex 32'],
    ['PIN_ENCRYPTION_OLD_KEYS', 'secret', 'separated by commas'],
    ['USSD_OPERATOR_TOKEN', 'short', 'at least 16 characters'],
    ['USSD_GATEWAY_SECRET', 'short', 'at least 16 characters'],
    ['USSD_TRUSTED_GATEWAYS', 'gateway.example', 'an address nor a network'],
    ['USSD_TRUSTED_GATEWAYS', '10.0.0.0/33', 'an address nor a network'],
    ['USSD_GATEWAY_RATE', '-1', 'at least 0'],
    ['USSD_PHONE_RATE', 'many', 'number'],
    ['USSD_GATEWAY_ONLY', 'maybe', 'true or false'],
    ['USSD_TEXT_MODE', 'newest', 'cumulative'],
    ['USSD_TEXT_LIMIT', '100', '182'],
    ['USSD_REPLY_TIMEOUT_SECONDS', '0', '1'],
  ])('with %s=%s fails, with its name and the remedy', async (variable, value, remedy) => {
    const booting = boot({ PIN_ENCRYPTION_KEY: key, [variable]: value })
    await expect(booting).rejects.toThrow(`Plugin 'ussd' env validation failed for '${variable}'`)
    await expect(booting).rejects.toThrow(remedy)
    if (value.length > 6) await expect(booting).rejects.not.toThrow(value)
  })

  test('without the key excludes the plugin', async () => {
    await using oracle = await boot({})
    expect(oracle.app.plugins()).toMatchObject([{ name: 'ussd', state: 'excluded', variable: 'PIN_ENCRYPTION_KEY' }])
    expect((await oracle.app.request('/api/ussd', { method: 'POST' })).status).toBe(404)
  })

  test.each([
    [
      'a key that may be guessed',
      { PIN_ENCRYPTION_KEY: 'correct horse battery staple forever' },
      /may be guessed.*openssl/,
    ],
    ['a gateway open to anybody in production', { NODE_ENV: 'production' }, /USSD_GATEWAY_ONLY=true/],
    ['a gateway that nobody may call', { USSD_GATEWAY_ONLY: 'true' }, /every call is rejected.*USSD_TRUSTED_GATEWAYS/],
    [
      'gateways behind a proxy that are known by their address alone',
      { USSD_TRUSTED_GATEWAYS: '10.0.0.1', TRUST_PROXY_ENABLED: 'true' },
      /USSD_GATEWAY_SECRET.*TRUST_PROXY_FROM/,
    ],
  ])('warns of %s', async (_, env, warning) => {
    const log = recordedLines()
    await using _oracle = await testApp({
      plugins: [ussd()],
      env: { PIN_ENCRYPTION_KEY: key, ...env },
      logger: log.logger,
    })
    expect(log.warnings()).toEqual([expect.stringMatching(warning)])
    expect(log.text()).not.toContain('correct horse')
  })

  test.each([
    {},
    { TRUST_PROXY_ENABLED: 'true', USSD_GATEWAY_SECRET: 'a-secret-of-the-gateway' },
    { TRUST_PROXY_ENABLED: 'false' },
  ])('logs no warning without need: %o', async env => {
    const log = recordedLines()
    await using _oracle = await testApp({
      plugins: [ussd()],
      env: {
        PIN_ENCRYPTION_KEY: key,
        NODE_ENV: 'production',
        USSD_GATEWAY_ONLY: 'true',
        USSD_TRUSTED_GATEWAYS: '10.0.0.1',
        ...env,
      },
      logger: log.logger,
    })
    expect(log.warnings()).toEqual([])
  })
})
