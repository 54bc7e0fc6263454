import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '@sibyl/plugin-files'
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from '../../../testing/console.test.support.ts'
import { startTwins } from '../twins.test.support.ts'

/** A PNG of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(chromiumPath === undefined)('photos of claims in Chromium', () => {
  const { startOracle, open } = useConsole()

  test('a submitted photo is stored, and drawn for who reads the claim', async () => {
    const env = { FILES_DIR: await mkdtemp(join(tmpdir(), 'sibyl-photos-')) }
    const { oracle, entity, collection } = await startTwins(startOracle, env, [files()])
    await collection({ title: 'Season 2026', evaluation: 'person', submitters: 'anyone' })
    const stove = await entity({ type: 'CookStove', alsoKnownAs: ['Stove D-1'] })
    const { page, auditEverywhere } = await open(oracle, { path: `/twins/entities/${encodeURIComponent(stove.did)}` })
    await page.getByRole('button', { name: 'Submit a claim' }).click()
    const form = page.getByRole('dialog')
    const chooser = page.waitForEvent('filechooser')
    await form.getByLabel('Files as evidence').first().click()
    await (await chooser).setFiles({ name: 'stove.png', mimeType: 'image/png', buffer: picture })
    await form.getByText('readers of the claim see them').waitFor()
    await form.getByLabel('Data').first().fill('{"hours": 4}')
    await form.getByRole('button', { name: 'Submit a claim' }).click()
    const drawn = page.getByRole('img', { name: 'stove.png' })
    await drawn.waitFor()
    await expect.poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
    expect(await page.getByText('/files/content').count()).toBe(0)
    await auditEverywhere('claim-photo', () => drawn.waitFor())
  })
})
