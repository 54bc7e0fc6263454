/** @module-tag long */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteFolder } from './build-site.ts'
import { findPages } from './find-pages.ts'
import { serveSite } from './serve-site.ts'

const checkout = join(import.meta.dirname, '../..')
const pages = findPages(checkout)
const read = (path: string) => readFileSync(join(siteFolder, path), 'utf8')

const chromiumPath = process.env.CHROMIUM_PATH

/** The build takes half a minute of processor time, and other tests run beside it. */
const limit = 600_000

beforeAll(async () => {
  // As `npx -y pnpm@12 site build` runs it: in a separate process, not in test mode.
  const { NODE_ENV: _, ...env } = process.env
  await promisify(execFile)('node', ['--conditions=sibyl-source', 'site/src/main.ts', 'build'], { cwd: checkout, env })
}, limit)

test('nothing is loaded from outside', () => {
  const absolute = String.raw`\s*["'(]?\s*(?:https?:)?//`
  const loads: Readonly<Record<string, RegExp>> = {
    html: new RegExp(
      `<(?:script|img|iframe|source|video)\\b[^>]*\\ssrc=${absolute}|<link\\b[^>]*\\shref=${absolute}`,
      'i',
    ),
    css: new RegExp(`url\\(${absolute}|@import${absolute}`, 'i'),
    js: new RegExp(`\\b(?:import|importScripts|fetch|Worker)\\(${absolute}|\\.src=${absolute}|\\bfrom${absolute}`, 'i'),
    svg: new RegExp(`href=${absolute}|url\\(${absolute}`, 'i'),
  }
  const files = globSync('**/*.{html,css,js,svg}', { cwd: siteFolder })
  expect(files.length).toBeGreaterThan(pages.length)
  expect(files.flatMap(file => loads[file.split('.').at(-1)!]?.exec(read(file))?.[0] ?? [])).toEqual([])
})

test('every page is there as HTML and as Markdown, and in llms.txt', () => {
  const index = read('llms.txt')
  for (const { path, title } of pages) {
    expect(read(path.replace(/\.md$/, '.html'))).toContain('</html>')
    expect(read(path)).toContain(`# `)
    expect(index).toContain(`- [${title}](/${path})`)
  }
  expect(read('llms-full.txt')).toContain('<!-- /guide/concepts.md -->\n\n# Concepts')
})

test('no page has more than 1,000 lines', () => {
  const long = pages.filter(
    ({ path, markdown }) => /^(guide|reference)\//.test(path) && markdown.split('\n').length > 1_000,
  )
  expect(long.map(({ path }) => path)).toEqual([])
})

describe.skipIf(chromiumPath === undefined)('the site in Chromium', () => {
  let server: Server
  let browser: Browser
  let url: string
  /** The oracle to which the API reference sends requests. */
  const oracle = 'http://localhost:3000/'
  /** Errors of the console, and requests that leave the site. */
  const errors: string[] = []

  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage()
    page.on('pageerror', error => errors.push(`${page.url()}: ${error}`))
    page.on('console', message => message.type() === 'error' && errors.push(`${page.url()}: ${message.text()}`))
    page.on('request', request => {
      if (![url, oracle, 'data:'].some(start => request.url().startsWith(start))) errors.push(request.url())
    })
    return page
  }
  const html = (path: string) => `${url}/${path.replace(/\.md$/, '.html')}`

  beforeAll(async () => {
    server = await serveSite(siteFolder, 0)
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    // One process has the network and graphics too, which saves processor time.
    const args = [
      '--no-sandbox',
      '--disable-background-networking',
      '--in-process-gpu',
      '--enable-features=NetworkServiceInProcess2',
    ]
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args })
  }, limit)
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  test('search finds a page', async () => {
    const page = await open()
    await page.goto(`${url}/`)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('require approval')
    await page.getByRole('option').filter({ hasText: 'Cookbook' }).first().click()
    await page.waitForURL('**/guide/cookbook.html#require-approval')
    await page.context().close()
  })

  test('dark mode is switched on, and stays on', async () => {
    const page = await open({ colorScheme: 'light' })
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.goto(html('guide/concepts.md'))
    const light = await background()
    await page.locator('.VPNavBar').getByRole('switch').click()
    await expect.poll(background).not.toBe(light)
    const dark = await background()
    await page.reload()
    await expect.poll(background).toBe(dark)
    await page.context().close()
  })

  const phone = { width: 360, height: 740 }

  test('one page of each folder loads on a phone without an error', { timeout: limit }, async () => {
    const page = await open({ viewport: phone })
    // The READMEs of the packages count as one folder.
    const folderOf = (path: string) => (path.startsWith('packages/') ? 'packages' : dirname(path))
    for (const path of new Map(pages.map(({ path }) => [folderOf(path), path])).values()) {
      await page.goto(html(path))
      await page.locator('h1').first().waitFor()
    }
    await page.context().close()
  })

  test('every page fits a phone', { timeout: limit }, async () => {
    const page = await open({ viewport: phone })
    await page.goto(html('guide/index.md'))
    // All pages have one stylesheet: to exchange the body takes a tenth of the time of a visit.
    const wide = await page.evaluate(
      async paths => {
        const found: string[] = []
        for (const path of paths) {
          const text = await (await fetch(path)).text()
          document.body = new DOMParser().parseFromString(text, 'text/html').body
          if (!document.querySelector('h1')) found.push(`${path} has no heading`)
          const beyond = document.documentElement.scrollWidth - window.innerWidth
          if (beyond > 0) found.push(`${path} by ${beyond}`)
        }
        return found
      },
      pages.map(({ path }) => `/${path.replace(/\.md$/, '.html')}`),
    )
    expect(wide).toEqual([])
    await page.context().close()
  })

  test('the sidebar leads to every page', async () => {
    const page = await open()
    await page.goto(html('guide/index.md'))
    const links = await page
      .locator('.VPSidebar a')
      .evaluateAll(all => all.map(link => new URL((link as HTMLAnchorElement).href).pathname))
    const shown = new Set(links.map(link => link.replace(/\/$/, '/index.html')))
    expect(pages.map(({ path }) => `/${path.replace(/\.md$/, '.html')}`).filter(path => !shown.has(path))).toEqual([])
    await page.context().close()
  })

  test('the API reference sends a request to the oracle of the reader', async () => {
    const page = await open()
    const headers = { 'access-control-allow-origin': url }
    await page.route(`${oracle}**`, route => route.fulfill({ headers, json: { name: 'Oracle of the test' } }))
    await page.goto(html('reference/api.md'))
    await page.locator('#operations-tag-Oracle').click({ timeout: 90_000 })
    await page.getByText('/.well-known/oracle.json').first().click()
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.getByText('Oracle of the test').first().waitFor()
    await page.context().close()
  })

  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

  /** Returns the violations that axe-core finds. @param rules Rules to check, all by default. @param isBeside Skips the sidebar. */
  const violationsIn = (page: Page, rules: readonly string[] | undefined, isBeside: boolean) =>
    page.evaluate(
      async ([only, exclude]) => {
        const { axe } = globalThis as unknown as {
          axe: {
            run(
              context: object,
              options: object,
            ): Promise<{
              violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
            }>
          }
        }
        const options = { resultTypes: ['violations'], ...(only ? { runOnly: only } : {}) }
        return (await axe.run({ exclude }, options)).violations.map(({ id, nodes }) => [
          id,
          nodes.length,
          nodes[0]?.html.slice(0, 200),
          nodes[0]?.failureSummary,
        ])
      },
      [rules, isBeside ? ['.VPSidebar'] : []] as const,
    )

  test.each([
    ['index.md', false],
    ['guide/concepts.md', false],
    // Its sidebar is that of the page before.
    ['reference/http/chat.md', true],
  ])('axe-core finds no violation in %s, and none of contrast in the dark', async (path, isBeside) => {
    const page = await open({ colorScheme: 'light' })
    await page.goto(html(path))
    await page.locator('h1').first().waitFor()
    await page.evaluate(axe)
    expect(await violationsIn(page, undefined, isBeside)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark').waitFor()
    expect(await violationsIn(page, ['color-contrast'], isBeside)).toEqual([])
    await page.context().close()
  })

  test('no page caused an error or a request to another server', () => {
    expect(errors).toEqual([])
  })
})
