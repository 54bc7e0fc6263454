import { claims } from '@sibyl/plugin-claims'
import { credits } from '@sibyl/plugin-credits'
import { entities } from '@sibyl/plugin-entities'
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'
import { startProgramme } from '../twins/twins.test.support.ts'

describe.skipIf(chromiumPath === undefined)('the start page in Chromium', () => {
  const { startOracle, open } = useConsole()

  test('shows operators the spending and first steps that they can hide, and commands on request alone', async () => {
    const oracle = await startOracle({ plugins: [entities(), claims(), credits()] })
    const { page, auditEverywhere } = await open(oracle, { isForDevelopers: false })
    await page.getByRole('region', { name: 'Spending' }).getByText('0 credits in 7 days').waitFor()
    await page.getByText('First steps').waitFor()
    expect(await page.getByText(/npx sibyl|Addresses for clients/).count()).toBe(0)
    await auditEverywhere('home-operator')
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByText('First steps').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'For developers' }).click()
    await page.getByText('Addresses for clients').waitFor()
    await page.reload()
    await page.getByText('Addresses for clients').waitFor()
    expect(await page.getByText('First steps').count()).toBe(0)
    const user = await open(oracle, { scopes: ['chat/*', 'session/*'], isForDevelopers: false })
    await user.page.waitForURL(/\/console\/chat/)
    expect(await user.page.getByRole('link', { name: 'Start', exact: true }).count()).toBe(0)
    await user.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    await user.audit()
  })

  test('opens the queue of an evaluator for whom a claim waits, and otherwise the chat', { tags: 'long' }, async () => {
    const { oracle, claim, collection, stoves } = await startProgramme(startOracle)
    const scopes = ['chat/*', 'session/*', 'claims/*', 'entities/read']
    const before = await open(oracle, { scopes, isForDevelopers: false })
    await before.page.waitForURL(/\/console\/chat/)
    await claim({
      collection: collection.id,
      asset: stoves[0]?.did,
      type: 'usage',
      data: { week: '2026-W47', hours: 9 },
    })
    const { page } = await open(oracle, { scopes, isForDevelopers: false })
    await page.waitForURL(/\/console\/twins\/claims/)
    await page
      .getByRole('table')
      .getByRole('link', { name: /^usage/ })
      .waitFor()
    const alone = await open(oracle, { scopes: ['claims/read', 'claims/evaluate'], isForDevelopers: false })
    await alone.page.waitForURL(/\/console\/twins\/claims/)
  })
})
