import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OracleAppOptions } from '@sibyl/core'
import { oauth } from '@sibyl/oauth'
import type { OraclePlugin } from '@sibyl/plugin'
import { reservePort, type TestApp, testApp } from '@sibyl/testing'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type Language, languages } from '../app/i18n/languages.ts'
import { appFiles } from '../server/app-files.ts'
import { consoleOf } from '../web-console.ts'
import { auditContrast, auditPage, auditWidths } from './audit-page.test.support.ts'
import { browserArguments, openProfile, removeStored } from './browser-profile.test.support.ts'

/** Where Chromium is, as `vitest.config.ts` found it. */
export const chromiumPath = process.env.CHROMIUM_PATH

/** A busy machine takes longer for a page than the 30 seconds of Playwright, and a test has 90. */
const limitMs = 60_000

/** Folder for pictures of the views, if that is set. */
const pictures = process.env.SIBYL_PICTURES

/** Token of the operator of every oracle here. */
export const operatorToken = 'operator-token-of-the-console-01'

/** A running oracle with the console. */
export interface ConsoleOracle extends TestApp {
  /** Its address, without a slash at its end. */
  readonly url: string
  /** Returns a one-time code that signs in with these abilities. @param name Name of the user. */
  code(scopes?: readonly string[], name?: string): Promise<string>
  /** Sends a request as the operator. */
  operator(path: string, init?: RequestInit & { readonly json?: unknown }): Promise<Response>
}

/** Everything of a user, and the abilities of an operator. */
export const operatorScopes = ['*', 'operator/read', 'operator/write'] as const

/** How an oracle is started. */
export interface OracleStart {
  readonly plugins?: OraclePlugin[]
  readonly env?: Record<string, string>
  readonly model?: OracleAppOptions['model']
  /** @default that of the file, or a free one while an oracle listens there */
  readonly port?: number
  /** @default the console of the sources */
  readonly console?: OraclePlugin
  /** Beside OAuth and the console. */
  readonly adapters?: readonly OraclePlugin[]
}

/** Serves an oracle with the console. It is closed when the test ends, or with the tests that share it. */
export type StartOracle = (options?: OracleStart) => Promise<ConsoleOracle>

/**
 * Returns a function that starts oracles for the tests of a file. They listen on the same port, one after the other, so that
 * the browser has their scripts in its cache.
 */
export const useOracles = (whenEnded: (close: () => Promise<void>) => void = onTestFinished): StartOracle => {
  const files = appFiles()
  let shared: number | undefined
  let isShared = false
  const takePort = async (): Promise<number> => {
    if (isShared) return reservePort()
    isShared = true
    shared ??= await reservePort()
    return shared
  }
  return async (options = {}) => {
    const port = options.port ?? (await takePort())
    const url = `http://localhost:${port}`
    const made = await testApp({
      plugins: options.plugins ?? [],
      adapters: [oauth(), options.console ?? consoleOf(files), ...(options.adapters ?? [])],
      ...(options.model ? { model: options.model } : {}),
      env: { PUBLIC_URL: url, ORACLE_NAME: 'Field Oracle', ORACLE_OPERATOR_TOKEN: operatorToken, ...options.env },
    })
    whenEnded(async () => {
      await made.app.close()
      if (port === shared) isShared = false
    })
    await made.app.listen({ host: '127.0.0.1', port })
    // The first request builds the app, which takes longer than a page may take.
    await made.app.request('/console')
    const operator: ConsoleOracle['operator'] = (path, { json, ...init } = {}) =>
      fetch(url + path, {
        ...init,
        ...(json === undefined ? {} : { method: init.method ?? 'POST', body: JSON.stringify(json) }),
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json', ...init.headers },
      })
    return {
      ...made,
      url,
      operator,
      async code(scopes = operatorScopes, name = 'Mutale') {
        const answer = await operator('/oauth/codes', { json: { name, scopes } })
        return ((await answer.json()) as { readonly code: string }).code
      },
    }
  }
}

/** How a tab is opened. */
export interface TabOptions {
  /** Path below `/console`, such as `/chat`. @default '/' */
  readonly path?: string
  /** Where the path is, for other pages of the oracle. @default '/console' */
  readonly under?: string
  /** Abilities of the user; undefined for a tab without a sign-in. @default those of an operator */
  readonly scopes?: readonly string[] | 'signed out'
  readonly name?: string
  readonly language?: Language
  readonly colorScheme?: 'light' | 'dark'
  /** Whether commands and addresses for clients are shown. @default true */
  readonly isForDevelopers?: boolean
  readonly width?: number
  readonly height?: number
  /** Opens the tab in the browser profile of another one. */
  readonly beside?: BrowserContext
}

/** A tab with the console. */
export interface ConsoleTab {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the page, such as violations of its policy. */
  readonly faults: string[]
  /** Navigates to a path below `/console` as a link does, with the first size: loading it takes half a second of processor time. */
  visit(path: string): Promise<void>
  /** Chooses a language in the menu of the account: a tab in another one costs a second of processor time. */
  speak(language: Language): Promise<void>
  /** Fails for violations that axe-core finds, for errors of the page, and for a page that is wider than the screen. */
  audit(): Promise<void>
  /**
   * Audits what is shown, its columns at every width, its contrast in the dark, and what a phone shows; `seen` is awaited after
   * each change. Writes a picture of each, such as `jobs-dark-1280`.
   */
  auditEverywhere(name: string, seen?: () => Promise<unknown>): Promise<void>
  /** The part of `auditEverywhere` for the dark and for a phone, for a view that another test audits in light. */
  auditDarkAndPhone(name: string, seen?: () => Promise<unknown>): Promise<void>
  /** Writes a picture, if `SIBYL_PICTURES` names a folder. */
  picture(name: string): Promise<void>
  /** Returns the size of the page after a garbage collection, and prints it with other figures if pictures are written. */
  size(name: string, figures?: Readonly<Record<string, number>>): Promise<PageSize>
}

/** Opens a tab with a view of an oracle. */
export type OpenTab = (oracle: ConsoleOracle, options?: TabOptions) => Promise<ConsoleTab>

/** Size of a page. */
export interface PageSize {
  readonly heapMb: number
  /** Elements of the document. */
  readonly elements: number
}

/**
 * Starts Chromium for the tests of a file. Profiles are kept from test to test, for their cache of scripts; what pages
 * store is removed.
 */
export const useConsole = () => {
  let held: (() => Promise<void>)[] | undefined
  const whenEnded = (close: () => Promise<void>) => {
    if (held) held.push(close)
    else onTestFinished(close)
  }
  /** Keeps what a function starts and opens for all tests of a block, each of which begins with a visit. */
  const share = <Shared>(start: () => Promise<Shared>): (() => Shared) => {
    let shared: Shared
    beforeAll(async () => {
      const ends: (() => Promise<void>)[] = []
      held = ends
      shared = await start().finally(() => {
        held = undefined
      })
      return async () => {
        for (const end of ends.toReversed()) await end()
      }
    })
    return () => shared
  }
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: browserArguments })
  })
  afterAll(() => browser?.close())
  const profiles: { readonly language: string; readonly profile: BrowserContext }[] = []
  const taken = new Set<BrowserContext>()
  const takeProfile = async (language: string): Promise<BrowserContext> => {
    const kept = profiles.find(one => one.language === language && !taken.has(one.profile))
    const profile = kept?.profile ?? (await openProfile(browser, language))
    if (!kept) profiles.push({ language, profile })
    taken.add(profile)
    whenEnded(async () => {
      await Promise.all(profile.pages().map((page, index) => index > 0 && page.close()))
      taken.delete(profile)
    })
    return profile
  }
  const open: OpenTab = async (oracle, options = {}) => {
    const { path = '/', under = '/console', scopes = operatorScopes, language = 'en', colorScheme = 'light' } = options
    const context = options.beside ?? (await takeProfile(language))
    const page = await context.newPage()
    page.setDefaultTimeout(limitMs)
    const viewport = { width: options.width ?? 1280, height: options.height ?? 800 }
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (!options.beside) await removeStored(page, oracle.url)
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    if (options.isForDevelopers ?? true) {
      await page.addInitScript(() => {
        if (location.protocol.startsWith('http')) localStorage.setItem('sibyl-console-developers', 'true')
      })
    }
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
        console.error(`The policy blocks ${violatedDirective} of ${blockedURI} in ${sourceFile}.`),
      )
    })
    page.on('console', line => line.type() === 'error' && errors.push(line.text()))
    const isSignedIn = scopes !== 'signed out' && !options.beside
    const fragment = isSignedIn ? `#code=${await oracle.code(scopes, options.name)}` : ''
    await page.goto(`${oracle.url}${under}${path === '/' ? '' : path}${fragment}`)
    if (isSignedIn) await page.locator('form button[type=submit]').press('Enter')
    if (scopes !== 'signed out') await page.getByRole('navigation').first().waitFor({ state: 'attached' })

    const tab: ConsoleTab = {
      page,
      context,
      faults: errors,
      async visit(to) {
        await page.setViewportSize(viewport)
        const go = (path: string) => page.evaluate(address => history.pushState({}, '', address), under + path)
        // A path without a view ends that of the test before.
        await go('/none')
        await page.getByText(/^Page not found$|^Cette page n’existe pas$|^Hakuna ukurasa kama huo$/).waitFor()
        await go(to)
      },
      async speak(language) {
        await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
        await page.getByRole('menuitem', { name: languages[language] }).click()
        await page.locator(`html[lang=${language}]`).waitFor()
        await page.getByRole('menu').waitFor({ state: 'detached' })
      },
      async audit() {
        await auditPage(page)
        expect(errors).toEqual([])
      },
      async auditEverywhere(name, seen) {
        const size = page.viewportSize() ?? { width: 1280, height: 800 }
        await seen?.()
        await tab.audit()
        await tab.picture(`${name}-light-${size.width}`)
        await auditWidths(page)
        await tab.auditDarkAndPhone(name, seen)
      },
      async auditDarkAndPhone(name, seen) {
        const size = page.viewportSize() ?? { width: 1280, height: 800 }
        await page.emulateMedia({ colorScheme: 'dark' })
        await seen?.()
        await auditContrast(page)
        await tab.picture(`${name}-dark-${size.width}`)
        await page.emulateMedia({ colorScheme: 'light' })
        await page.setViewportSize({ width: 360, height: size.height })
        await seen?.()
        await tab.audit()
        await tab.picture(`${name}-light-360`)
        await page.setViewportSize(size)
      },
      async picture(name) {
        if (pictures === undefined) return
        mkdirSync(pictures, { recursive: true })
        await page.screenshot({ path: join(pictures, `${name}.png`) })
      },
      async size(name, figures = {}) {
        const tools = await context.newCDPSession(page)
        await tools.send('HeapProfiler.collectGarbage')
        const { usedSize } = await tools.send('Runtime.getHeapUsage')
        const elements = await page.evaluate(() => document.querySelectorAll('*').length)
        const size = { heapMb: Math.round(usedSize / 1e5) / 10, elements }
        if (pictures !== undefined) console.info(name, { ...figures, ...size })
        return size
      },
    }
    return tab
  }
  return { startOracle: useOracles(whenEnded), open, share }
}
