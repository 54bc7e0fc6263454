import { appendFileSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reservePort } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { fakePackages } from '../../scaffold/packages/fake-packages.test.helper.ts'
import { chromiumPath, launchBrowser } from '../../signing/phone-browser.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { startDev } from '../dev/dev-process.test.helper.ts'

const checkout = fileURLToPath(new URL('../../../../../', import.meta.url))

/** A project made by `sibyl new`, with the packages of this checkout. */
const newProject = async () => {
  const root = await mkdtemp(join(tmpdir(), 'sibyl first day-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const packages = await fakePackages(join(root, 'packages'))
  const project = join(root, 'field')
  const home = join(root, 'home')
  const sibyl = async (args: readonly string[], cwd: string) => {
    const terminal = new FakeTerminal({ SIBYL_HOME: home, SIBYL_PACKAGES: packages }, false, 80, cwd)
    expect(await run(args, terminal.io), terminal.errors).toBe(0)
    return terminal.text
  }
  await sibyl(['new', 'field', '--yes', '--no-register', '--no-git', '--template', 'weather', '--name', 'Field'], root)
  symlinkSync(join(checkout, 'templates/weather/node_modules'), join(project, 'node_modules'))
  appendFileSync(join(project, '.env'), `\nPORT=${await reservePort()}\n`)
  return { project, home, sibyl: (...args: string[]) => sibyl(args, project) }
}

test.skipIf(chromiumPath === undefined)(
  'a newcomer makes a project, opens its console, asks, and sees the first plugin',
  async () => {
    const { project, home, sibyl } = await newProject()
    const dev = startDev(project, ['--json'], { SIBYL_HOME: home })
    expect((await dev.next()).type).toBe('started')
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)

    const { address, signedIn } = JSON.parse(await sibyl('console', '--json')) as Record<string, string>
    expect(signedIn).toBe(true)
    await page.goto(address ?? '')
    await page.getByRole('button', { name: 'Sign in with the code' }).click()
    await page.getByRole('heading', { name: 'Welcome to Field' }).waitFor()
    await page.getByRole('link', { name: 'Operations' }).waitFor()
    await page.getByRole('button', { name: 'What can you do?' }).click()
    await page.getByRole('log').getByText('weather').first().waitFor()

    await sibyl('plugin', 'new', 'tides')
    while ((await dev.next()).type !== 'reloaded');
    await page.getByRole('link', { name: 'Operations' }).click()
    await page.reload()
    await page.getByRole('cell', { name: /^Tides/ }).waitFor()
  },
)
