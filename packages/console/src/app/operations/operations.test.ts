import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { definePlugin, type Host, type OraclePlugin, outbox } from '@sibyl/plugin'
import { tasks } from '@sibyl/plugin-tasks'
import { testActor } from '@sibyl/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'

const patience = { interval: 20, timeout: 60_000 }

/** A plugin whose jobs and deliveries fail as long as the world is broken. */
const brokenShop = () => {
  const world = { isBroken: true, delivered: [] as string[] }
  const made = Promise.withResolvers<{ host: Host; wake: (key: string) => Promise<void> }>()
  const plugin: OraclePlugin = definePlugin({
    name: 'shop',
    version: '1.0.0',
    core: '^0.1.0',
    manifest: { title: 'Shop', summary: 'Sells things.', whenToUse: ['someone buys something'] },
    setup(host) {
      host.jobs.define(
        'shop/pay',
        z.object({ order: z.string() }),
        async () => {
          if (world.isBroken)
            throw Object.assign(new Error('<img src=x onerror=alert(1)> the till is closed'), { code: 'till_closed' })
        },
        { maxAttempts: 1 },
      )
      const notices = outbox(
        host.jobs,
        'shop/notices',
        async key => {
          if (world.isBroken) throw new Error('the receiver is away')
          world.delivered.push(key)
          return 'done'
        },
        { maxAttempts: 1 },
      )
      made.resolve({ host, wake: key => notices.wake(key) })
      return { state: () => 'degraded', reason: () => 'the till does not answer at port 9100' }
    },
  })
  return { world, plugin, made: made.promise }
}

describe.skipIf(chromiumPath === undefined)('operations in Chromium', () => {
  const { startOracle, open, share } = useConsole()

  const shared = share(async () => {
    const { made, plugin, world } = brokenShop()
    const folder = await mkdtemp(join(tmpdir(), 'sibyl-operations-'))
    const oracle = await startOracle({
      plugins: [plugin, tasks()],
      env: {
        DATABASE_URL: pathToFileURL(join(folder, 'sibyl.db')).href,
        ALERT_WEBHOOK_PRIVATE: 'on',
        TRACES_KEEP_DAYS: '7',
        TOKEN_BUDGET_ORACLE_PER_DAY: '1000000',
        RATE_LIMIT_DID_PER_MINUTE: '200',
        TASKS: 'on',
      },
    })
    const isDead = (kind: string, count = 1) =>
      vi.waitFor(async () => {
        const { jobs } = (await (await oracle.operator(`/operator/jobs?state=dead&kind=${kind}`)).json()) as {
          jobs: unknown[]
        }
        expect(jobs).toHaveLength(count)
      }, patience)
    return { ...oracle, ...(await made), world, isDead, ...(await open(oracle)) }
  })

  test('limits show how full they are', { tags: 'long' }, async () => {
    const { host, page, visit, audit, picture } = shared()
    await host.limits.take({ name: 'codes', key: 'x', perMinute: 2 })
    await visit('/operations/limits')
    await page.getByText('shop/codes').waitFor()
    await page.getByText('at most 200 per minute').waitFor()
    await page.getByText(/of 1,000,000 tokens/).waitFor()
    await picture('limits')
    await audit()
  })

  test('the overview shows health, turns and plugins with their reasons', async () => {
    const { chat, page, visit, auditEverywhere } = shared()
    for (const text of ['hello', 'what can you do', 'hello again']) await chat(text)
    await visit('/operations')
    await page.setViewportSize({ width: 1280, height: 1500 })
    await page.getByText('the till does not answer at port 9100').waitFor()
    await page.getByRole('img', { name: /Turns per minute/ }).waitFor()
    const shifts = await page.evaluate(() => {
      const observer = new PerformanceObserver(() => {})
      observer.observe({ type: 'layout-shift', buffered: true })
      return (observer.takeRecords() as unknown as { value: number }[]).map(({ value }) => value)
    })
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05)
    await page.getByText(/3 turns \(0 failed\)/).waitFor()
    await page.getByText('Tokens by user, 30 days').waitFor()
    await auditEverywhere('operations')
    const turnsOfPlot = async () => {
      await page.waitForURL(/operations\/turns\?range=times/)
      const { searchParams } = new URL(page.url())
      return Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')
    }
    await page
      .getByRole('img', { name: /Turns per minute/ })
      .locator('.u-over')
      .click()
    expect(await turnsOfPlot()).toBe(900_000)
    await page.goBack()
    await page.getByRole('button', { name: 'Show as table' }).first().click()
    await page.getByRole('cell').getByRole('link').first().click()
    expect(await turnsOfPlot()).toBe(900_000)
    await visit('/operations')
    await page.getByText('1 hour', { exact: true }).click()
    await page.getByText(/3 turns/).waitFor()
  })

  test('turns of all users are filtered by person and result', async () => {
    const { app, chat, page, visit, audit, auditEverywhere } = shared()
    await chat('hello')
    const ben = testActor(app)
    await (await ben.request('/chat', { json: { message: 'hello from Ben' } })).text()
    await visit('/operations/turns?range=all')
    const list = page.getByRole('region', { name: 'Turns: list' })
    await list.getByTitle(ben.did).waitFor()
    expect(await list.getByRole('row').count()).toBeGreaterThan(2)
    await list.getByTitle(ben.did).hover()
    await auditEverywhere('turns')
    await page.getByLabel('Person', { exact: true }).first().fill(ben.did)
    await page.getByRole('option').click()
    await expect.poll(() => list.getByRole('row').count(), patience).toBe(2)
    expect(page.url()).toContain(`person=${encodeURIComponent(ben.did)}`)
    await page.getByRole('link', { name: 'Open the turn' }).click()
    await page.getByRole('region', { name: 'Log lines' }).waitFor()
    await page.getByText('Prompt', { exact: true }).waitFor()
    expect(await page.locator('main').textContent()).not.toContain('hello from Ben')
    await auditEverywhere('turn')
    await page.goBack()
    await page.getByLabel('Result', { exact: true }).first().click()
    await page.getByRole('option', { name: 'Failed', exact: true }).click()
    await page.getByText('No turns found').waitFor()
    await audit()
    await visit('/operations/turns?turn=turn_none')
    await page.getByText('The turn is not stored').waitFor()
  })

  test('storage lists the tables with their sizes, and their growth where there is space', async () => {
    const { chat, page, visit, auditEverywhere } = shared()
    await chat('hello')
    await visit('/operations/storage')
    const table = page.getByRole('region', { name: 'Storage' })
    await table.getByText('core_messages', { exact: true }).waitFor()
    await page.getByText(/free, .* of log/).waitFor()
    await table.getByRole('button', { name: 'Rows' }).click()
    await table.getByRole('columnheader', { name: 'Rows' }).and(page.locator('[aria-sort=descending]')).waitFor()
    await auditEverywhere('storage')
  })

  test('a failed job is shown with its reason as text, and runs again; a waiting one is canceled after a question', {
    tags: 'long',
  }, async () => {
    const { host, world, isDead, page, visit, auditEverywhere } = shared()
    const { id } = await host.jobs.enqueue('shop/pay', { order: 'of +260971234567' })
    await isDead('shop/pay')
    await visit('/operations/jobs')
    await page.getByText('Failed 1').click()
    const row = page.getByRole('row', { name: /shop\/pay/ })
    await row.waitFor()
    await row.getByText('till_closed: Error: <img src=x onerror=alert(1)> the till is closed').waitFor()
    expect(await page.content()).not.toContain('260971234567')
    await auditEverywhere('jobs')
    world.isBroken = false
    await row.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('No jobs: Failed').waitFor()
    await vi.waitFor(async () => expect(await host.jobs.get(id)).toMatchObject({ state: 'done' }), patience)

    const waiting = await host.jobs.enqueue('shop/pay', { order: '1' }, { runAt: Date.now() + 3_600_000 })
    await visit('/operations/jobs?kind=shop%2Fpay')
    await row.getByRole('button', { name: 'Cancel job' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click()
    await page.getByText('No jobs: Waiting').waitFor()
    expect(await host.jobs.get(waiting.id)).toMatchObject({ state: 'cancelled' })
  })

  test('dead letters of an outbox are delivered after a retry', { tags: 'long' }, async () => {
    const { wake, world, isDead, page, visit, audit, picture } = shared()
    world.isBroken = true
    for (const key of ['a', 'b']) await wake(key)
    await isDead('shop/notices', 2)
    await visit('/operations/outboxes')
    const card = page.getByRole('region', { name: 'shop/notices' })
    await card.getByText('2', { exact: true }).waitFor()
    await picture('outboxes')
    await audit()
    world.isBroken = false
    await card.getByRole('button', { name: 'Retry all' }).click()
    await page.getByText('2 deliveries are retried.').waitFor()
    await vi.waitFor(() => expect(world.delivered.toSorted()).toEqual(['a', 'b']), patience)
  })

  test('the live log follows, filters, pauses and shows fields as text', { tags: 'long' }, async () => {
    const { host, page, visit, auditEverywhere } = shared()
    const { log } = host
    await visit('/operations/log')
    await page.getByRole('status').getByText('live').waitFor()
    log.info('an order came', { order: 7 })
    log.warn('a drawer is <b>stuck</b>', { at: '<script>alert(1)</script>' })
    log.error('the shelf is empty', { error: new Error('no power') })
    await page.getByRole('button', { name: /error.*the shelf is empty/ }).waitFor()
    await auditEverywhere('log')
    await page.getByRole('button', { name: /warn.*a drawer is <b>stuck<\/b>/ }).click()
    await page.getByText('"at": "<script>alert(1)</script>"').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('status').getByText('paused').waitFor()
    log.info('while paused')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: /info.*while paused/ }).waitFor()
    await page.getByRole('textbox', { name: 'Contains' }).fill('DRAWER')
    await page.getByRole('button', { name: /error.*the shelf is empty/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /stuck/ }).waitFor()
  })

  test('an alert is created, tested, changed and deleted', { tags: 'long' }, async () => {
    const received: string[] = []
    const server = createServer(async (request, response) => {
      received.push((await request.setEncoding('utf8').toArray()).join(''))
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { page, visit, audit, auditEverywhere } = shared()
    await visit('/operations/alerts')
    await page.getByText('There are no alerts').waitFor()
    await audit()
    await page.getByRole('button', { name: 'New alert' }).click()
    const form = page.getByRole('dialog', { name: 'New alert' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Turns fail')
    await form.getByPlaceholder(/URL/).fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
    await auditEverywhere('alert-form')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.keyboard.press('Escape')
    const card = page.getByRole('region', { name: 'Turns fail' })
    await card.getByText('Failed turns in percent is above 5 for 5 min').waitFor()
    await card.getByRole('button', { name: 'Send a test' }).click()
    await vi.waitFor(() => expect(received).toHaveLength(1), patience)
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ type: 'alert.test', data: { name: 'Turns fail' } })
    await page.reload()
    await page.getByRole('region', { name: 'History' }).getByText('Turns fail').waitFor()
    await auditEverywhere('alerts')
    await card.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit' })
    await edit.getByRole('textbox', { name: 'Threshold' }).fill('12')
    await edit.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Failed turns in percent is above 12 for 5 min').waitFor()
    await card.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no alerts').waitFor()
  })

  test('a user runs, pauses and cancels their tasks', { tags: 'long' }, async () => {
    const { page, visit, audit, picture, faults } = shared()
    await visit('/operations/tasks')
    await page.getByText('No tasks found').waitFor()
    await page.getByText('Mine', { exact: true }).click()
    await page.getByText('You have no tasks').waitFor()
    await page.getByRole('button', { name: 'Add a task' }).click()
    const form = page.getByRole('dialog', { name: 'Add a task' })
    await form.getByLabel('What the agent does').fill('Greet <b>me</b>')
    await form.getByLabel('Time zone').fill('Mars')
    await form.getByRole('button', { name: 'Show the runs' }).click()
    await form.getByRole('alert').filter({ hasText: 'Mars' }).waitFor()
    faults.splice(0)
    await form.getByLabel('Time zone').fill('Africa/Lusaka')
    await form.getByRole('button', { name: 'Show the runs' }).click()
    await form.getByText(/07:00.*Lusaka/s).waitFor()
    await audit()
    await picture('task-form')
    await form.getByRole('button', { name: 'Create the task' }).click()
    await form.waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /Greet <b>me<\/b>/ })
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByText('paused').filter({ visible: true }).waitFor()
    await picture('tasks')
    await audit()
    await row.getByRole('button', { name: 'Resume' }).click()
    await row.getByText('active').filter({ visible: true }).waitFor()
    await row.getByRole('button', { name: 'Cancel task' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel task' }).click()
    await page.getByText('You have no tasks').waitFor()
  })

  test('the operator sees the tasks of all users without what they say, with schedules in each language', {
    tags: 'long',
  }, async () => {
    const { app, page, visit, speak, audit, auditEverywhere } = shared()
    const what = 'Greet <b>me</b>'
    for (const when of [{ inMinutes: 60 }, { every: 'day', time: '08:00' }]) {
      const made = await testActor(app).request('/tasks', {
        json: { what, when, timeZone: 'UTC', remind: true },
      })
      expect(made.status).toBe(201)
    }
    await visit('/operations/tasks')
    // The test before read that there are none.
    await page.reload()
    await page.getByText('At 08:00, every day').waitFor()
    await page.getByText(/^once, on \w+ \d/).waitFor()
    expect(await page.getByRole('row', { name: /At 08:00|once, on/ }).count()).toBe(2)
    expect(await page.locator('main').textContent()).not.toContain('Greet')
    await auditEverywhere('tasks-all')
    await page.getByRole('switch').check()
    await page.getByText('At 08:00, every day').waitFor({ state: 'detached' })
    await audit()
    await page.getByRole('switch').uncheck()
    await page.getByText('Calendar', { exact: true }).click()
    // Tomorrow may be in the next month.
    await page.getByRole('button', { name: 'Next month' }).click()
    const days = page.getByRole('button', { name: /: 1 run$/ })
    await expect.poll(() => days.count()).toBeGreaterThan(27)
    await days.nth(9).click()
    await page.getByRole('row', { name: /UTC/ }).waitFor()
    await auditEverywhere('tasks-calendar')
    await page.getByText('List', { exact: true }).click()
    await page.setViewportSize({ width: 360, height: 800 })
    for (const [language, daily, once] of [
      ['fr', 'À 08:00, tous les jours', /^une fois, le \d/],
      ['sw', 'Kwa 08:00, kila siku', /^mara moja, \d/],
    ] as const) {
      await speak(language)
      await page.getByText(daily).waitFor()
      await page.getByText(once).waitFor()
      await audit()
    }
    await speak('en')
  })

  test('a user without the right of the operator sees why', { tags: 'long' }, async () => {
    const { page, audit } = await open(shared(), { path: '/operations/log', scopes: ['chat/*', 'session/*'] })
    await page.getByText('You are not allowed to see this').waitFor()
    await audit()
  })

  test('French and Swahili fit a narrow screen', { tags: 'long' }, async () => {
    const { page, visit, speak, audit } = shared()
    await visit('/operations')
    await page.setViewportSize({ width: 360, height: 800 })
    for (const language of ['fr', 'sw'] as const) {
      await speak(language)
      await page.getByText('the till does not answer').waitFor()
      await audit()
    }
  })
})
