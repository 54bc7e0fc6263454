import { sms } from '@sibyl/plugin-sms'
import { extendFlow, ussd } from '@sibyl/plugin-ussd'
import { phoneForms } from '@sibyl/plugin-ussd/phone'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'

const operatorToken = 'token-of-the-ussd-operator-000001'

const env = {
  PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
  SMS_PROVIDER: 'embedded:',
  USSD_OPERATOR_TOKEN: operatorToken,
}

const hostile = '<img src=x onerror="document.title=1">"\'><script>1</script>\u202e[a](javascript:1)'

const screenOf = (page: Page) => page.getByRole('status', { name: 'Screen of the phone' })

const dial = async (page: Page) => {
  await page.getByRole('button', { name: 'Dial', exact: true }).click()
  await screenOf(page).getByText('*. Exit').waitFor()
}

/** Answers, and waits for the first line of the next screen. */
const answer = async (page: Page, text: string, shown: string | RegExp) => {
  await page.getByLabel('Your answer').fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await screenOf(page).getByText(shown).waitFor()
}

describe.skipIf(chromiumPath === undefined)('the phone in Chromium', () => {
  const { startOracle, open, share } = useConsole()
  const shared = share(async () => {
    const oracle = await startOracle({
      plugins: [ussd(), sms()],
      env: { ...env, USSD_ABOUT: 'Weather and prices for farmers. '.repeat(12).trim() },
    })
    return { oracle, ...(await open(oracle)) }
  })

  test('dials, answers with the keypad, and hangs up', async () => {
    const { page, visit, audit, auditEverywhere } = shared()
    await visit('/phone')
    await page.getByText('Press Dial to call the oracle.').waitFor()
    await audit()
    await dial(page)
    await page.getByText(/^\d+ \/ 182 GSM-7$/).waitFor()
    await page.getByText('English', { exact: true }).waitFor()
    await page.getByText(/^2:\d\d left|^3:00 left/).waitFor()
    await page.getByRole('button', { name: '1', exact: true }).click()
    await page.keyboard.press('Tab')
    await page.getByLabel('Your answer').press('Enter')
    await screenOf(page).getByText('Know More').waitFor()
    const path = page.getByRole('region', { name: 'Path of the call' })
    const passed = path.locator('[data-passed]')
    await path.locator('[aria-current=step]').getByText('Know More').waitFor()
    expect(await passed.count()).toBe(2)
    const drawn = await path.locator('.react-flow__node').count()
    await path.getByRole('switch').click()
    await expect.poll(() => path.locator('.react-flow__node').count()).toBeLessThan(drawn)
    expect(await passed.count()).toBe(2)
    await path.scrollIntoViewIfNeeded()
    await auditEverywhere('phone')
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText('You hung up.').waitFor()
    await audit()
  })

  test('an operator lifts the locks of a phone in two steps, which are recorded', { tags: 'long' }, async () => {
    const { page, visit, auditEverywhere, faults } = shared()
    await visit('/phone/customers')
    const token = page.getByLabel('Token of the USSD operator')
    await token.fill('a-token-that-is-not-the-one-000001')
    const refused = page.getByRole('alert').filter({ hasText: 'operator_token_needed' })
    await refused.waitFor()
    faults.splice(0)
    await token.fill(operatorToken)
    await refused.waitFor({ state: 'detached' })
    await page.getByLabel('Action').first().click()
    await page.getByRole('option', { name: 'Lift locks' }).click()
    await page.getByLabel('Phone number', { exact: true }).fill('+260971234567')
    await page.getByLabel('Your name').fill('Mutale, hotline')
    await page.getByLabel(/^Reason/).fill('Called back')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('This is about 0 customers. Confirm it.').waitFor()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Done.', { exact: true }).waitFor()
    const row = page.getByRole('row', { name: /Lift locks, done/ })
    await row.getByText('+260971234567').waitFor()
    faults.splice(0)
    await auditEverywhere('phone-customers', () => row.waitFor())
  })

  test('speaks the form of every provider', { tags: 'long' }, async () => {
    const { page, visit } = shared()
    await visit('/phone')
    for (const { name, limits } of phoneForms) {
      await page.getByLabel('Provider').selectOption(name)
      await dial(page)
      await page.getByText(`/ ${limits.gsm7} GSM-7`).waitFor()
      await answer(page, '1', 'Know More')
      await answer(page, '*', 'Thank you. Goodbye.')
      await page.getByText('The session has ended.').waitFor()
      const path = name === 'plain' ? '/api/ussd' : `/api/ussd/${name}`
      await page.getByRole('region', { name: 'Last request' }).getByText(path).first().waitFor()
    }
  })

  test('counts the pages of a long text', { tags: 'long' }, async () => {
    const { page, visit } = shared()
    await visit('/phone')
    await dial(page)
    await answer(page, '1', 'Know More')
    await answer(page, '1', 'Weather and prices')
    await page.getByText('1, not the last').waitFor()
    await answer(page, '98', '99. Previous')
    await page.getByText('2, not the last').waitFor()
    await answer(page, '98', '99. Previous')
    await page.getByText('3, the last').waitFor()
    await answer(page, '99', '98. More')
    await page.getByText('2, not the last').waitFor()
  })

  test('the network ends a session without an answer, and reports it if the provider does', {
    tags: 'long',
  }, async () => {
    const oracle = await startOracle({ plugins: [ussd()], env })
    const { page } = await open(oracle, { path: '/phone' })
    await page.getByLabel('Provider').selectOption('hubtel')
    const reported = page.waitForRequest(request => request.postData()?.includes('"Timeout"') ?? false)
    await page.clock.install()
    await dial(page)
    await page.clock.fastForward('03:00')
    await page.getByText('The network ended the session').waitFor()
    await reported
    await expect(page.getByRole('button', { name: 'Dial', exact: true }).isEnabled()).resolves.toBe(true)
  })

  test('a reply that is late, and one in another form, are shown as such', { tags: 'long' }, async () => {
    const oracle = await startOracle({ plugins: [ussd()], env })
    const { page } = await open(oracle, { path: '/phone' })
    await page.getByLabel('Provider').selectOption('nalo')
    await page.route('**/api/ussd/nalo', () => {})
    await page.clock.install()
    const sent = page.waitForRequest('**/api/ussd/nalo')
    await page.getByRole('button', { name: 'Dial', exact: true }).click()
    await sent
    await page.clock.fastForward('01:00')
    await page.getByText('The oracle did not reply in time.').waitFor()
    await page.unroute('**/api/ussd/nalo')
    await page.route('**/api/ussd/nalo', route => route.fulfill({ contentType: 'text/html', body: hostile }))
    await page.getByRole('button', { name: 'Dial', exact: true }).click()
    await page.getByText('The reply does not have the format of this provider.').waitFor()
    await page.getByText('<img src=x onerror', { exact: false }).waitFor()
    expect(await page.locator('img').count()).toBe(0)
  })

  test('texts of a flow and of SMS are shown as text', { tags: 'long' }, async () => {
    const flow: Parameters<typeof ussd>[0] = {
      flow: (_, bundled) =>
        extendFlow(bundled(), {
          options: { preMenu: [{ label: 'Odd', to: 'odd' }] },
          screens: { odd: { kind: 'message', text: () => hostile } },
        }),
    }
    const oracle = await startOracle({ plugins: [ussd(flow), sms()], env })
    const { page, audit, picture } = await open(oracle, { path: '/phone', height: 1_100 })
    const urls: string[] = []
    page.on('request', request => urls.push(request.url()))
    await dial(page)
    await answer(page, '3', '<img src=x onerror')
    const thread = page.getByRole('region', { name: 'SMS of this phone' })
    await thread.getByLabel('Write as this phone').fill(`STOP`)
    await thread.getByRole('button', { name: 'Send' }).click()
    await thread.getByText('you get no more SMS from here').waitFor()
    await thread.getByLabel('Write as this phone').fill(hostile)
    await thread.getByRole('button', { name: 'Send' }).click()
    await thread.getByText('<img src=x onerror', { exact: false }).first().waitFor()
    expect(await page.locator('img, main script').count()).toBe(0)
    expect(await page.title()).toContain('Phone')
    const number = await page.getByLabel('Phone number').inputValue()
    expect(number).toMatch(/^\+\d{11,}$/)
    expect(urls.filter(url => url.includes(number.slice(1)))).toEqual([])
    await audit()
    await picture('phone-sms')
  })

  test('only the gateway secret opens an oracle for trusted gateways, and the view says so', {
    tags: 'long',
  }, async () => {
    const secret = 'known-to-gateways-alone-1234567'
    const oracle = await startOracle({
      plugins: [ussd()],
      env: { ...env, USSD_GATEWAY_ONLY: 'true', USSD_GATEWAY_SECRET: secret },
    })
    const { page, faults, audit } = await open(oracle, { path: '/phone' })
    await page.getByText('Only trusted gateways may call this oracle').waitFor()
    await audit()
    await page.getByRole('button', { name: 'Dial', exact: true }).click()
    await screenOf(page).getByText('This gateway may not call.').waitFor()
    // Chromium reports the status 403.
    faults.length = 0
    await page.getByLabel('Gateway secret').fill(secret)
    await dial(page)
    await page.reload()
    await page.getByText('Only trusted gateways may call this oracle').waitFor()
    expect(await page.getByLabel('Gateway secret').inputValue()).toBe('')
  })

  test('a user without the right of an operator dials, and reads neither messages nor counts', async () => {
    const { page, visit, audit } = await open(shared().oracle, { path: '/phone', scopes: ['*'] })
    await dial(page)
    await page.getByText('operator/read').waitFor()
    await audit()
    await visit('/phone/flow')
    await page.getByText('operator/read').waitFor()
  })

  test('names the variables of plugins that are off', { tags: 'long' }, async () => {
    const oracle = await startOracle()
    const { page, audit, picture } = await open(oracle, { path: '/phone' })
    await page.getByText('PIN_ENCRYPTION_KEY', { exact: false }).first().waitFor()
    await page.getByText('SMS_PROVIDER=embedded:', { exact: false }).waitFor()
    await audit()
    await picture('phone-off')
  })

  test('shows the error where the list of plugins cannot be read, and no plugin as off', { tags: 'long' }, async () => {
    const { page } = await open(shared().oracle, { path: '/phone' })
    await page.route('**/capabilities', route =>
      route.fulfill({ status: 503, json: { code: 'storage_unavailable', detail: 'The database is away.' } }),
    )
    await page.reload()
    await page.getByText('The database is away.').waitFor()
    expect(await page.getByText('PIN_ENCRYPTION_KEY', { exact: false }).count()).toBe(0)
    await page.unroute('**/capabilities')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Press Dial to call the oracle.').waitFor()
  })

  test.each([
    ['light', 'sw', 'Piga', 'Skrini ya simu'],
    ['dark', 'fr', 'Appeler', 'Écran du téléphone'],
  ] as const)('is accessible on a phone (%s, %s)', { tags: 'long' }, async (colorScheme, language, button, screen) => {
    const { page, visit, speak, audit, picture } = shared()
    await visit('/phone')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.emulateMedia({ colorScheme })
    await speak(language)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('status', { name: screen }).getByText('*. Exit').waitFor()
    await audit()
    await picture(`phone-${colorScheme}-360`)
    await speak('en')
    await page.emulateMedia({ colorScheme: 'light' })
  })
})
