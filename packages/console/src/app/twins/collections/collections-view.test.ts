import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from '../../../testing/console.test.support.ts'
import { startTwins, stoveProtocol } from '../twins.test.support.ts'

describe.skipIf(chromiumPath === undefined)('collections in Chromium', () => {
  const { startOracle, open } = useConsole()

  test('an operator creates a collection, closes it and opens it again', async () => {
    const { oracle, entity, call } = await startTwins(startOracle)
    const protocol = await entity(stoveProtocol)
    const { page, auditEverywhere, speak, audit } = await open(oracle, { path: '/twins/collections' })
    await page.getByText('No collections').waitFor()
    await audit()
    await page.getByRole('button', { name: 'Create a collection' }).click()
    const form = page.getByRole('dialog', { name: 'Create a collection' })
    await expect.poll(() => form.getByLabel('Protocol').first().inputValue()).toBe('Clean cooking')
    await form.getByLabel('Name').fill('Season 2027')
    await form.getByLabel('Evaluation').first().click()
    await page.getByRole('option', { name: 'By a person' }).click()
    await form.getByLabel('Evaluator').first().click()
    await page.getByRole('option', { name: 'Me' }).click()
    await form.getByLabel('In all').fill('500')
    await form.getByLabel('Closes on').fill('2030-06-30')
    await form.getByRole('button', { name: 'Create a collection' }).click()
    const row = page.getByRole('row', { name: 'Season 2027' })
    await row.getByText('0 of 500').waitFor()
    await row.getByText(/^until /).waitFor()
    const { collections } = await call<{ collections: readonly { readonly id: string }[] }>('GET', 'v1/collections')
    expect(collections).toMatchObject([
      { title: 'Season 2027', protocol: protocol.did, evaluation: 'person', quota: { all: 500 }, closed: false },
    ])
    await auditEverywhere('collections', () => row.waitFor())
    await page.setViewportSize({ width: 360, height: 800 })
    for (const [language, button] of [
      ['fr', 'Fermer'],
      ['sw', 'Funga'],
    ] as const) {
      await speak(language)
      await row.getByRole('button', { name: button }).waitFor()
      await audit()
    }
    await speak('en')
    await row.getByRole('button', { name: 'Close' }).click()
    await row.getByText('closed').waitFor()
    await row.getByRole('button', { name: 'Open' }).click()
    await row.getByText('open', { exact: true }).waitFor()
  })

  test('a user without the right of an operator reads collections and sees no form', { tags: 'long' }, async () => {
    const { oracle, collection } = await startTwins(startOracle)
    await collection({ title: 'Season 2026', evaluation: 'person' })
    const { page } = await open(oracle, { path: '/twins/collections', scopes: ['claims/*', 'session/read'] })
    await page.getByRole('row', { name: 'Season 2026' }).waitFor()
    expect(await page.getByRole('button', { name: /Create|Close/ }).count()).toBe(0)
  })
})
