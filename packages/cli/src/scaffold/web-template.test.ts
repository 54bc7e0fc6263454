/** @module-tag long */
import { spawn } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import { createSigningKey, mintDelegation, parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { reservePort, startFakeOpenAi } from '@sibyl/testing'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { FakeTerminal } from '../commands/chat/terminal.test.helper.ts'
import { run } from '../main.ts'
import { chromiumPath } from '../signing/phone-browser.test.helper.ts'
import { fakePackages } from './packages/fake-packages.test.helper.ts'

const checkout = fileURLToPath(new URL('../../../../', import.meta.url))
const bin = join(checkout, 'packages/cli/src/bin.ts')
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Folder for screenshots, for developers who want to see the page. */
const pictures = process.env.WEB_TEMPLATE_PICTURES

describe.skipIf(chromiumPath === undefined)('the page of a project made with --template web', () => {
  let root: string
  let project: string
  let browser: Browser
  let developed: Promise<string>
  const cleanups: (() => unknown)[] = []

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sibyl web ü-'))
    project = join(root, 'field')
    await makeProject()
    developed = serve([bin, 'dev'])
    browser = await chromium.launch({
      executablePath: chromiumPath ?? '',
      args: ['--no-sandbox', '--disable-background-networking'],
    })
  })
  afterAll(async () => {
    await browser?.close()
    for (const clean of cleanups.reverse()) await clean()
    await rm(root, { recursive: true, force: true })
  })

  /** Runs `sibyl new`, with the packages of this checkout instead of installed ones, and the script `page`. */
  const makeProject = async () => {
    const packages = await fakePackages(join(root, 'packages'))
    const env = { SIBYL_HOME: join(root, 'home'), SIBYL_PACKAGES: packages }
    const terminal = new FakeTerminal(env, false, 80, root)
    const made = ['new', 'field', '--yes', '--no-register', '--no-git', '--template', 'web', '--name', 'Field Oracle']
    expect(await run(made, terminal.io), terminal.errors).toBe(0)
    symlinkSync(join(checkout, 'templates/web/node_modules'), join(project, 'node_modules'))
    const vite = createRequire(join(checkout, 'templates/web/package.json')).resolve('vite')
    const { build } = await import(pathToFileURL(vite.replace(/index\.cjs$/, 'dist/node/index.js')).href)
    await build({
      root: join(project, 'web'),
      logLevel: 'error',
      resolve: { conditions: ['sibyl-source', 'module', 'browser', 'production'] },
    })
  }

  /** Runs the oracle of the project until the test file ends. */
  const serve = async (command: readonly string[], variables: Record<string, string> = {}) => {
    const port = await reservePort()
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const data = await mkdtemp(join(root, 'data-'))
    let output = ''
    const child = spawn(process.execPath, ['--conditions=sibyl-source', ...command], {
      cwd: project,
      env: {
        ...{ PATH, NODE_COMPILE_CACHE, SIBYL_HOME: join(root, 'home'), PORT: String(port) },
        ...{ DATABASE_URL: `file:${join(data, 'sibyl.db')}`, FILES_DIR: join(data, 'files') },
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        output += text
      })
    }
    cleanups.push(async () => {
      child.kill('SIGTERM')
      await ended
    })
    const url = `http://localhost:${port}`
    const isHealthy = () =>
      fetch(`${url}/health`)
        .then(({ ok }) => ok)
        .catch(() => false)
    const crashed = ended.then(() => Promise.reject(new Error(output)))
    await Promise.race([vi.waitUntil(isHealthy, { timeout: 90_000, interval: 100 }), crashed])
    return url
  }

  /** Opens the browser of a user, and collects the errors of its pages. */
  const openBrowser = async (url: string, options: Parameters<Browser['newContext']>[0] = {}) => {
    const context = await browser.newContext({ acceptDownloads: true, ...options })
    const errors: string[] = []
    const tab = async (address = '/app') => {
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      page.on('pageerror', error => errors.push(String(error.stack ?? error)))
      page.on('console', line => line.type() === 'error' && errors.push(line.text()))
      page.on('request', request => {
        if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) errors.push(request.url())
      })
      await page.goto(url + address)
      return page
    }
    onTestFinished(() => context.close())
    return { context, faults: errors, tab }
  }

  const send = async (page: Page, text: string) => {
    // A message is sent once the answer before it has ended.
    await page.locator('[role=log][aria-busy=false]').waitFor()
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  const answer = (page: Page, text: string) => page.locator('.text').getByText(text).last().waitFor()
  const expectAccessible = async (page: Page, name: string) => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
    // In addition to the page's own policy, which does not allow the scripts of a test.
    await page.evaluate(readFileSync(axe, 'utf8'))
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
      return (await axe.run()).violations.map(({ id, ...rest }) => `${id} ${JSON.stringify(rest)}`)
    })
    expect(violations, name).toEqual([])
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(isWider, `${name} is wider than the screen`).toBe(false)
  }

  test('chats, shows files and history, and asks before a tool writes, with sibyl dev', async () => {
    const url = await developed
    const { faults, tab } = await openBrowser(url)
    const page = await tab()
    await page.getByText('Ask a question, or attach a file.').waitFor()
    expect(await page.title()).toBe('Field Oracle')
    await expectAccessible(page, 'empty')

    await page.getByRole('button', { name: 'What can you do?' }).click()
    await answer(page, 'I am the offline model')

    await page.getByLabel('Files').setInputFiles({
      name: 'grüße.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('Ada drinks oolong'),
    })
    await page.getByRole('button', { name: 'Remove grüße.md' }).waitFor()
    await send(page, 'Search my files for oolong')
    await answer(page, 'Matching files:')
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'grüße.md' }).click(),
    ])
    expect([saved.suggestedFilename(), await readFile(await saved.path(), 'utf8')]).toEqual([
      'grüße.md',
      'Ada drinks oolong',
    ])

    await send(page, 'Write the file notes/tea.md with the text Ada drinks oolong')
    await answer(page, 'Wrote notes/tea.md')
    for (const decision of ['Deny', 'Allow']) {
      await send(page, 'Write the file notes/tea.md with the text Ada drinks sencha')
      await page.getByRole('region', { name: 'Approval' }).getByText('Overwrite notes/tea.md').waitFor()
      if (decision === 'Deny') await expectAccessible(page, 'approval')
      await page.getByRole('button', { name: decision }).click()
      if (decision === 'Deny') await answer(page, 'Nothing was written')
    }
    await answer(page, 'Overwrote notes/tea.md')

    // The address names the conversation, which a reload shows again.
    const address = page.url()
    await page.reload()
    await answer(page, 'Overwrote notes/tea.md')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.getByText('Ask a question, or attach a file.').waitFor()
    const navigation = page.getByRole('navigation', { name: 'Conversations' })
    await navigation.getByRole('link', { name: 'What can you do?' }).click()
    await answer(page, 'Overwrote notes/tea.md')
    expect(page.url()).toBe(address)

    // Another tab is the same user.
    const other = await tab()
    await other.getByRole('navigation').getByRole('link', { name: 'What can you do?' }).waitFor()
    await navigation.getByRole('button', { name: 'Delete What can you do?' }).click()
    await navigation.getByText('None yet.').waitFor()
    expect(faults.filter(error => !error.includes('404'))).toEqual([])
  })

  test('stops a turn, and reports a failed one', { tags: 'long' }, async () => {
    const replies = [
      { text: 'word '.repeat(500), eventDelayMs: 100 },
      { status: 400, error: { message: 'No.' } },
    ]
    const openai = await startFakeOpenAi({ replies })
    onTestFinished(() => openai.close())
    const url = await serve(['src/main.ts'], { OPENAI_BASE_URL: openai.url, OPENAI_API_KEY: 'key-of-the-test' })
    const { tab } = await openBrowser(url)
    const page = await tab()
    await send(page, 'Say a word often')
    await answer(page, 'word word')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()
    expect(await openai.requests[0]?.ended).toBe('aborted')
    await send(page, 'Again')
    await page.getByRole('alert').waitFor()
    await expectAccessible(page, 'failed')
    await page.getByRole('button', { name: 'Send' }).waitFor()
  })

  test('works by keyboard and at 360 points, light and dark, in production, once the user has a grant', {
    tags: 'long',
  }, async () => {
    const controller = createSigningKey()
    const url = await serve(['src/main.ts'], {
      ...{ NODE_ENV: 'production', LLM_PROVIDER: 'offline', ORACLE_CONTROLLERS: controller.did },
    })
    const oracle = await signingKey()
    const grantFor = (did: string, now = Date.now()) =>
      mintDelegation({
        ...{ key: controller, audience: did, resource: `oracle:${oracle.did}`, now: () => now },
        ...{ abilities: ['chat/*', 'session/*', 'files/*'], lifetimeSeconds: 3_600 },
      })
    const phone = await openBrowser(url, { viewport: { width: 360, height: 740 } })
    const page = await phone.tab()
    const expectBothAccessible = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page, `${name}-${colorScheme}`)
      }
    }
    await page.getByRole('heading', { name: 'You need access' }).waitFor()
    await expectBothAccessible('access')
    const did = (await page.getByText(/^sibyl token grant/).textContent())?.split(' ').at(-1) ?? ''

    // A grant of yesterday.
    await page.getByLabel('Grant').fill(await grantFor(did, Date.now() - 86_400_000))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Your access has ended' }).waitFor()

    await page.getByLabel('Grant').fill(await grantFor(did))
    await page.getByLabel('Grant').press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Ask a question, or attach a file.').waitFor()
    await send(page, 'What can you do?')
    await answer(page, 'I am the offline model')
    await expectBothAccessible('answer')
    await page.getByRole('button', { name: 'Conversations' }).press('Enter')
    await page.getByRole('link', { name: 'What can you do?' }).waitFor()
    await expectBothAccessible('list')
  })

  test('offers a new key when the browser has lost the old one', { tags: 'long' }, async () => {
    const url = await developed
    const { tab, context } = await openBrowser(url)
    const page = await tab()
    await page.getByText('Ask a question, or attach a file.').waitFor()
    const did = await page.locator('.did').getAttribute('title')
    await loseKey(context, url)
    await send(page, 'What can you do?')
    await page.getByRole('heading', { name: 'Your key is gone' }).waitFor()
    await expectAccessible(page, 'key-lost')
    await page.getByRole('button', { name: 'Start with a new key' }).click()
    await page.getByText('Ask a question, or attach a file.').waitFor()
    expect(await page.locator('.did').getAttribute('title')).not.toBe(did)
  })

  const signingKey = async () => {
    const { ORACLE_MNEMONIC = '' } = parseEnv(await readFile(join(project, '.env'), 'utf8'))
    const parsed = parseMnemonic(ORACLE_MNEMONIC)
    if (!parsed.ok) throw new Error(parsed.message)
    return signingKeyFromMnemonic(parsed.mnemonic)
  }
})

const loseKey = async (context: BrowserContext, url: string) => {
  const page = await context.newPage()
  await page.goto(`${url}/app`)
  await page.evaluate(
    () =>
      new Promise<void>(resolve => {
        indexedDB.deleteDatabase('sibyl-keys').onsuccess = () => resolve()
      }),
  )
  await page.close()
}
