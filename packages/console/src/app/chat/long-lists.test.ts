/** @module-tag long */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath, useConsole } from '../../testing/console.test.support.ts'
import { createFill } from '../../testing/fill.test.support.ts'

const ownerOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const { access } = JSON.parse(localStorage.getItem('sibyl-console') ?? '') as { readonly access: string }
    const answer = await fetch('/me', { headers: { authorization: `Bearer ${access}` } })
    return ((await answer.json()) as { readonly did: string }).did
  })

/** Returns the numbers of the texts of elements, such as 12 for `Message 12`. */
const numbersIn = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate(
    found => [...document.querySelectorAll(found)].map(element => Number(/\d+/.exec(element.textContent ?? '')?.[0])),
    selector,
  )

describe.skipIf(chromiumPath === undefined)('long lists of the chat', () => {
  const { startOracle, open } = useConsole()

  test('100,000 conversations are read in pages and drawn as far as they are visible', async () => {
    const fill = createFill()
    const oracle = await startOracle({ plugins: [fill.plugin] })
    const { page, audit, size } = await open(oracle)
    await fill.sessions(await ownerOf(page), 100_000)
    const reads: string[] = []
    page.on('request', request => request.url().includes('/sessions?') && reads.push(request.url()))
    const begun = performance.now()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    const list = page.getByRole('region', { name: 'List of conversations' })
    await list.getByText('Conversation 100000').waitFor()
    const firstRowsMs = Math.round(performance.now() - begun)
    const atFirst = await size('100,000 conversations, first page', { firstRowsMs })
    await list.focus()
    for (let loaded = 200; loaded <= 500; loaded += 100) {
      await page.keyboard.press('End')
      await page.getByText(`${loaded} rows loaded`).waitFor()
      expect(await list.locator('li').count()).toBeLessThan(60)
    }
    await page.keyboard.press('End')
    await list.getByText('Conversation 99501').waitFor()
    expect(reads.length).toBeLessThan(8)
    const further = await size('100,000 conversations, 500 loaded')
    expect(further.elements - atFirst.elements).toBeLessThan(300)
    expect(further.heapMb - atFirst.heapMb).toBeLessThan(15)
    await audit()
    // A return to the tab reads the first page alone.
    reads.length = 0
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await list.getByText('Conversation 100000').waitFor()
    expect(reads.length).toBeLessThan(3)
    await page.getByLabel('Search conversations').fill('Conversation 4711')
    await list.getByText('Conversation 47110').waitFor()
    expect((await numbersIn(page, 'section ul li')).every(number => String(number).startsWith('4711'))).toBe(true)
  })

  test('a page that cannot be loaded leaves the others, and is loaded on request', async () => {
    const fill = createFill()
    const oracle = await startOracle({ plugins: [fill.plugin] })
    const { page } = await open(oracle)
    await fill.sessions(await ownerOf(page), 250)
    let attempts = 0
    await page.route(/\/sessions\?.*cursor/, route => {
      attempts += 1
      return attempts > 1
        ? route.continue()
        : route.fulfill({ status: 429, json: { code: 'rate_limited', detail: 'Too many requests.' } })
    })
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    const list = page.getByRole('region', { name: 'List of conversations' })
    await list.getByText('Conversation 250').waitFor()
    await list.focus()
    await page.keyboard.press('End')
    await page.getByText('Too many requests.').waitFor()
    await list.getByText('Conversation 151').waitFor()
    expect(attempts).toBe(1)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('200 rows loaded').waitFor()
  })

  test('a conversation of 10,000 messages draws a part of them', async () => {
    const fill = createFill()
    const oracle = await startOracle({ plugins: [fill.plugin] })
    const { page, audit, picture, size } = await open(oracle)
    await fill.conversation(await ownerOf(page), 'long', 10_000)
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.getByText('A long conversation').waitFor()
    const begun = performance.now()
    await page.getByText('A long conversation').click()
    const articles = page.getByRole('log').getByRole('article')
    await articles.last().getByText('Message 10000').waitFor()
    const { heapMb } = await size('10,000 messages', { firstMessagesMs: Math.round(performance.now() - begun) })
    expect(heapMb).toBeLessThan(60)
    expect(await articles.count()).toBe(40)
    const shown = () => numbersIn(page, '[role=log] article')
    const region = page.getByRole('region', { name: 'Messages' })
    for (const first of [9_921, 9_881, 9_841, 9_801]) {
      await region.focus()
      await page.keyboard.press('Home')
      await expect.poll(() => region.evaluate(element => element.scrollTop)).toBe(0)
      const place = await articles.first().evaluate(article => article.getBoundingClientRect().top)
      const before = await articles.first().textContent()
      await page.getByRole('button', { name: /earlier messages/ }).click()
      await page.getByText(`Message ${first}`, { exact: true }).waitFor()
      expect((await shown())[0]).toBe(first)
      // What was read stays where it was.
      const after = await page
        .getByRole('article')
        .filter({ hasText: before ?? '' })
        .first()
        .evaluate(article => article.getBoundingClientRect().top)
      expect(Math.abs(after - place)).toBeLessThan(4)
    }
    expect(await articles.count()).toBe(120)
    await audit()
    await picture('chat-long')
    await region.focus()
    await page.keyboard.press('End')
    await articles.last().getByText('Message 9920').waitFor()
    await page.getByRole('button', { name: /later messages/ }).click()
    await page.getByText('Message 9959', { exact: true }).waitFor()
    expect((await shown()).at(-1)).toBe(9_960)
    expect(await articles.count()).toBe(120)
    await page.getByRole('button', { name: 'Latest message' }).click()
    await articles.last().getByText('Message 10000').waitFor()
    expect(await articles.count()).toBe(40)
    // A return to the tab reads the end alone.
    const read = page.waitForRequest(/\/sessions\/long\?after=message-9980/)
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await read
    await page.getByRole('textbox', { name: 'Write a message' }).fill('And now?')
    await page.getByRole('textbox', { name: 'Write a message' }).press('Enter')
    await page.getByRole('log').getByText('And now?').waitFor()
    expect(await articles.count()).toBeLessThanOrEqual(41)
  })
})
