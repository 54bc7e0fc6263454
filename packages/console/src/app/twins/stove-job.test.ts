/** @module-tag long */
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'
import { countClicks } from '../../testing/count-clicks.test.support.ts'
import { startProgramme } from './twins.test.support.ts'

describe.skipIf(chromiumPath === undefined)('daily jobs of a programme, by mouse', () => {
  const { startOracle, open } = useConsole()

  test('a stove is registered, claimed and approved, and its credential shown for a scan, in eight clicks', async () => {
    const { oracle } = await startProgramme(startOracle)
    const { page, audit, picture } = await open(oracle)
    const clicks = await countClicks(page)
    await page.getByRole('link', { name: 'Twins' }).click()
    await page.getByRole('button', { name: 'Register an entity' }).click()
    const form = page.getByRole('dialog', { name: 'Register an entity' })
    await form.getByLabel('serial').fill('D-1')
    await form.getByLabel('name', { exact: true }).fill('Stove D-1')
    await form.getByLabel('Type').fill('CookStove')
    await form.getByRole('button', { name: 'Register an entity' }).click()
    await page.getByRole('heading', { level: 1, name: 'Stove D-1' }).waitFor()
    await picture('stove-registered')
    await page.getByRole('button', { name: 'Submit a claim' }).click()
    const claim = page.getByRole('dialog', { name: 'Submit a claim' })
    await claim.getByLabel('week').fill('2026-W48')
    await claim.getByLabel('hours').fill('12')
    await claim.getByRole('button', { name: 'Submit a claim' }).click()
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByLabel('Reason').fill('The stove was used.')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    const credential = page.getByRole('dialog', { name: 'CleanCookingCredential', exact: true })
    await credential.getByRole('img', { name: 'QR code' }).waitFor()
    expect(await clicks()).toBeLessThanOrEqual(8)
    await audit()
    await picture('stove-credential')
  })
})
