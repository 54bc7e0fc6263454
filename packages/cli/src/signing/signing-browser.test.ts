/** @module-tag long */
import { createSigningKey } from '@sibyl/identity'
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyFromWords, newWords } from './page/mnemonic-key.ts'
import { BrowserPhone, chromiumPath, launchBrowser } from './phone-browser.test.helper.ts'
import { requestSignature } from './request-signature.ts'
import { signingAssets } from './signing-assets.ts'
import { lanAddresses } from './signing-place.ts'
import type { SigningRequest } from './signing-session.ts'
import { signingHome, signingRequest } from './signing-setting.test.helper.ts'
import { SigningTerminal } from './signing-terminal.test.helper.ts'

const passphrase = 'correct horse battery'
const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

// A loopback address is a secure context for every page; the address on a phone is not.
const cannotRun = chromiumPath === undefined || lanAddresses().length === 0

// One browser serves all of them concurrently.
describe.skipIf(cannotRun).concurrent('the signing page in Chromium', () => {
  let browser: Browser
  let bundled: ReturnType<typeof signingAssets>
  const cleanups: (() => unknown)[] = []

  beforeAll(async () => {
    bundled = signingAssets()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    for (const clean of cleanups.reverse()) await clean()
  })

  /** Starts a request at this computer's own address, at the same port for the same home. */
  const ask = async (request: Partial<SigningRequest> = {}, of?: { readonly home: string }) => {
    const { home, remove } = of ? { ...of, remove: () => {} } : await signingHome()
    const terminal = new SigningTerminal({ SIBYL_HOME: home })
    const signed = requestSignature(signingRequest(request), terminal.io, undefined, { assets: () => bundled })
    const ended = signed.catch(() => {})
    cleanups.push(
      remove,
      () => ended,
      () => terminal.terminal.interrupt(),
    )
    return { home, terminal, signed, link: await terminal.link() }
  }

  /** Returns the number that the computer shows. */
  const numberOf = async (terminal: SigningTerminal): Promise<string> =>
    (await terminal.until(/The phone must show {2}(\d{4} \d{4} \d{4} \d{4})/))[1] ?? ''

  test('creates, stores and reuses a key; the signed request is the one shown', async () => {
    const audience = createSigningKey().did
    const first = await ask({ audience, about: hostile })
    const phone = await BrowserPhone.start(browser)
    const { page } = phone
    await phone.open(first.link)
    await phone.heading('A computer asks for your signature')
    await phone.page.getByText('Act as you at').first().waitFor()
    expect(await page.evaluate(() => [isSecureContext, typeof crypto.subtle])).toEqual([false, 'undefined'])
    expect(await page.locator('main').textContent()).toContain(hostile)
    expect(await phone.fits()).toBe(true)
    await first.terminal.until(/A phone opened it\./)

    await phone.tap('Create a key')
    expect(await phone.words()).toHaveLength(12)
    expect(await phone.fitsMagnified()).toBe(true)
    await phone.tap('Use 24 words')
    const words = await phone.words()
    expect(words).toHaveLength(24)
    expect([await phone.fits(), await phone.fitsMagnified()]).toEqual([true, true])
    await phone.tap('I have written them down')
    await phone.typeAskedWords(words.toReversed())
    await phone.tap('Go on')
    await page.getByRole('alert').getByText('is wrong. Check your paper.').waitFor()
    await phone.tap('Show the words again')
    expect(await phone.words()).toEqual(words)
    await phone.tap('I have written them down')
    await phone.typeAskedWords(words.map(word => ` ${word.toUpperCase()} `))
    await phone.tap('Go on')
    expect(await page.evaluate(() => localStorage.getItem('sibyl-signing-key'))).toBeNull()

    expect(await phone.fitsMagnified()).toBe(true)
    await phone.lock('too short')
    await page.getByRole('alert').getByText('Use at least 10 characters.').waitFor()
    await phone.lock('1234567890')
    await page.getByRole('alert').getByText('That is easy to guess.').waitFor()
    await page.getByLabel('Passphrase').fill(passphrase)
    await phone.tap('Encrypt the key')
    await page.getByRole('alert').getByText('The two passphrases differ.').waitFor()
    await phone.lock(passphrase)
    await phone.heading('Sign this?')
    const fingerprint = await numberOf(first.terminal)
    expect(await phone.fingerprint()).toBe(fingerprint.slice(0, 14))
    expect(await page.locator('main').textContent()).not.toContain(fingerprint.slice(-4))
    expect(await page.locator('main').textContent()).toContain(audience)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect([await phone.fits(), await phone.fitsMagnified()]).toEqual([true, true])
    await phone.signAs('0000')
    await page.getByRole('alert').getByText('These are not the last four digits').waitFor()
    await phone.signAs(fingerprint)
    await phone.heading('Signed')
    const { did } = await first.signed

    const kept = await page.evaluate(() => ({ ...localStorage }))
    expect(Object.keys(kept).toSorted()).toEqual(['sibyl-signing-device', 'sibyl-signing-key'])
    const sealed = JSON.parse(kept['sibyl-signing-key'] ?? '')
    expect(sealed).toEqual({
      version: 1,
      did,
      kdf: expect.anything(),
      nonce: expect.anything(),
      ciphertext: expect.anything(),
    })
    expect(sealed.ciphertext).toHaveLength(96)

    // The next time it is available, at the same address.
    const second = await ask({ expectedDid: did }, first)
    expect(second.link.port).toBe(first.link.port)
    await phone.open(second.link)
    await page.getByLabel('Passphrase of your key').waitFor()
    await phone.tap('Refuse')
    await phone.heading('Refused')
    expect(phone.faults).toEqual([])
  })

  test('a stored key signs, by keyboard only', { tags: 'long' }, async () => {
    const key = createSigningKey()
    const { link, signed, terminal } = await ask({ expectedDid: key.did })
    const phone = await BrowserPhone.start(browser)
    const { page } = phone
    await phone.keep(key, passphrase)
    await phone.open(link)
    await phone.tap('Use backup words instead')
    await page.getByText('replace the key of this browser').waitFor()
    await phone.tap('Back')
    await page.getByLabel('Passphrase of your key').fill('another passphrase')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The passphrase is wrong.').waitFor()
    await phone.unlock(passphrase)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Sign this?')
    // The full identifiers go first.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type((await numberOf(terminal)).slice(-4))
    await page.keyboard.press('Enter')
    await phone.heading('Signed')
    expect((await signed).did).toBe(key.did)
    expect(phone.faults).toEqual([])
  })

  test('a browser without storage reports it, and signs with the mnemonic of the right key', {
    tags: 'long',
  }, async () => {
    const words = newWords(12)
    const { did } = await keyFromWords(words)
    const { link, signed, terminal } = await ask({ expectedDid: did })
    const phone = await BrowserPhone.start(browser)
    await phone.keepNothing()
    await phone.open(link)
    await phone.tap('I have backup words')
    await phone.page.getByLabel('Backup words').fill(`${'abandon '.repeat(11)}about`)
    await phone.tap('Go on')
    await phone.page.getByRole('alert').getByText('These words belong to another key').waitFor()
    await phone.page.getByLabel('Backup words').fill(words.join('\n'))
    await phone.tap('Go on')
    await phone.lock(passphrase)
    await phone.heading('Sign this?')
    await phone.page.getByText('This browser did not store the key.').waitFor()
    await phone.signAs(await numberOf(terminal))
    await phone.heading('Signed')
    expect((await signed).did).toBe(did)
    expect(phone.faults).toEqual([])
  })

  test('ends on both screens: declined, at the computer for two waiting tabs, with the wrong phone', {
    tags: 'long',
  }, async () => {
    const phone = await BrowserPhone.start(browser)
    const refused = await ask()
    await phone.open(refused.link)
    await phone.tap('Create a key')
    await phone.tap('Refuse')
    await phone.heading('Refused')
    await expect(refused.signed).rejects.toMatchObject({ code: 'signing_refused' })
    expect(await phone.page.locator('footer').isVisible()).toBe(false)

    const ended = await ask()
    await phone.open(ended.link)
    await phone.heading('A computer asks for your signature')
    let asked = 0
    phone.page.on('request', request => {
      if (request.url().endsWith('/watch')) asked += 1
    })
    const tab = await phone.openTab(ended.link)
    await tab.getByRole('button', { name: 'Create a key' }).tap()
    await phone.tap('Create a key')
    expect(asked).toBeLessThan(3)
    ended.terminal.terminal.interrupt()
    await tab.getByRole('heading', { level: 1, name: 'Canceled on the computer' }).waitFor()
    await phone.heading('Canceled on the computer')

    await phone.keep(createSigningKey(), passphrase)
    const other = await ask({ expectedDid: createSigningKey().did })
    await phone.open(other.link)
    await phone.heading('Another key is required')
    expect(await phone.fits()).toBe(true)
    await phone.tap('This is the wrong phone')
    await phone.heading('The wrong phone')
    await expect(other.signed).rejects.toMatchObject({ code: 'signing_wrong_device' })
  })

  test('a second device gets a notice, and the first one can still sign', { tags: 'long' }, async () => {
    const { link, signed, terminal } = await ask()
    const first = await BrowserPhone.start(browser)
    await first.keep(createSigningKey(), passphrase)
    await first.open(link)
    await first.heading('A computer asks for your signature')
    const second = await BrowserPhone.start(browser)
    await second.open(link)
    await second.heading('Opened elsewhere first')
    await terminal.until(/A second device also opened the link/)
    await first.open(link)
    await first.unlock(passphrase)
    await first.signAs(await numberOf(terminal))
    await first.heading('Signed')
    await signed
  })

  test('dead links, an absent computer, and responses of another server', { tags: 'long' }, async () => {
    const phone = await BrowserPhone.start(browser)
    const { link } = await ask()
    await phone.open(new URL(link.pathname, link))
    await phone.heading('The link is incomplete')
    await phone.open(new URL('/AAAAAAAAAAA#abcdefghijklmnopqrstuv', link))
    await phone.heading('Nothing to sign here')
    await phone.open(new URL(`${link.pathname}#abcdefghijklmnopqrstuv`, link))
    await phone.heading('The computer does not respond')

    await phone.page.route('**/claim', async route => {
      const answer = await route.fetch()
      const text = await answer.text()
      await route.fulfill({ response: answer, body: text.replace('entities/*', '*') })
    })
    await phone.open(link)
    await phone.heading('The computer does not respond')
    await phone.page.unroute('**/claim')
    await phone.page.route('**/claim', route => route.abort())
    await phone.open(link)
    await phone.heading('The computer does not respond')
    await phone.page.unroute('**/claim')
    await phone.tap('Try again')
    await phone.heading('A computer asks for your signature')
    expect(phone.faults).toEqual([])
  })

  test('a suspended phone continues; a reloaded page marks the words as new', { tags: 'long' }, async () => {
    const { link, terminal } = await ask()
    const phone = await BrowserPhone.start(browser)
    const { page } = phone
    await page.clock.install()
    const asked = Promise.withResolvers<Route>()
    await page.route('**/watch', route => asked.resolve(route), { times: 1 })
    await phone.open(link)
    await phone.tap('Create a key')
    const words = await phone.words()
    const route = await asked.promise
    await page.clock.fastForward(60_000)
    await route.abort()
    const again = page.waitForRequest('**/watch')
    await page.clock.fastForward(2_000)
    await again
    expect(await phone.words()).toEqual(words)
    const repeated = page.getByText('These words are new.')
    expect(await repeated.count()).toBe(0)
    await page.reload()
    await phone.tap('Create a key')
    await repeated.waitFor()
    expect(await phone.words()).not.toEqual(words)
    terminal.terminal.interrupt()
    await phone.heading('Canceled on the computer')
  })

  test('reports differing clocks; an unknown delivery of a signature is reported as unknown', { tags: 'long' }, async ({
    expect,
  }) => {
    const key = createSigningKey()
    const { link, signed, terminal } = await ask()
    const phone = await BrowserPhone.start(browser)
    const { page } = phone
    await phone.keep(key, passphrase)
    await page.clock.install({ time: Date.now() - 60 * 86_400_000 })
    await page.route('**/watch', () => {})
    await phone.open(link)
    await phone.unlock(passphrase)
    await page.getByText('The clocks of the computer and of this phone differ by 60 days.').waitFor()
    await page.route('**/sign', route =>
      route.fetch().then(
        () => route.abort(),
        () => route.abort(),
      ),
    )
    await phone.signAs(await numberOf(terminal))
    expect((await signed).did).toBe(key.did)
    const end = page.getByRole('heading', { level: 1, name: 'No confirmation from the computer' })
    await expect.poll(() => page.clock.runFor(2_000).then(() => end.isVisible())).toBe(true)
    expect(await page.locator('main').textContent()).not.toContain('Nothing')
  })
})
