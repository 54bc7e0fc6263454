import type { ClaimDetails, EntityRecord } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from './entities.ts'

const chromiumPath = process.env.CHROMIUM_PATH

const key = 'a-key-for-the-explorer'
const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

describe.skipIf(chromiumPath === undefined)('the explorer in Chromium', () => {
  let oracle: Awaited<ReturnType<typeof testApp>>
  let browser: Browser
  let url: string
  let stove: EntityRecord
  let page: Page
  /** What the page asked of others, was refused by its own policy, or failed at. */
  const violations: string[] = []

  const create = async (body: object): Promise<EntityRecord> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/v1/entities`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(201)
    return answer.json()
  }

  beforeAll(async () => {
    const env = { ENTITIES_API_KEYS: `test:${key}:read+write`, PORT: '0', ORACLE_NAME: 'Field Oracle' }
    oracle = await testApp({ plugins: [entities()], env })
    const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${port}`
    const project = await create({ type: 'Project', properties: { name: 'Kisumu households' } })
    stove = await create({
      type: 'CookStove',
      properties: { name: hostile, [hostile.slice(0, 60)]: { deep: hostile } },
    })
    await create({
      type: 'Organisation',
      properties: { name: 'Lake Basin' },
      relationships: { implements: [project.did] },
    })
    const args = ['--no-sandbox', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args })
    page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
    page.on('request', request => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) violations.push(request.url())
    })
    page.on('pageerror', error => violations.push(String(error)))
    page.on('console', message => {
      if (message.type() === 'error' && /policy|trusted/i.test(message.text())) violations.push(message.text())
    })
  })
  afterAll(async () => {
    await browser?.close()
    await oracle?.app.close()
  })

  const isAsWideAsItsWindow = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

  test('a wrong key is reported, and only a right one is stored, in the tab only', async () => {
    await page.goto(`${url}/explorer`)
    await page.getByLabel('API key').fill('not-the-right-key-at-all')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This oracle does not know that key.').waitFor()
    const kept = () => page.evaluate(() => [{ ...sessionStorage }, { ...localStorage }, document.cookie])
    expect(await kept()).toEqual([{}, {}, ''])
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Kisumu households' }).waitFor()
    expect(await kept()).toEqual([{ 'sibyl-explorer-key': key }, {}, ''])
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.getByLabel('API key').waitFor()
    expect(await kept()).toEqual([{}, {}, ''])
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Kisumu households' }).waitFor()
  })

  test('hostile texts stay texts', async () => {
    await page.getByRole('link', { name: hostile.slice(0, 20) }).click()
    await page.getByRole('heading', { level: 1, name: hostile.slice(0, 20) }).waitFor()
    await page.getByText('1 link of the chain').waitFor()
    expect(await page.getByText('verified', { exact: true }).isVisible()).toBe(true)
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toContain(hostile.slice(0, 20))
    await page.getByText('Show the document').click()
    await page.getByText(`"id": "${stove.did}"`).first().waitFor()
  })

  test('the recipient of an offer is listed beside the controller', async () => {
    const offered = 'did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG'
    const { did } = await create({ type: 'CookStove', pendingController: offered })
    await page.goto(`${url}/explorer#/entities/${encodeURIComponent(did)}`)
    await page.getByText('Offered to').waitFor()
    expect(await page.locator('dl').filter({ hasText: 'Offered to' }).textContent()).toContain('z6Mk')
    await page.goto(`${url}/explorer#/entities/${encodeURIComponent(stove.did)}`)
    await page.getByText('1 link of the chain').waitFor()
    await page.getByRole('heading', { level: 1, name: hostile.slice(0, 20) }).waitFor()
    expect(await page.getByText('Offered to').count()).toBe(0)
  })

  test('the graph is walked with the keyboard', async () => {
    await page.getByRole('link', { name: 'Entities' }).first().click()
    await page.getByRole('link', { name: 'Lake Basin', exact: true }).click()
    const node = page.locator('.picture a', { hasText: 'Kisumu' })
    await node.waitFor()
    expect(await page.locator('.picture a').allTextContents()).toHaveLength(3)
    await node.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Kisumu households' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Kisumu households')
    expect(await page.title()).toBe('Kisumu households · Field Oracle: explorer')
  })

  test('filters narrow the list, and an empty one explains how to continue, also on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('link', { name: 'Entities' }).first().click()
    await page.locator('.rows > li').first().waitFor()
    expect(await isAsWideAsItsWindow(page)).toBe(true)
    await page.getByLabel('Type').fill('Project')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Kisumu households' }).waitFor()
    await expect.poll(() => page.locator('.rows > li').count()).toBe(1)
    await page.getByLabel('Search').fill('nothing of the kind')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing fits.').waitFor()
    await page.getByRole('link', { name: 'show all', exact: true }).click()
    await page.getByRole('link', { name: 'Lake Basin', exact: true }).click()
    await page.locator('.picture').waitFor()
    expect(await isAsWideAsItsWindow(page)).toBe(true)
  })

  test('a claim is decided, and in all of this nothing was asked of others', async () => {
    const claim: ClaimDetails = waitingClaim
    const posted: string[] = []
    await page.route('**/v1/claims**', async route => {
      const request = route.request()
      if (request.method() === 'POST') {
        posted.push(`${new URL(request.url()).pathname} ${request.postData()}`)
        claim.state = 'approved'
      }
      await route.fulfill({ json: /claims\/./.test(request.url()) ? claim : { claims: [claim] } })
    })
    await page.getByRole('link', { name: 'Claims' }).click()
    await page.getByText('waits for a person').waitFor()
    await page.getByRole('link', { name: 'usage' }).click()
    await page.getByLabel('Why').fill('The meter says so.')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('It is decided.').waitFor()
    expect(posted).toEqual([`/v1/claims/${claim.id}/confirm {"decision":"approve","reason":"The meter says so."}`])
    expect(await page.getByRole('status').textContent()).toBe('The claim is approved.')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(violations).toEqual([])
  })
})

const waitingClaim: ClaimDetails = {
  id: '01a1ff43-3646-72d3-aa97-a3eb3ed4978e',
  uri: 'urn:uuid:01a1ff43-3646-72d3-aa97-a3eb3ed4978e',
  collection: 'stoves',
  type: 'usage',
  data: { hours: 44 },
  evidence: [],
  submitter: 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
  channel: 'ussd',
  state: 'evaluating',
  verdict: {
    decision: 'approve',
    reasons: ['All conditions are met.'],
    checks: [{ id: 'used', of: 'protocol', passed: true }],
    method: 'rules',
    by: 'did:web:localhost%3A4100',
    at: '2026-11-21T10:00:00.000Z',
  },
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  transitions: [],
}
