/** @module-tag long */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { createMnemonic } from '@sibyl/identity'
import { entities } from '@sibyl/plugin-entities'
import { weather } from '@sibyl/plugin-weather'
import { reservePort } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { appFiles, builtFolder } from '../../server/app-files.ts'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'
import { consoleOf } from '../../web-console.ts'

/** Writes a build whose scripts have other names, as those of another version have. */
const writeNextBuild = async (target: string) => {
  const folder = await builtFolder()
  const renamed = (text: string) => text.replaceAll(/-([\w-]{8})\.js/g, '-$1-next.js')
  await mkdir(target)
  for (const name of await readdir(folder)) {
    const content = await readFile(join(folder, name))
    const isScript = name.endsWith('.js.br')
    const next = isScript
      ? brotliCompressSync(renamed(brotliDecompressSync(content).toString()))
      : name === 'manifest.json'
        ? renamed(content.toString())
        : content
    await writeFile(join(target, renamed(name)), next)
  }
}

/** The place of an oracle that is started again: its folder, its port and its key. */
const placeOf = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-console-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: `file:${join(folder, 'oracle.db')}`, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  return { folder, again: { env, port: await reservePort() } }
}

describe.skipIf(chromiumPath === undefined)('a console of another version', () => {
  const { startOracle, open } = useConsole()

  test('an open tab reports a newer console, and a reload keeps the draft', async () => {
    const { folder, again } = await placeOf()
    const first = await startOracle(again)
    await writeNextBuild(join(folder, 'next'))
    const { page, audit, picture, faults } = await open(first, { path: '/chat' })
    const draft = page.getByRole('textbox', { name: 'Write a message' })
    await draft.fill('A question that is not finished')
    const buildOf = () => page.locator('meta[name=console-build]').getAttribute('content')
    const before = await buildOf()
    await first.app.close()
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByText('Loading the view failed').waitFor()
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
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByText('Addresses for clients').waitFor()
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
    await page.getByText('The oracle and this console have different versions').waitFor()
    await page.getByText('route_not_found').waitFor()
    await picture('route-missing')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('The plugin entities is off').waitFor()
  })
})
