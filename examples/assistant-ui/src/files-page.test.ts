import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '@sibyl/plugin-files'
import { type FakeOpenAi, startFakeOpenAi, testApp } from '@sibyl/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleScript, chromiumPath, servePage } from './browser-page.test.support.ts'

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A PDF of one page; its table of objects is left out, which readers make up for. */
const pdf = Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R
  /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj
4 0 obj << /Length 44 >> stream
BT /F1 24 Tf 72 700 Td (Depth 40 m) Tj ET   
endstream endobj
trailer << /Root 1 0 R >>
%%EOF`)

describe.skipIf(chromiumPath === undefined)('files in a chat in Chromium', () => {
  let provider: FakeOpenAi
  let oracle: Awaited<ReturnType<typeof testApp>>
  let server: Server
  let browser: Browser
  let page: Page
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-files-page-'))
  const errors: string[] = []

  beforeAll(async () => {
    provider = await startFakeOpenAi({
      replies({ body }) {
        const [last] = (body.messages as { readonly role: string; readonly content: unknown }[]).slice(-1)
        const text = JSON.stringify(last)
        if (text.includes('image_url')) return { text: 'A red square.' }
        return { text: text.includes('Depth 40 m') ? 'A well of 40 m.' : 'I do not know.' }
      },
    })
    server = await servePage(await bundleScript('files-page.ts'))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    oracle = await testApp({
      plugins: [files()],
      env: {
        CORS_ORIGIN: origin,
        FILES_DIR: folder,
        LLM_PROVIDER: 'openai-compatible',
        OPENAI_BASE_URL: provider.url,
      },
    })
    const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
    const args = ['--no-sandbox', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args })
    page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', error => errors.push(String(error.stack ?? error)))
    await page.goto(`${origin}/?oracle=${encodeURIComponent(`http://127.0.0.1:${port}`)}`)
  })
  afterAll(async () => {
    await browser?.close()
    await oracle?.app.close()
    server?.close()
    await provider?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const send = async (name: string, mimeType: string, buffer: Buffer) => {
    await page.getByLabel('Files').setInputFiles({ name, mimeType, buffer })
    await page.getByRole('button', { name: 'Send' }).click()
  }
  const shows = (text: string | RegExp) =>
    page
      .getByText(text)
      .waitFor()
      .catch(error => expect.fail(`${errors.join('\n')}\n${error}`))

  test('a picture and a PDF are answered, and shown again by links that expire', async () => {
    await send('pump.png', 'image/png', png)
    await shows('A red square.')
    await send('well.pdf', 'application/pdf', pdf)
    await shows('A well of 40 m.')
    await page.getByRole('button', { name: 'Reload' }).click()
    const picture = page.locator('img[src*="/files/signed/"]')
    await picture.waitFor()
    await expect
      .poll(() => picture.evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1)
    const link = await page.getByRole('link', { name: 'well.pdf' }).getAttribute('href')
    expect(Buffer.from(await (await fetch(link ?? '')).arrayBuffer())).toEqual(pdf)
    expect(errors).toEqual([])
  })

  test('an invalid picture is rejected with a text that the page can show', async () => {
    const asked = provider.requests.length
    await send('fake.png', 'image/png', Buffer.from('no picture'))
    await shows(/its content is not a whole picture/)
    expect(provider.requests).toHaveLength(asked)
  })
})
