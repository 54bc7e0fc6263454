/** @module-tag long */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { chromiumPath, useConsole } from '../../../testing/console.test.support.ts'
import { startTwins } from '../twins.test.support.ts'

/** A service that rejects each delivery. */
const startReceiver = async () => {
  const types: unknown[] = []
  const server = createServer(async (request, response) => {
    types.push(((await json(request)) as { type: unknown }).type)
    response.writeHead(500).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, types }
}

describe.skipIf(chromiumPath === undefined)('webhooks in Chromium', () => {
  const { startOracle, open } = useConsole()

  test('a user adds a webhook, sees its secret once and why it is retried, and deletes it', async () => {
    const { oracle, entity } = await startTwins(startOracle, { ENTITIES_WEBHOOK_PRIVATE: 'on' })
    const receiver = await startReceiver()
    const { page, visit, auditEverywhere, speak, audit, faults } = await open(oracle, { path: '/twins/webhooks' })
    await page.getByText('No service is informed of changes.').waitFor()
    await audit()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const form = page.getByRole('dialog', { name: 'Add a webhook' })
    const add = form.getByRole('button', { name: 'Add a webhook' })
    await form.getByLabel('Address').fill('ftp://files.example.org')
    await form.getByLabel('Type').fill('CookStove')
    await add.click()
    await form.getByRole('alert').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringContaining('422')])
    await form.getByLabel('Address').fill(receiver.url)
    await add.click()
    const dialog = page.getByRole('dialog', { name: 'Secret of the webhook' })
    await dialog.getByText(/^whsec_/).waitFor()
    await page.keyboard.press('Escape')
    const row = page.getByRole('row', { name: receiver.url })
    await row.getByText('active').waitFor()
    await row.getByText('CookStove').waitFor()
    await entity({ type: 'CookStove', alsoKnownAs: ['Stove D-1'] })
    await expect.poll(() => receiver.types).toContain('entity.created')
    await visit('/twins/protocols')
    await visit('/twins/webhooks')
    await row.getByText('is retried').waitFor()
    await row.getByText('The receiver answered 500.').waitFor()
    expect(await page.getByText(/whsec_/).count()).toBe(0)
    await auditEverywhere('webhooks', () => row.waitFor())
    await page.setViewportSize({ width: 360, height: 800 })
    for (const [language, button] of [
      ['fr', 'Supprimer'],
      ['sw', 'Futa'],
    ] as const) {
      await speak(language)
      await row.getByRole('button', { name: button }).waitFor()
      await audit()
    }
    await speak('en')
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No service is informed of changes.').waitFor()
  })

  test('a reader sees no button that adds or deletes', async () => {
    const { oracle } = await startTwins(startOracle)
    const { page } = await open(oracle, { path: '/twins/webhooks', scopes: ['entities/read', 'session/read'] })
    await page.getByText('No service is informed of changes.').waitFor()
    expect(await page.getByRole('button', { name: 'Add a webhook' }).count()).toBe(0)
  })
})
