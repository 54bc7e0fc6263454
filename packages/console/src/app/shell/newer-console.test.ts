import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createMnemonic } from '@sibyl/identity'
import { entities } from '@sibyl/plugin-entities'
import { weather } from '@sibyl/plugin-weather'
import { reservePort } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { appFiles } from '../../server/app-files.ts'
import { executablePath, startOracle, useConsoleTabs } from '../../testing/console.test.support.ts'
import { consoleOf } from '../../web-console.ts'

const buildScript = pathToFileURL(join(import.meta.dirname, '../../../../../scripts/build-console.mjs')).href

/** The place of an oracle that is started again: its folder, its port and its key. */
const placeOf = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-console-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: `file:${join(folder, 'oracle.db')}`, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  return { folder, again: { env, port: await reservePort() } }
}

describe.skipIf(executablePath === undefined)('a console of another version', () => {
  const open = useConsoleTabs()

  test('an open tab reports a newer console, and a reload keeps the draft', async () => {
    const { folder, again } = await placeOf()
    const { buildConsole } = (await import(buildScript)) as {
      buildConsole: (target: string, banner: string) => Promise<void>
    }
    const first = await startOracle(again)
    await buildConsole(join(folder, 'next'), '/* next */')
    const { page, audit, picture, faults } = await open(first, { path: '/chat' })
    const draft = page.getByRole('textbox', { name: 'Write a message' })
    await draft.fill('A question that is not finished')
    const buildOf = () => page.locator('meta[name=console-build]').getAttribute('content')
    const before = await buildOf()
    await first.app.close()
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByText('The view could not be loaded').waitFor()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.getByLabel('Search conversations').fill('rain')
    await page.getByText('The oracle does not respond').waitFor()
    await startOracle({ ...again, console: consoleOf(appFiles(join(folder, 'next'))) })
    await page.getByText('The oracle has a newer console').waitFor()
    expect(await draft.inputValue()).toBe('A question that is not finished')
    // The browser reports the requests without an answer.
    faults.length = 0
    await audit()
    await picture('newer-console')
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(buildOf).not.toBe(before)
    await draft.waitFor()
    expect(await draft.inputValue()).toBe('A question that is not finished')
    await page.getByText('The oracle has a newer console').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Operations' }).click()
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor()
    expect(faults).toEqual([])
  })

  test('a view whose routes the oracle does not have says so', async () => {
    const { again } = await placeOf()
    const first = await startOracle({ ...again, plugins: [entities()] })
    const { page, picture } = await open(first)
    await page.getByRole('link', { name: 'Twins' }).waitFor()
    await first.app.close()
    await startOracle({ ...again, plugins: [weather()] })
    await page.getByRole('link', { name: 'Twins' }).click()
    await page.getByText('The oracle is of another version than this console').waitFor()
    await page.getByText('route_not_found').waitFor()
    await picture('route-missing')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('The plugin entities is off').waitFor()
  })
})
