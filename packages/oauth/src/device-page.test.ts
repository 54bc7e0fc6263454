/** @module-tag long */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { reservePort } from '@sibyl/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { oracle, TestClient, type Tokens } from './oauth-client.test.support.ts'

const chromiumPath = process.env.CHROMIUM_PATH
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Where pictures of the pages are written, if that is set. */
const pictures = process.env.SIBYL_PICTURES

const grant = 'urn:ietf:params:oauth:grant-type:device_code'
const widths = [360, 1280]

describe.skipIf(chromiumPath === undefined)('the page for the code of a device in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    const args = ['--no-sandbox', '--in-process-gpu', '--enable-features=NetworkServiceInProcess2']
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args })
  })
  afterAll(() => browser?.close())

  /** Starts an oracle, a device that waits for its user, and the page of that user. */
  const begin = async () => {
    const port = await reservePort()
    const url = `http://localhost:${port}`
    const made = await oracle({ env: { PUBLIC_URL: url, ORACLE_NAME: 'Field Oracle' } })
    await made.app.listen({ host: '127.0.0.1', port })
    const send = (path: string, init?: RequestInit) => fetch(url + path, { redirect: 'manual', ...init })
    const client = await TestClient.register(send, {
      redirect_uris: [],
      grant_types: [grant],
      client_name: 'Field CLI',
    })
    const body = new URLSearchParams({ client_id: client.id, scope: 'chat/*' })
    const codes: { readonly device_code: string; readonly user_code: string; readonly verification_uri: string } =
      await (await send('/oauth/device_authorization', { method: 'POST', body })).json()
    const poll = async () => {
      const { device_code } = codes
      const answer = await client.token({ grant_type: grant, device_code, client_id: client.id })
      return (await answer.json()) as Tokens & { readonly error?: string }
    }
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(codes.verification_uri)
    const type = async (code: string) => {
      await page.getByLabel('Code').fill(code)
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    return { page, codes, poll, type, pass: made.pass }
  }

  /** Checks a page at both widths: nothing is cut, fields and buttons can be touched, and axe finds nothing. */
  const expectGood = async (page: Page, name: string) => {
    await page.evaluate(readFileSync(axe, 'utf8'))
    for (const width of widths) {
      await page.setViewportSize({ width, height: 740 })
      if (pictures !== undefined)
        await page.screenshot({ path: join(pictures, `${name}-${width}.png`), fullPage: true })
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
        const small = [...document.querySelectorAll('button, input:not([type="checkbox"])')].filter(
          one => one.getBoundingClientRect().height > 0 && one.getBoundingClientRect().height < 40,
        )
        return {
          violations: (await axe.run()).violations.map(({ id }) => id),
          isWide: document.documentElement.scrollWidth > innerWidth,
          small: small.map(({ outerHTML }) => outerHTML),
        }
      })
      expect(found, `${name} at ${width}`).toEqual({ violations: [], isWide: false, small: [] })
    }
    await page.setViewportSize({ width: 360, height: 740 })
  }

  test('a user types the code, signs in with the key of the browser, and the device gets its tokens', async () => {
    const { page, codes, poll, type, pass } = await begin()
    await expectGood(page, 'device-code')
    await type('BBBB-BBBB')
    await page.getByRole('alert').getByText('This code is wrong or expired').waitFor()
    await expectGood(page, 'device-wrong')
    await type(codes.user_code.toLowerCase())
    await page.getByText(/^You are did:key:/).waitFor()
    await page.getByText('Allow the device whose code you typed').first().waitFor()
    await expectGood(page, 'device-sign-in')
    expect(await poll()).toMatchObject({ error: 'authorization_pending' })
    await page.getByRole('button', { name: "Allow with this browser's key" }).click()
    await page.getByRole('heading', { name: 'Your device is signed in' }).waitFor()
    await expectGood(page, 'device-done')
    pass(6)
    expect((await poll()).scope).toContain('chat/*')
    await page.goto(codes.verification_uri)
    await type(codes.user_code)
    await page.getByRole('alert').getByText('This code is wrong or expired').waitFor()
  })

  test('a user denies the device', async () => {
    const { page, codes, poll, type } = await begin()
    await type(codes.user_code)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'Your device has no access' }).waitFor()
    await expectGood(page, 'device-denied')
    expect(await poll()).toMatchObject({ error: 'access_denied' })
  })

  test('a code that expired is rejected, also after it was typed', async () => {
    const { page, codes, poll, type, pass } = await begin()
    pass(400)
    await type(codes.user_code)
    await page.getByText(/^You are did:key:/).waitFor()
    pass(201)
    await page.clock.setFixedTime(Date.now() + 601_000)
    await page.getByRole('button', { name: "Allow with this browser's key" }).click()
    await page.getByText('The code expired. Start again on the device.').waitFor()
    await expectGood(page, 'device-expired')
    await page.goto(codes.verification_uri)
    await type(codes.user_code)
    await page.getByRole('alert').getByText('This code is wrong or expired').waitFor()
    expect(await poll()).toMatchObject({ error: 'expired_token' })
  })
})
