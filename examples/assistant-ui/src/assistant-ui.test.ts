/** @module-tag long */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { scriptedModel, testApp } from '@sibyl/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bundleScript, chromiumPath, servePage } from './browser-page.test.support.ts'

const meter = definePlugin({
  name: 'meter',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Meter', summary: 'Reads a meter.', whenToUse: ['someone asks for the meter'], load: 'always' },
  setup: () => ({
    tools: {
      read_meter: defineTool({
        description: 'Reads the meter.',
        input: z.object({}),
        effect: 'read',
        execute: async () => ({ kwh: 42 }),
      }),
    },
  }),
})

const apiKey = 'key-of-the-page-0123456789abcdef'

describe.skipIf(chromiumPath === undefined)('assistant-ui in Chromium', () => {
  let oracle: Awaited<ReturnType<typeof testApp>>
  let server: Server
  let browser: Browser
  let page: Page
  const errors: string[] = []
  let address: string

  beforeAll(async () => {
    server = await servePage(await bundleScript('chat-page.ts'))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    oracle = await testApp({
      plugins: [meter],
      model: scriptedModel(
        Array(2)
          .fill([{ tool: 'read_meter', input: {} }, 'The meter says 42 kWh.', 'You are welcome.'])
          .flat(),
      ),
      env: { CORS_ORIGIN: origin, ORACLE_API_KEYS: `page:${apiKey}` },
    })
    const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
    const args = ['--no-sandbox', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args })
    page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', error => errors.push(String(error.stack ?? error)))
    page.on('console', line => line.type() === 'error' && errors.push(line.text()))
    address = `${origin}/?oracle=${encodeURIComponent(`http://127.0.0.1:${port}`)}`
  })
  afterAll(async () => {
    await browser?.close()
    await oracle?.app.close()
    server?.close()
  })

  /** Waits for a text, and names what the page failed at where it does not come. */
  const shows = (text: string) =>
    page
      .getByText(text)
      .waitFor()
      .catch(error => expect.fail(`${errors.join('\n')}\n${error}`))

  const print = async (text: string) => {
    await page.getByLabel('Message').fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }

  test.each([
    ['the transport of @sibyl/client', ''],
    ['useDataStreamRuntime', `&key=${apiKey}`],
  ])('shows answers by %s, with and without tool calls, and continues after each', async (_name, query) => {
    await page.goto(`${address}${query}`)
    await shows('Send')
    await print('What does the meter say?')
    await shows('The meter says 42 kWh.')
    await print('Thanks')
    await shows('You are welcome.')
    expect(await page.locator('[data-role]').allTextContents()).toEqual([
      'What does the meter say?',
      'The meter says 42 kWh.',
      'Thanks',
      'You are welcome.',
    ])
    expect(errors).toEqual([])
  })
})
