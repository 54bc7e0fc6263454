/** @module-tag long */
import { extendFlow, ussd } from '@sibyl/plugin-ussd'
import { sendUssd, type UssdDialogue } from '@sibyl/plugin-ussd/testing'
import { describe, expect, test } from 'vitest'
import { type ConsoleOracle, chromiumPath, useConsole } from '../../../testing/console.test.support.ts'

const env = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) }

const hostile = '<img src=x onerror="document.title=1"> {{count}} $1'

/** Ends some calls at several screens, and waits until their counts are stored. */
const callSome = async (oracle: ConsoleOracle): Promise<void> => {
  const call = () => sendUssd(oracle.url)
  const exit = async (dialogue: Promise<UssdDialogue>) => (await dialogue).answer('*')
  await call()
  await exit(call())
  await exit((await call()).answer('1'))
  await exit((await call()).answer('1', '2'))
  await exit((await call()).answer('2', '1'))
  for (let index = 0; index < 3; index += 1) await exit((await call()).answer('2', '2'))
  const shown = async () => {
    const answered = await oracle.operator('/api/ussd/flow/counts')
    const { screens } = (await answered.json()) as { screens: { screen: string; entered: number }[] }
    return screens.find(({ screen }) => screen === 'preMenu')?.entered
  }
  await expect.poll(shown, { interval: 500 }).toBe(8)
}

describe.skipIf(chromiumPath === undefined)('the flow in Chromium', () => {
  const { startOracle, open, share } = useConsole()
  const shared = share(async () => {
    const oracle = await startOracle({ plugins: [ussd()], env })
    return { oracle, ...(await open(oracle)) }
  })

  test('days without sessions, and invalid days, say so', async () => {
    const { page, visit, audit } = shared()
    await visit('/phone/flow')
    await page.getByText('No sessions in this period.').waitFor()
    await audit()
    await page.getByLabel('From', { exact: true }).fill('2026-12-31')
    await page.getByLabel('To', { exact: true }).fill('2026-01-01')
    await page.getByText('The first day must be before the last.').waitFor()
    await page.getByRole('button', { name: '30 days' }).click()
    await page.getByText('No sessions in this period.').waitFor()
    await page.getByRole('link', { name: 'Dial on the phone' }).click()
    await page.getByRole('button', { name: 'Dial', exact: true }).waitFor()
  })

  test('a graph and a table show the menus, and where sessions stop', async () => {
    const { oracle, page, visit, audit, auditEverywhere, picture } = shared()
    await callSome(oracle)
    await visit('/phone/flow')
    await page.reload()
    const graph = page.getByRole('region', { name: 'Graph of the menus' })
    const start = graph.locator('.react-flow__node', { hasText: 'Welcome to Field Oracle' })
    await start.getByText('shown 8 times · 1 (12.5%)').waitFor()
    const name = graph.locator('.react-flow__node', { hasText: 'Enter your name' })
    await name.getByText('shown 3 times · 3 (100%)').waitFor()
    expect(await name.locator('[data-heat="4"]').count()).toBe(1)
    expect(await start.locator('[data-heat="2"]').count()).toBe(1)
    await auditEverywhere('flow')
    await page.getByText('Table', { exact: true }).click()
    const table = page.getByRole('region', { name: 'Screens and where sessions stop' })
    const first = table.getByRole('row').nth(1)
    await first.getByText('Enter your name').waitFor()
    await first.getByText('100%').waitFor()
    await first.getByRole('button', { name: 'Enter your name' }).focus()
    await page.keyboard.press('Enter')
    const details = page.getByRole('region', { name: 'Selected screen' })
    await details.getByText('Question', { exact: false }).first().waitFor()
    await auditEverywhere('flow-table')
    await page.getByText('Graph', { exact: true }).click()
    await page.getByLabel('Show', { exact: true }).selectOption('timeOuts')
    await start.getByText('shown 8 times', { exact: true }).waitFor()
    await page.getByLabel('Language', { exact: true }).selectOption('sw')
    await graph.getByText('Karibu Field Oracle').waitFor()
    await graph.locator('.react-flow__node', { hasText: 'Karibu' }).click()
    await details.getByText('Karibu Field Oracle').first().waitFor()
    expect(await details.getByRole('button').count()).toBe(3)
    await audit()
    await picture('flow-details')
  })

  test('fits a narrow screen in French', async () => {
    const { page, visit, speak, audit, picture } = shared()
    await speak('fr')
    await visit('/phone/flow')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByText('Bienvenue', { exact: false }).first().waitFor()
    await audit()
    await picture('flow-fr-360')
  })

  test('hostile texts of a flow are shown as text', async () => {
    const oracle = await startOracle({
      plugins: [
        ussd({
          flow: (_, bundled) =>
            extendFlow(bundled(), {
              options: { preMenu: [{ label: hostile, to: 'odd' }] },
              screens: { odd: { kind: 'message', text: hostile } },
              values: { count: { longest: 5 } },
            }),
        }),
      ],
      env,
    })
    const { page, audit } = await open(oracle, { path: '/phone/flow' })
    await page.getByRole('button', { name: 'Show everything' }).click()
    await page.locator('.react-flow__node', { hasText: '<img src=x' }).first().click()
    await page
      .getByRole('region', { name: 'Selected screen' })
      .getByText('<img src=x', { exact: false })
      .first()
      .waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.title()).toContain('Where callers stop')
    await audit()
  })
})
