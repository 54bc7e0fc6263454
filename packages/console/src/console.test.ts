import { entities } from '@sibyl/plugin-entities'
import { weather } from '@sibyl/plugin-weather'
import { reservePort } from '@sibyl/testing'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole, useOracles } from './testing/console.test.support.ts'

describe.skipIf(chromiumPath === undefined)('the console in Chromium', () => {
  const { startOracle, open, share } = useConsole()

  test('a one-time code signs in, and leaves the address, also of a browser that is signed in already', async () => {
    const oracle = await startOracle()
    const { page, context, audit, picture } = await open(oracle)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(page.url().replace(/\/$/, '')).toBe(`${oracle.url}/console`)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await picture('account')
    await page.keyboard.press('Escape')
    await audit()
    const { page: second } = await open(oracle, { path: `/chat#code=${await oracle.code()}`, beside: context })
    await second.getByRole('heading', { level: 1 }).waitFor()
    expect(second.url()).toBe(`${oracle.url}/console/chat`)
  })

  test('a link with a code asks before it signs in, and one with the start of a code asks for the rest', async () => {
    const oracle = await startOracle()
    const code = await oracle.code()
    const { page, audit, auditEverywhere } = await open(oracle, { path: `/chat#code=${code}`, scopes: 'signed out' })
    await page.getByText('Continue only if it is from your operator').waitFor()
    expect(page.url()).toBe(`${oracle.url}/console/chat`)
    await audit()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await page.goto('about:blank')
    await page.goto(`${oracle.url}/console/chat#code=${code.slice(0, 7)}`)
    const rest = page.getByLabel('The rest of the code')
    await rest.fill('0000000')
    await auditEverywhere('sign-in-code')
    await page.getByRole('button', { name: 'Sign in with the code' }).click()
    await page.getByText('The code is wrong, expired or used.').waitFor()
    await rest.fill(code.slice(7))
    await rest.press('Enter')
    await page.getByRole('navigation').waitFor({ state: 'attached' })
    expect(page.url()).toBe(`${oracle.url}/console/chat`)
  })

  test.each([
    [['*'], undefined],
    [['*', 'operator/read'], 'Operator, read only'],
    [['*', 'operator/read', 'operator/write'], 'Operator'],
  ])('the badge of a user with %j of the operator is %j', async (scopes, badge) => {
    const { page } = await open(await startOracle(), { scopes })
    await page.getByText('Addresses for clients').waitFor()
    expect(await page.getByRole('banner').getByText('Operator').allTextContents()).toEqual(badge ? [badge] : [])
  })

  test('texts of an address that no sign-in of this tab awaits are not shown', { tags: 'long' }, async () => {
    const oracle = await startOracle()
    const forged = 'state=x&error=access_denied&error_description=Call+0900+1234'
    const { page } = await open(oracle, { path: `/?${forged}`, scopes: 'signed out' })
    const begin = page.getByRole('button', { name: 'Sign in', exact: true })
    await begin.waitFor()
    expect(await page.getByText('Call 0900').count()).toBe(0)
    expect(page.url()).toBe(`${oracle.url}/console`)
    await begin.click()
    await page.getByRole('button', { name: 'Deny' }).waitFor()
    await page.goto(`${oracle.url}/console?${forged}`)
    await page.getByText('The sign-in did not start in this tab.').waitFor()
    expect(await page.getByText('Call 0900').count()).toBe(0)
  })

  test('a user signs in with the key of the browser, returns to the view, and signs out', async () => {
    const oracle = await startOracle()
    const { page, audit, picture } = await open(oracle, { path: '/chat', scopes: 'signed out' })
    await page.getByRole('heading', { name: 'Sign in to Field Oracle' }).waitFor()
    await audit()
    await picture('sign-in')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Allow the console to act for you at Field Oracle?' }).waitFor()
    await page.getByRole('button', { name: "Allow with this browser's key" }).click()
    await page.getByRole('navigation').waitFor({ state: 'attached' })
    expect(page.url()).toBe(`${oracle.url}/console/chat`)
    expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
    await page.getByRole('textbox', { name: 'Write a message' }).fill('A plan of this user')
    const drafts = () => page.evaluate(() => Object.values(sessionStorage).filter(text => text.includes('A plan')))
    expect(await drafts()).toHaveLength(1)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Field Oracle' }).waitFor()
    expect(await drafts()).toEqual([])
  })

  test('a sign-in and a sign-out reach other tabs, and a sign-in that ended asks again', { tags: 'long' }, async () => {
    const oracle = await startOracle()
    const { page, context } = await open(oracle)
    const { page: second } = await open(oracle, { beside: context })
    const { signIns } = await page.evaluate(async () => {
      const { access } = JSON.parse(localStorage.getItem('sibyl-console') ?? '')
      const answer = await fetch('/oauth/sign-ins', { headers: { authorization: `Bearer ${access}` } })
      return (await answer.json()) as { readonly signIns: readonly { readonly id: string }[] }
    })
    await oracle.operator(`/oauth/sign-ins/${signIns[0]?.id}`, { method: 'DELETE' })
    await page.reload()
    for (const tab of [page, second]) await tab.getByRole('heading', { name: 'Sign in to Field Oracle' }).waitFor()
  })

  describe('of one tab', () => {
    const shared = share(async () => {
      const oracle = await startOracle({ plugins: [weather(), entities()] })
      return { oracle, ...(await open(oracle)) }
    })

    test('the frame is accessible', async () => {
      const { page, visit, audit, picture, auditEverywhere } = shared()
      await visit('/')
      await page.getByText('Addresses for clients').waitFor()
      await page.getByRole('link', { name: 'Chat', exact: true }).waitFor()
      await auditEverywhere('frame')
      await page.setViewportSize({ width: 360, height: 800 })
      await page.getByRole('button', { name: 'Open navigation' }).click()
      await page.getByRole('link', { name: 'Chat', exact: true }).waitFor()
      await audit()
      await picture('frame-navigation-360')
    })

    test('views that could not be loaded are loaded when the oracle responds again', { tags: 'long' }, async () => {
      const { page, visit, faults, audit } = shared()
      await visit('/')
      await page.getByText('Addresses for clients').waitFor()
      const check = page.waitForEvent('requestfailed', request => request.method() === 'HEAD')
      await page.route('**/assets/frame-*', route => route.abort())
      await page.route('**/console', route => (route.request().method() === 'HEAD' ? route.abort() : route.fallback()))
      await page.reload()
      await page.getByText('Loading the view failed.').waitFor()
      await page.getByRole('button', { name: 'Reload' }).waitFor()
      await check
      expect(faults.splice(0)).not.toEqual([])
      await audit()
      await page.unrouteAll()
      await page.getByText('Addresses for clients').waitFor()
      faults.splice(0)
    })

    test('a question of the first view begins a conversation; a link does not send messages', {
      tags: 'long',
    }, async () => {
      const { oracle, page, visit, context } = shared()
      await visit('/')
      await page.getByLabel('Ask something').fill('What can you do?')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('log').getByText('What can you do?').waitFor()
      await page.waitForURL(/\/console\/chat\/.+/)
      const { page: linked } = await open(oracle, { path: '/chat?ask=Erase+me', beside: context })
      await linked.getByRole('log').waitFor()
      expect(await linked.getByText('Erase me').count()).toBe(0)
    })

    test('an oracle that is gone is reported, and the view recovers', { tags: 'long' }, async () => {
      const { page, visit, context } = shared()
      await visit('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await context.setOffline(true)
      await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
      await context.setOffline(false)
      await page.getByRole('heading', { level: 1 }).waitFor()
    })

    test('a machine without a network shows the oracle that runs on it', { tags: 'long' }, async () => {
      const { page, visit } = shared()
      await visit('/')
      await page.getByText('Addresses for clients').waitFor()
      await page.evaluate(() => dispatchEvent(new Event('offline')))
      await page.getByRole('link', { name: 'Operations' }).click()
      await page
        .getByRole('cell', { name: /weather/i })
        .first()
        .waitFor()
    })
  })

  test('the scripts of the sign-in are at most 135 kB, compressed, and those of the first view 215 kB', async () => {
    const oracle = await startOracle({ plugins: [weather(), entities()] })
    const scriptsOf = (page: Page) =>
      page.evaluate(() => {
        const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const sizes = files.filter(({ name }) => name.endsWith('.js')).map(({ encodedBodySize }) => encodedBodySize)
        return { count: sizes.length, size: sizes.reduce((sum, size) => sum + size, 0) }
      })
    const { page: signedOut } = await open(oracle, { scopes: 'signed out', isForDevelopers: false })
    await signedOut.getByText('npx sibyl console').waitFor()
    const first = await scriptsOf(signedOut)
    expect(first.count).toBeGreaterThan(1)
    expect(first.count).toBeLessThan(6)
    expect(first.size).toBeGreaterThan(50_000)
    expect(first.size).toBeLessThan(135_000)
    const { page } = await open(oracle, { isForDevelopers: false })
    await page.getByText('First steps').waitFor()
    await page.reload()
    await page.getByText('First steps').waitFor()
    const whole = await scriptsOf(page)
    expect(whole.size).toBeGreaterThan(first.size)
    expect(whole.size).toBeLessThan(215_000)
    expect(whole.count).toBeLessThan(15)
  })

  test('French and Swahili', { tags: 'long' }, async () => {
    const oracle = await startOracle()
    const { page } = await open(oracle, { language: 'fr' })
    await page.getByRole('link', { name: 'Accueil' }).waitFor()
    await page.getByRole('button', { name: 'Compte' }).click()
    await page.getByRole('menuitem', { name: 'Kiswahili' }).click()
    await page.getByRole('link', { name: 'Mwanzo' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('sw')
  })

  test('the page names https and localhost over http in a LAN, and offers no sign-in', { tags: 'long' }, async () => {
    const port = await reservePort()
    const url = `http://oracle.lan:${port}`
    const served = await startOracle({ port, env: { PUBLIC_URL: url } })
    for (const path of ['/', `/chat#code=${await served.code()}`]) {
      const { page, audit } = await open({ ...served, url }, { path, scopes: 'signed out' })
      await page.getByText('Sign-in needs https or localhost').waitFor()
      await page.getByText(`ssh -L ${port}:localhost:${port} oracle.lan`).waitFor()
      expect(await page.getByRole('button', { name: /Sign in/ }).count()).toBe(0)
      await audit()
    }
  })

  test('without OAuth the page says what to do', { tags: 'long' }, async () => {
    const oracle = await startOracle({ env: { OAUTH: 'off' } })
    const { page } = await open(oracle, { scopes: 'signed out' })
    await page.getByText('Set OAUTH=on and restart the oracle.').waitFor()
  })
})

const startOracle = useOracles()

test('in development, GET / leads browsers to the console, and programs to the status', async () => {
  const oracle = await startOracle({ env: { NODE_ENV: 'development' } })
  const browser = await fetch(oracle.url, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' })
  expect([browser.status, browser.headers.get('location')]).toEqual([303, 'console'])
  expect(await (await fetch(oracle.url)).json()).toMatchObject({ status: 'ok' })
  expect(await (await fetch(oracle.url, { headers: { accept: 'application/json' } })).json()).toHaveProperty('message')
})

test('the page has a strict policy, and its files are cached', async () => {
  const { url } = await startOracle()
  const page = await fetch(`${url}/console/twins/x`)
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
  const html = await page.text()
  const script = /src="(\.\.\/assets\/[^"]+)"/.exec(html)?.[1] ?? ''
  const file = await fetch(new URL(script, `${url}/console/twins/x`))
  expect(file.headers.get('cache-control')).toContain('immutable')
  expect((await fetch(`${url}/console/assets/none.js`)).status).toBe(404)
  expect((await fetch(`${url}/console/assets/..%2f..%2fpackage.json`)).status).toBe(404)
})

test('in production the console is off unless it is switched on', async () => {
  const off = await startOracle({ env: { NODE_ENV: 'production' } })
  expect((await fetch(`${off.url}/console`)).status).toBe(404)
  const on = await startOracle({ env: { NODE_ENV: 'production', CONSOLE: 'on', OAUTH: 'on' } })
  expect((await fetch(`${on.url}/console`)).status).toBe(200)
})
