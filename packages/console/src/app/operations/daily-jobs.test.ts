import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, defineTool, type OraclePlugin } from '@sibyl/plugin'
import { credits } from '@sibyl/plugin-credits'
import { sms } from '@sibyl/plugin-sms'
import { smsSender } from '@sibyl/protocol'
import { scriptedModel, testActor } from '@sibyl/testing'
import type { Route } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'
import { countClicks } from '../../testing/count-clicks.test.support.ts'

/** The most clicks of a daily job. */
const maxClicks = 8

/** A gateway of SMS that rejects messages until it is repaired. */
const brokenGateway = async () => {
  const gateway = { status: 400, sent: 0 }
  const server = createServer((_, response) => {
    if (gateway.status === 202) gateway.sent += 1
    response.writeHead(gateway.status).end(gateway.status === 202 ? '0: Accepted for delivery' : 'Sender missing')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const env = {
    SMS_PROVIDER: 'kannel',
    KANNEL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    KANNEL_USERNAME: 'sibyl',
    KANNEL_PASSWORD: 'kannel-password',
    SMS_INBOUND_SECRET: 'secret-of-the-calls-01',
  }
  return { gateway, env }
}

/** A plugin with a tool that fails, and the sender of SMS. */
const shop = () => {
  const made = Promise.withResolvers<(key: string) => Promise<unknown>>()
  const plugin: OraclePlugin = definePlugin({
    name: 'shop',
    version: '1.0.0',
    core: '^0.1.0',
    uses: ['sms'],
    manifest: { title: 'Shop', summary: 'Sells things.', whenToUse: ['someone buys'], load: 'always' },
    setup(host) {
      made.resolve(async key =>
        host
          .optionalService(smsSender)
          ?.send({ to: '+260971234567', text: 'The stove is <b>ready</b>.', idempotencyKey: key }),
      )
      const open_till = defineTool({
        description: 'Opens the till.',
        input: z.object({}),
        effect: 'read',
        execute: async () => {
          throw new Error('the drawer of till 9 is jammed')
        },
      })
      return { tools: { open_till } }
    },
  })
  return { plugin, send: made.promise }
}

describe.skipIf(chromiumPath === undefined)('daily jobs of an operator, by mouse', () => {
  const { startOracle, open } = useConsole()

  test('counts of failures lead to a failed SMS, its reason and its retry, and to the failed tool of another user', async () => {
    const { gateway, env } = await brokenGateway()
    const { plugin, send } = shop()
    const oracle = await startOracle({
      plugins: [sms(), plugin],
      env: { ...env, TRACES_KEEP_DAYS: '7' },
      model: scriptedModel([[{ tool: 'open_till', id: 'c1' }], 'The till is jammed.']),
    })
    await (await send)('one')
    const outboxes = async () => (await oracle.operator('/operator/outboxes')).text()
    await expect.poll(outboxes).toContain('"dead":1')
    const mwila = testActor(oracle.app)
    const turn = await mwila.request('/chat', { json: { message: 'The drawer of the till, please' } })
    expect(await turn.text()).toContain('jammed')
    const { page, audit, auditEverywhere } = await open(oracle)

    const clicks = await countClicks(page)
    await page.getByRole('link', { name: '1 delivery given up' }).click()
    await page.getByText('The stove is <b>ready</b>.').waitFor()
    await page
      .getByText(/answered 400/)
      .first()
      .waitFor()
    expect(await page.content()).not.toContain('260971234567')
    await auditEverywhere('sms-outbox')
    gateway.status = 202
    await page.getByRole('button', { name: 'Retry all' }).click()
    await page.getByText('1 delivery is retried.').waitFor()
    await expect.poll(() => gateway.sent).toBe(1)
    await page.getByText('No SMS in this state').waitFor()
    expect(await clicks()).toBeLessThanOrEqual(maxClicks)

    await page.getByRole('link', { name: 'Start', exact: true }).click()
    await page.getByText('Addresses for clients').waitFor()
    const more = await countClicks(page)
    await page.getByRole('link', { name: 'Operations' }).click()
    const row = page.getByRole('row', { name: /open_till/ })
    await row.getByRole('link', { name: '1' }).last().click()
    await page
      .getByRole('row', { name: /open_till/ })
      .getByTitle(mwila.did)
      .waitFor()
    await page.getByRole('link', { name: 'Open the turn' }).click()
    await page.getByText('Failed calls: open_till (failed)').waitFor()
    await page.getByRole('button', { name: /error.*a tool failed/ }).click()
    await page.getByText('the drawer of till 9 is jammed').first().waitFor()
    expect(await page.content()).not.toContain('The drawer of the till')
    expect(await more()).toBeLessThanOrEqual(maxClicks)
    await audit()
  })

  test('the operator sees who spent most credits yesterday, and saves the ledger', { tags: 'long' }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'console-credits-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const CREDITS_PRICE_FILE = join(folder, 'prices.json')
    await writeFile(CREDITS_PRICE_FILE, JSON.stringify({ turn: '0.5' }))
    const oracle = await startOracle({
      plugins: [credits()],
      env: { CREDITS_DEFAULT_GRANT: '100', CREDITS_PRICE_FILE },
    })
    const ben = testActor(oracle.app)
    const turns = [oracle.actor, ben, ben].map(actor => actor.request('/chat', { json: { message: 'hello' } }))
    await Promise.all((await Promise.all(turns)).map(response => response.text()))
    const spent = async () => (await oracle.operator('/credits/spending?by=person')).text()
    await expect.poll(spent).toMatch(/"credits":"1"[^}]*\}.*"credits":"0.5"/)
    const { page, audit, auditEverywhere, visit, picture, faults } = await open(oracle)
    // The day after, as the page counts.
    await page.clock.setFixedTime(Date.now() + 86_400_000)
    const clicks = await countClicks(page)
    await page.getByRole('link', { name: 'Operations' }).click()
    await page.getByRole('link', { name: 'Credits' }).click()
    await page.getByText('Yesterday').click()
    const first = page.getByRole('region', { name: 'Credits' }).getByRole('row').nth(1)
    await first.getByTitle(ben.did).waitFor()
    expect(await clicks()).toBeLessThanOrEqual(maxClicks)
    await auditEverywhere('credits')
    const [ledger] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Ledger as CSV' }).click(),
    ])
    expect(await readFile(await ledger.path(), 'utf8')).toContain('at,transaction,kind,account,did,credits')
    await page.getByRole('button', { name: 'Turns' }).click()
    await page
      .getByRole('columnheader', { name: 'Turns', exact: false })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor()
    await page.getByRole('button', { name: 'Turns' }).click()
    await first.getByTitle(oracle.actor.did).waitFor()
    for (const by of ['Day', 'Model', 'Tool']) await page.getByText(by, { exact: true }).first().click()
    await page.getByText('Nothing was spent in this period').waitFor()
    await audit()
    await page.getByRole('link', { name: 'Chat' }).click()
    await page.getByText('100 credits left').waitFor()
    await visit(`/users/people/${encodeURIComponent(ben.did)}`)
    await page.getByText(/^Balance 99,/).waitFor()
    await page.getByRole('button', { name: 'Grant credit' }).click()
    const form = page.getByRole('dialog', { name: 'Grant credit' })
    await form.getByLabel('Reason').fill('Paid in cash')
    await form.getByLabel('Credits').fill('50')
    const lost = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/credits/grants', lost, { times: 1 })
    await form.getByRole('button', { name: 'Grant credit' }).click()
    await form.getByRole('alert').waitFor()
    faults.splice(0)
    await page.reload()
    await page.getByRole('button', { name: 'Grant credit' }).click()
    await form.getByRole('button', { name: 'Grant credit' }).click()
    await form.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText(/^Balance 149,/).waitFor()
    await picture('person-credit')
    await audit()
  })
})
