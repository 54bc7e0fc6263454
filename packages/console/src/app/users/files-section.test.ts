import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { files } from '@sibyl/plugin-files'
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'

describe.skipIf(chromiumPath === undefined)('files in Chromium', () => {
  const { startOracle, open } = useConsole()

  test('a user stores, finds, downloads, replaces, deletes and restores a file', async () => {
    const env = { FILES_DIR: await mkdtemp(join(tmpdir(), 'sibyl-files-')), FILES_QUOTA_MB: '1' }
    const oracle = await startOracle({ plugins: [files()], env })
    const { page, audit, auditEverywhere, speak, faults } = await open(oracle, { path: '/users/mine' })
    const section = page.getByRole('region', { name: 'Files', exact: true })
    await section.getByText('No files yet').waitFor()
    const store = async (name: string, content: string) => {
      const chooser = page.waitForEvent('filechooser')
      await section.getByRole('button', { name: 'Store files' }).click()
      await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
    }
    await store('stoves.txt', 'eleven stoves')
    const list = section.getByRole('region', { name: 'Files: list' })
    await list.getByText('stoves.txt').waitFor()
    await store('report.txt', 'a report about pumps')
    await list.getByText('report.txt').waitFor()
    await section.getByRole('searchbox').fill('pumps')
    await list.getByText('stoves.txt').waitFor({ state: 'detached' })
    await section.getByRole('searchbox').fill('')
    const download = page.waitForEvent('download')
    await list.getByRole('button', { name: 'Download stoves.txt' }).click()
    expect(await text(await (await download).createReadStream())).toBe('eleven stoves')
    await store('stoves.txt', 'twelve stoves')
    const old = section.getByRole('region', { name: 'Deleted and earlier files' })
    await old.getByText('replaced').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringContaining('428')])
    await list.getByRole('button', { name: 'Delete report.txt' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete report.txt' }).click()
    await old.getByText('report.txt').waitFor()
    await auditEverywhere('files', () => old.getByText('report.txt').waitFor())
    await old.getByRole('button', { name: 'Restore report.txt' }).click()
    await list.getByText('report.txt').waitFor()
    await store('large.txt', 'x'.repeat(1_100_000))
    await section.getByRole('alert').waitFor()
    expect(faults.splice(0)).toHaveLength(1)
    await page.setViewportSize({ width: 360, height: 800 })
    for (const language of ['fr', 'sw'] as const) {
      await speak(language)
      await audit()
    }
  })
})
