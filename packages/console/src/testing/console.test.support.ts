import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { OracleAppOptions } from '@sibyl/core'
import { oauth } from '@sibyl/oauth'
import type { OraclePlugin } from '@sibyl/plugin'
import { reservePort, type TestApp, testApp } from '@sibyl/testing'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { webConsole } from '../web-console.ts'

/** Where Chromium is, as `vitest.config.ts` found it. */
export const chromiumPath = process.env.CHROMIUM_PATH

/** Folder for pictures of the views, if that is set. */
const pictures = process.env.SIBYL_PICTURES

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

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

/** Serves an oracle with the console on a port of its own. It is closed when the test ends. */
export const startOracle = async (
  options: {
    readonly plugins?: OraclePlugin[]
    readonly env?: Record<string, string>
    readonly model?: OracleAppOptions['model']
    /** @default a free one */
    readonly port?: number
    /** @default the console of the sources */
    readonly console?: OraclePlugin
  } = {},
): Promise<ConsoleOracle> => {
  const port = options.port ?? (await reservePort())
  const url = `http://localhost:${port}`
  const made = await testApp({
    plugins: options.plugins ?? [],
    adapters: [oauth(), options.console ?? webConsole()],
    ...(options.model ? { model: options.model } : {}),
    env: { PUBLIC_URL: url, ORACLE_NAME: 'Field Oracle', ORACLE_OPERATOR_TOKEN: operatorToken, ...options.env },
  })
  onTestFinished(() => made.app.close())
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

/** Color schemes and widths in pixels in which views are audited. */
const everywhere = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
] as const

/** How a tab is opened. */
export interface TabOptions {
  /** Path below `/console`, such as `/chat`. @default '/' */
  readonly path?: string
  /** Where the path is, for other pages of the oracle. @default '/console' */
  readonly under?: string
  /** Abilities of the user; undefined for a tab without a sign-in. @default those of an operator */
  readonly scopes?: readonly string[] | 'signed out'
  readonly name?: string
  readonly language?: 'en' | 'fr' | 'sw'
  readonly colorScheme?: 'light' | 'dark'
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
  /** Fails for violations that axe-core finds, for errors of the page, and for a page that is wider than the screen. */
  audit(): Promise<void>
  /**
   * Audits what is shown in light and dark, and on a phone; `seen` is awaited after each change. Writes a picture of each,
   * such as `jobs-dark-1280`.
   */
  auditEverywhere(name: string, seen?: () => Promise<unknown>): Promise<void>
  /** Writes a picture, if `SIBYL_PICTURES` names a folder. */
  picture(name: string): Promise<void>
  /** Returns the size of the page after a garbage collection, and prints it with other figures if pictures are written. */
  size(name: string, figures?: Readonly<Record<string, number>>): Promise<PageSize>
}

/** Size of a page. */
export interface PageSize {
  readonly heapMb: number
  /** Elements of the document. */
  readonly elements: number
}

/** Starts Chromium for the tests of a file. Returns a function that opens tabs. */
export const useConsoleTabs = () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())
  return async (oracle: ConsoleOracle, options: TabOptions = {}): Promise<ConsoleTab> => {
    const { path = '/', under = '/console', scopes = operatorScopes, language = 'en', colorScheme = 'light' } = options
    const context =
      options.beside ??
      (await browser.newContext({
        viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
        colorScheme,
        locale: language,
        reducedMotion: 'reduce',
      }))
    if (!options.beside) onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
        console.error(`The policy blocks ${violatedDirective} of ${blockedURI} in ${sourceFile}.`),
      )
    })
    page.on('console', line => line.type() === 'error' && errors.push(line.text()))
    const isSignedIn = scopes !== 'signed out' && !options.beside
    const fragment = isSignedIn ? `#code=${await oracle.code(scopes, options.name)}` : ''
    // The first request builds the app, which can take longer than a navigation may.
    await fetch(`${oracle.url}/console`).then(answer => answer.text())
    await page.goto(`${oracle.url}${under}${path === '/' ? '' : path}${fragment}`)
    if (scopes !== 'signed out') await page.getByRole('navigation').first().waitFor({ state: 'attached' })
    const tab: ConsoleTab = {
      page,
      context,
      faults: errors,
      async audit() {
        await page.evaluate(transitionsEnd)
        await page.evaluate(axe)
        const found = await page.evaluate(runAxe)
        expect(found).toEqual([])
        expect(errors).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      },
      async auditEverywhere(name, seen) {
        const size = page.viewportSize() ?? { width: 1280, height: 800 }
        for (const [scheme, width] of everywhere) {
          await page.emulateMedia({ colorScheme: scheme })
          await page.setViewportSize({ width, height: size.height })
          await seen?.()
          await tab.audit()
          await tab.picture(`${name}-${scheme}-${width}`)
        }
        await page.emulateMedia({ colorScheme })
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
}

/** Runs in the page: colors that still change have less contrast. */
const transitionsEnd = async () => {
  // They begin with the frame after the change.
  await new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted)))
  const running = document.getAnimations().filter(animation => animation instanceof CSSTransition)
  await Promise.allSettled(running.map(({ finished }) => finished))
}

/** Runs in the page. */
const runAxe = async (): Promise<string[]> => {
  const { axe: checker } = globalThis as unknown as {
    axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> }
  }
  const { violations } = await checker.run()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
