import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'

describe.skipIf(chromiumPath === undefined)('the sign-in before the app is loaded', () => {
  const { startOracle, open } = useConsole()

  test('begins a sign-in and changes the language without the app, which then draws over it', async () => {
    const oracle = await startOracle()
    const { page, context, faults } = await open(oracle, { scopes: 'signed out' })
    await page.getByText('npx sibyl console').waitFor()
    const whole = await page.getByRole('heading', { level: 1 }).boundingBox()
    let release = () => {}
    const held = new Promise<void>(resolve => (release = resolve))
    await context.route(/\/first-[^/]*\.js/, async route => {
      await held
      await route.continue()
    })
    const { page: slow, audit, auditDarkAndPhone } = await open(oracle, { scopes: 'signed out', beside: context })
    await slow.getByRole('heading', { name: 'Sign in to Field Oracle' }).waitFor()
    expect(await slow.locator('#app').innerHTML()).toBe('')
    const early = await slow.getByRole('heading', { level: 1 }).boundingBox()
    expect([early?.x, early?.height]).toEqual([whole?.x, whole?.height])
    await audit()
    await auditDarkAndPhone('early-sign-in')
    await slow.getByRole('button', { name: 'Kiswahili' }).click()
    await slow.getByRole('button', { name: 'Ingia', exact: true }).waitFor()
    await slow.getByRole('button', { name: 'English' }).click()
    await slow.getByRole('button', { name: 'Sign in', exact: true }).click()
    await slow.waitForURL(/\/oauth\/sign-in\//)
    await slow.goto(`${oracle.url}/console`)
    await slow.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    release()
    await slow.getByText('npx sibyl console').waitFor()
    expect(await slow.locator('#first').isVisible()).toBe(false)
    expect(faults).toEqual([])
  })
})
