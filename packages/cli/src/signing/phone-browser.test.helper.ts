import type { SigningKey } from '@sibyl/identity'
import { type Browser, chromium, type Page } from 'playwright-core'
import { sealKey } from './page/sealed-key.ts'

/** Where Chromium is, as `vitest.config.ts` found it. */
export const chromiumPath = process.env.CHROMIUM_PATH

/** Starts Chromium. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? '',
    // One process has the network and graphics too, which saves processor time.
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--in-process-gpu',
      '--enable-features=NetworkServiceInProcess2',
    ],
  })

/** A phone's browser with a touch screen of 360 by 740 points, and a memory of its own. */
export class BrowserPhone {
  readonly page: Page
  /** What the page asked of others, was refused by its own policy, or failed at. */
  readonly faults: string[]

  private constructor(page: Page, errors: string[]) {
    this.page = page
    this.faults = errors
  }

  /** @param colorScheme As the phone's owner likes it. */
  static async start(browser: Browser, colorScheme: 'light' | 'dark' = 'light'): Promise<BrowserPhone> {
    const viewport = { width: 360, height: 740 }
    const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true, colorScheme, locale: 'en-GB' })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('request', request => {
      if (new URL(request.url()).host !== new URL(page.url()).host && request.resourceType() !== 'document') {
        if (!request.url().startsWith('data:')) errors.push(request.url())
      }
    })
    page.on('pageerror', error => errors.push(String(error)))
    page.on('console', message => {
      if (message.type() === 'error' && /policy|trusted/i.test(message.text())) errors.push(message.text())
    })
    return new BrowserPhone(page, errors)
  }

  /** Has the browser keep a key already, which opens at once: its passphrase is worth little. */
  async keep(key: SigningKey, passphrase: string): Promise<void> {
    const sealed = JSON.stringify(sealKey(key, passphrase, { N: 16, r: 8, p: 1 }))
    await this.page.addInitScript(text => {
      if (location.protocol === 'http:') localStorage.setItem('sibyl-signing-key', text)
    }, sealed)
  }

  /** Has the browser keep nothing, as where its storage is full or blocked. */
  async keepNothing(): Promise<void> {
    await this.page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
  }

  /** Makes the screen 320 points wide and its texts twice as large; whether nothing reaches beyond it then. */
  async fitsMagnified(): Promise<boolean> {
    const { width, height } = this.page.viewportSize()!
    const magnify = (size: string) =>
      this.page.evaluate(it => document.documentElement.style.setProperty('font-size', it), size)
    await this.page.setViewportSize({ width: 320, height })
    await magnify('200%')
    const fits = await this.fits()
    await magnify('')
    await this.page.setViewportSize({ width, height })
    return fits
  }

  /** Unlocks the key that is kept, up to where it may sign. */
  async unlock(passphrase: string): Promise<void> {
    await this.page.getByLabel('Passphrase of your key').fill(passphrase)
    await this.page.keyboard.press('Enter')
    await this.heading('Sign this?')
  }

  /** Follows a link; another one of the same page is loaded anew. */
  async open(link: URL): Promise<void> {
    await this.page.goto('about:blank')
    await this.page.goto(String(link))
  }

  /** Follows a link in a further tab, which has waited for its news once. */
  async openTab(link: URL): Promise<Page> {
    const tab = await this.page.context().newPage()
    const waiting = tab.waitForRequest('**/watch')
    await tab.goto(String(link))
    await waiting
    return tab
  }

  async tap(button: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: button }).tap()
  }

  async heading(name: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name }).waitFor()
  }

  /** The words that are shown. */
  async words(): Promise<string[]> {
    return this.page.locator('ol.words li').allTextContents()
  }

  /** Fills in the three words that are asked for. */
  async typeAskedWords(words: readonly string[]): Promise<void> {
    for (const input of await this.page.locator('form input').all()) {
      const place = Number((await input.getAttribute('id'))?.replace('word-', ''))
      await input.fill(words[place - 1] ?? '')
    }
  }

  /** Takes a new passphrase. */
  async lock(passphrase: string): Promise<void> {
    await this.page.getByLabel('Passphrase').fill(passphrase)
    await this.page.getByLabel('Type it again').fill(passphrase)
    await this.tap('Encrypt the key')
  }

  /** Makes a key from the beginning, up to where it may sign; gives the backup words. */
  async makeKey(passphrase: string): Promise<string[]> {
    await this.tap('Create a key')
    const words = await this.words()
    await this.tap('I have written them down')
    await this.typeAskedWords(words)
    await this.tap('Go on')
    await this.lock(passphrase)
    await this.heading('Sign this?')
    return words
  }

  /** The start of the number that the computer must show. */
  async fingerprint(): Promise<string> {
    return (await this.page.locator('.fingerprint span').allTextContents()).join(' ')
  }

  /** Types the end of the number that the computer shows, and signs. */
  async signAs(number: string | undefined): Promise<void> {
    await this.page.getByLabel('The last four digits on the computer').fill(number?.slice(-4) ?? '')
    await this.tap('The numbers match: sign')
  }

  /** Whether nothing reaches beyond the screen's width. */
  fits(): Promise<boolean> {
    return this.page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
  }
}
