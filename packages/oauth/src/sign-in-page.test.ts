import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createSigningKey, mintDelegation } from '@sibyl/identity'
import { reservePort } from '@sibyl/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { json, operatorToken, oracle, TestClient, type Tokens } from './oauth-client.test.support.ts'

const chromiumPath = process.env.CHROMIUM_PATH
/** One process has the network and graphics too, which saves processor time. */
const browserArguments = ['--no-sandbox', '--in-process-gpu', '--enable-features=NetworkServiceInProcess2']

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Where pictures of the pages are written, if that is set. */
const pictures = process.env.SIBYL_PICTURES

/** Reads a picture of a QR code, which the page decodes to pixels. */
const readQr = async (page: Page, picture: Buffer): Promise<string> => {
  const { data, width, height } = await page.evaluate(async base64 => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    return { data: [...data], width, height }
  }, picture.toString('base64'))
  return decodeQR({ data: Uint8Array.from(data), width, height })
}

describe.skipIf(chromiumPath === undefined)('the sign-in page in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: browserArguments })
  })
  afterAll(() => browser?.close())

  const serve = async (env: Record<string, string> = {}) => {
    const port = await reservePort()
    const url = `http://localhost:${port}`
    const made = await oracle({ env: { PUBLIC_URL: url, ORACLE_NAME: 'Field Oracle', ...env } })
    await made.app.listen({ host: '127.0.0.1', port })
    const send = (path: string, init?: RequestInit) => fetch(url + path, { redirect: 'manual', ...init })
    return { ...made, url, client: await TestClient.register(send) }
  }

  /** A client's own server: its port differs from that of the registration, as that of a native client does (RFC 8252). */
  let callback = ''
  const server = createServer((_, answer) => answer.end('back'))
  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  })
  afterAll(() => void server.close())

  const openPage = async (colorScheme: 'light' | 'dark' = 'light') => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const violations: string[] = []
    page.on('pageerror', error => violations.push(String(error)))
    page.on('console', line => line.type() === 'error' && violations.push(line.text()))
    return { page, faults: violations }
  }

  const authorizeUrl = async (client: TestClient, url: string, changes?: Parameters<TestClient['authorize']>[0]) => {
    let path = ''
    const probe = new TestClient(async given => {
      path = given
      return new Response()
    }, client.id)
    Object.assign(probe, { verifier: client.verifier })
    await probe.authorize({ redirect_uri: callback, ...changes })
    return url + path
  }

  const expectAccessible = async (page: Page, name: string) => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
    await page.evaluate(readFileSync(axe, 'utf8'))
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
      return (await axe.run()).violations.map(({ id, ...rest }) => `${id} ${JSON.stringify(rest)}`)
    })
    expect(violations, name).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true)
  }

  const exchanged = async (page: Page, client: TestClient): Promise<Tokens> => {
    await page.waitForURL(`${callback}**`)
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    return (await client.exchange(code, { redirect_uri: callback })).json()
  }

  test.each(['light', 'dark'] as const)('a user signs in with the key of the browser (%s)', async colorScheme => {
    const { client, url } = await serve()
    const { page, faults } = await openPage(colorScheme)
    await page.goto(await authorizeUrl(client, url))
    await page.getByText(/^You are did:key:/).waitFor()
    const did = (await page.locator('#identity').textContent())?.replace('You are ', '')
    await expectAccessible(page, `sign-in-${colorScheme}`)
    await page.getByLabel(/Read your conversations/).uncheck()
    await page.getByLabel('For', { exact: true }).selectOption('7')
    await page.getByRole('button', { name: "Allow with this browser's key" }).click()
    const tokens = await exchanged(page, client)
    expect(tokens.scope).toBe('chat/*')
    expect(await client.status(tokens.access_token)).toBe(403)
    expect(faults).toEqual([])
    await page.goto(await authorizeUrl(client, url))
    await page.getByText(`You are ${did}`).waitFor()
  })

  test('a phone signs with its own key, and the first page goes on', { tags: 'long' }, async () => {
    const { client, url } = await serve()
    const { page, faults } = await openPage()
    await page.goto(await authorizeUrl(client, url))
    await page.getByRole('button', { name: 'Show a QR code' }).click()
    const link = page.locator('#phone-link')
    await link.waitFor()
    await expectAccessible(page, 'sign-in-qr')
    expect(await page.getByRole('button', { name: 'Show a QR code' }).isVisible()).toBe(false)
    const drawn = await page.locator('#qr').screenshot({ scale: 'css' })
    const phone = await openPage()
    const address = await readQr(phone.page, drawn)
    expect(address).toBe(await link.getAttribute('href'))
    await phone.page.goto(address)
    await phone.page.getByText(/^You are did:key:/).waitFor()
    const number = (await page.locator('#phone-number').textContent()) ?? ''
    expect(await phone.page.locator('body').textContent()).not.toContain(number)
    await phone.page.getByText('Chrome on Linux at 127.0.0.1, in the network of this phone').waitFor()
    const allow = phone.page.getByRole('button', { name: "Allow with this phone's key" })
    await allow.click()
    expect(await phone.page.locator('#done').isVisible()).toBe(false)
    const field = phone.page.getByLabel('The number on your own screen')
    await field.fill(String((Number(number) + 1) % 10_000).padStart(4, '0'))
    await allow.click()
    await phone.page.getByText('This is not the number on the first screen.').waitFor()
    await expectAccessible(phone.page, 'sign-in-phone')
    await phone.page.getByLabel(/Read your conversations/).uncheck()
    await field.fill(number)
    const did = (await phone.page.locator('#identity').textContent())?.replace('You are ', '')
    await allow.click()
    await phone.page.getByText('Continue at the other screen').waitFor()
    const tokens = await exchanged(page, client)
    expect(tokens.scope).toBe('chat/*')
    const me = await fetch(
      `${url}/chat`,
      json({ message: 'hello' }, { authorization: `Bearer ${tokens.access_token}` }),
    )
    expect(me.status).toBe(200)
    await me.text()
    expect([faults, phone.faults.filter(line => !line.includes('403'))]).toEqual([[], []])
    await phone.page.goto(address).catch(() => {})
    await phone.page.getByText('This sign-in cannot continue').waitFor()
    await page.goto(await authorizeUrl(client, url))
    await page.getByText(/^You are did:key:/).waitFor()
    expect(await page.locator('#identity').textContent()).not.toContain(did)
  })

  test('a user signs in with a one-time code, after a wrong one', async () => {
    const { client, url, send } = await serve()
    const minted = await send('/oauth/codes', json({ name: 'Mutale' }, { authorization: `Bearer ${operatorToken}` }))
    const { code } = await minted.json()
    const { page } = await openPage()
    await page.goto(await authorizeUrl(client, url))
    const field = page.getByLabel(/A code from the operator/)
    await field.fill('AAAA-AAAA-AAAA')
    await page.getByRole('button', { name: 'Allow with the code' }).click()
    await page.getByText('The code is wrong, expired or used.').waitFor()
    await expectAccessible(page, 'sign-in-wrong-code')
    await field.fill(code)
    await field.press('Enter')
    expect(await client.status((await exchanged(page, client)).access_token)).toBe(200)
  })

  test('with delegated access the user pastes a delegation, which the browser keeps', { tags: 'long' }, async () => {
    const controller = createSigningKey()
    const { client, url, app } = await serve({ ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did })
    const { page } = await openPage()
    await page.goto(await authorizeUrl(client, url))
    await page.getByText(/^You are did:key:/).waitFor()
    const did = (await page.locator('#identity').textContent())?.replace('You are ', '') ?? ''
    const allow = page.getByRole('button', { name: "Allow with this browser's key" })
    await allow.click()
    await page.locator('#problem').getByText(/\w/).waitFor()
    const delegation = await mintDelegation({
      key: controller,
      audience: did,
      resource: `oracle:${app.identity.did}`,
      abilities: ['chat/*', 'session/*', 'auth/token'],
    })
    await page.getByLabel(/requires a delegation/).fill(delegation)
    await allow.click()
    expect(await client.status((await exchanged(page, client)).access_token)).toBe(200)
    await page.goto(await authorizeUrl(client, url))
    await expect.poll(() => page.getByLabel(/requires a delegation/).inputValue()).toBe(delegation)
  })

  test('a user denies; and a page that expired or was forged explains itself', { tags: 'long' }, async () => {
    const { client, url } = await serve()
    const { page, faults } = await openPage()
    await page.goto(await authorizeUrl(client, url))
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${callback}**`)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
    await page.goto(await authorizeUrl(client, url, { redirect_uri: 'https://evil.example/' }))
    await page.getByRole('heading', { name: 'This sign-in cannot continue' }).waitFor()
    await expectAccessible(page, 'sign-in-forged')
    await page.goto(`${url}/oauth/sign-in/unknown`)
    await page.getByText(/This sign-in expired/).waitFor()
    expect(faults.filter(violation => !violation.includes('400'))).toEqual([])
  })

  test('is in a language of the request or of the user, who can change it, with errors too', async () => {
    const { client, url } = await serve()
    const { page, faults } = await openPage()
    await page.goto(await authorizeUrl(client, url, { ui_locales: 'de sw' }))
    await page.getByRole('heading', { name: 'Ruhusu programu ya kompyuta hii (127.0.0.1)' }).waitFor()
    await page.getByText(/^Wewe ni did:key:/).waitFor()
    await expectAccessible(page, 'sign-in-sw')
    await page.getByRole('group', { name: 'Lugha' }).getByRole('link', { name: 'Français' }).click()
    await page.getByText(/^Vous êtes did:key:/).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('fr')
    await expectAccessible(page, 'sign-in-fr')
    await page.getByLabel(/Un code de l’opérateur/).fill('AAAA-AAAA-AAAA')
    await page.getByRole('button', { name: 'Autoriser avec le code' }).click()
    await page.getByText('Le code est faux, expiré ou déjà utilisé.').waitFor()
    expect(faults).toEqual([expect.stringContaining('403')])
  })

  test('names of clients are text', async () => {
    const { client, url } = await serve()
    const hostile = await TestClient.register(client.send, { client_name: '<img src=x onerror=alert(1)>"\'&' })
    const { page, faults } = await openPage()
    await page.goto(await authorizeUrl(hostile, url))
    const heading = {
      name: 'Allow a local program (127.0.0.1) to act for you at Field Oracle?',
    }
    await page.getByRole('heading', heading).waitFor()
    await page.getByText('<img src=x onerror=alert(1)>"\'& (not verified)').waitFor()
    await page.getByText(callback, { exact: true }).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(faults).toEqual([])
  })
})
