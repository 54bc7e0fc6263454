/** @module-tag long */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { bundleScript, chromiumPath, servePage } from './browser-page.test.support.ts'

const paid: number[] = []

const shop = () =>
  definePlugin({
    name: 'shop',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Shop', summary: 'Pays.', whenToUse: ['someone pays'], load: 'always' },
    setup: () => ({
      tools: {
        pay: defineTool({
          description: 'Pays an amount.',
          input: z.object({ amount: z.number() }),
          effect: 'write',
          approval: 'user',
          async execute({ amount }) {
            paid.push(amount)
            return 'paid'
          },
        }),
      },
    }),
  })

const call: ScriptedStep = { tool: 'get_location', input: {}, id: 'where' }

describe.skipIf(chromiumPath === undefined)('tools of a page that uses useChat, in Chromium', () => {
  let server: Server
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    server = await servePage(await bundleScript('client-tools-page.ts'))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const args = ['--no-sandbox', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args })
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  const open = async (steps: readonly ScriptedStep[], query = '', env: Readonly<Record<string, string>> = {}) => {
    const model = scriptedModel(steps)
    const oracle = await testApp({ plugins: [shop()], model, env: { CORS_ORIGIN: origin, ...env } })
    onTestFinished(() => oracle[Symbol.asyncDispose]())
    const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    page.setDefaultTimeout(60_000)
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error.stack ?? error)))
    await page.goto(`${origin}/?oracle=${encodeURIComponent(`http://127.0.0.1:${port}`)}${query}`)
    const shows = (text: string) =>
      page
        .getByText(text)
        .waitFor()
        .catch(error => expect.fail(`${errors.join('\n')}\n${error}`))
    const press = (name: string) => page.getByRole('button', { name }).click()
    return { page, model, shows, press, faults: errors }
  }

  test.each(['', '&transport=default'])(
    'addToolOutput returns the result, and the same answer continues%s',
    async query => {
      const { page, model, shows, press, faults } = await open([call, 'You are in Kitwe.', 'Still there.'], query)
      await press('Send')
      await shows('You are in Kitwe.')
      expect(JSON.stringify(model.calls[1]?.prompt)).toContain('Kitwe')
      await press('Send')
      await shows('Still there.')
      expect(await page.locator('[data-role]').allTextContents()).toEqual([
        'Where am I?',
        'You are in Kitwe.',
        'Where am I?',
        'Still there.',
      ])
      expect([model.calls.length, faults]).toEqual([3, []])
    },
  )

  test('a turn that waits for an approval and for the page goes on once both have answered', async () => {
    const { model, shows, press } = await open([[{ tool: 'pay', input: { amount: 5 } }, call], 'Paid in Kitwe.'])
    await press('Send')
    await press('Approve')
    await shows('Paid in Kitwe.')
    expect([paid, model.calls.length]).toEqual([[5], 2])
  })

  test('a page that never answers gets an answer without its tool, once the time is over', async () => {
    const env = { CLIENT_TOOL_TIME_LIMIT_SECONDS: '1' }
    const { page, model, press } = await open([call, 'I cannot see where you are.'], '&silent', env)
    await press('Send')
    await expect.poll(() => model.calls.length).toBe(2)
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain('It returned no result within 1 s.')
    await expect
      .poll(async () => {
        await press('Reload')
        return page.locator('[data-role]').allTextContents()
      })
      .toEqual(['Where am I?', 'I cannot see where you are.'])
  })
})
