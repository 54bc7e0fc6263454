/** @module-tag long */
import { scriptedModel, testApp } from '@sibyl/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type * as client from '../index.ts'
import { chromiumPath, type KeyPage, serveKeyPage } from './key-page.test.helper.ts'

declare const sibyl: typeof client

describe.skipIf(chromiumPath === undefined)('browserKeyStore in Chromium', () => {
  let place: KeyPage
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    place = await serveKeyPage()
  })
  afterAll(() => place?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    context = await place.browser.newContext()
    page = await openTab()
  })
  afterEach(() => context.close())

  const openTab = async () => {
    const tab = await context.newPage()
    await tab.goto(place.origin)
    return tab
  }
  const open = (tab = page) =>
    tab.evaluate(async () => {
      const { did, protection } = await sibyl.browserKeyStore().open()
      return { did, protection }
    })
  const failureOf = (tab: Page, work: () => Promise<unknown>) =>
    tab.evaluate(async source => {
      try {
        await new Function(`return (${source})()`)()
      } catch (error) {
        const { code, message, did } = error as { code?: string; message: string; did?: string }
        return { code, message, did }
      }
      return undefined
    }, work.toString())

  test('keeps one key for all tabs and visits, whose secret no script can read', async () => {
    const first = await open()
    expect(first).toEqual({ did: expect.stringMatching(/^did:key:z6Mk/), protection: 'non-extractable' })
    await page.reload()
    expect([await open(), await open(await openTab())]).toEqual([first, first])
    const readable = await page.evaluate(
      () =>
        new Promise(resolve => {
          const opening = indexedDB.open('sibyl-keys')
          opening.onsuccess = () => {
            const reading = opening.result.transaction('keys').objectStore('keys').get('default')
            reading.onsuccess = () =>
              crypto.subtle.exportKey('pkcs8', reading.result.secret).then(
                () => resolve('exported'),
                error => resolve(error.name),
              )
          }
        }),
    )
    expect(readable).toBe('InvalidAccessError')
  })

  test('two tabs that open concurrently get the same key', async () => {
    const other = await openTab()
    const [one, two] = await Promise.all([open(page), open(other)])
    expect(one).toEqual(two)
  })

  test('keeps keys of several names apart', async () => {
    const dids = await page.evaluate(() =>
      Promise.all(['a', 'b', 'a'].map(async name => (await sibyl.browserKeyStore({ name }).open()).did)),
    )
    expect(dids[0]).toBe(dids[2])
    expect(dids[0]).not.toBe(dids[1])
  })

  test('an oracle accepts its signatures', async () => {
    const oracle = await testApp({ plugins: [], model: scriptedModel(['Hello.']), env: { CORS_ORIGIN: place.origin } })
    try {
      const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
      const text = await page.evaluate(async url => {
        const turn = await sibyl.createClient({ url, signer: await sibyl.browserKeyStore().open() }).chat('Hi')
        let text = ''
        for await (const { event } of turn.events) if (event.type === 'text-delta') text += event.delta
        return text
      }, `http://127.0.0.1:${port}`)
      expect(text).toBe('Hello.')
    } finally {
      await oracle.app.close()
    }
  })

  test('reports a key that was lost, and makes a new one only when asked', async () => {
    const { did } = await open()
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const deletion = indexedDB.deleteDatabase('sibyl-keys')
          deletion.onsuccess = () => resolve()
          deletion.onblocked = () => reject(new Error('a connection is still open'))
        }),
    )
    await page.reload()
    const failure = await failureOf(page, () => sibyl.browserKeyStore().open())
    expect(failure).toEqual({ code: 'key_lost', did, message: expect.stringContaining('call replace()') })
    const replaced = await page.evaluate(async () => (await sibyl.browserKeyStore().replace()).did)
    expect(replaced).not.toBe(did)
    expect((await open()).did).toBe(replaced)
  })

  test('never signs with a key that another tab replaced or removed', async () => {
    const other = await openTab()
    const signed = async () => {
      const store = sibyl.browserKeyStore()
      const key = await store.open()
      await key.sign(new Uint8Array(3))
      Object.assign(globalThis, { key })
    }
    await page.evaluate(signed)
    const sign = () => (globalThis as unknown as { key: client.StoredKey }).key.sign(new Uint8Array(3))
    await other.evaluate(() => sibyl.browserKeyStore().replace())
    expect(await failureOf(page, sign)).toMatchObject({ code: 'key_lost' })

    await page.evaluate(signed)
    await other.evaluate(() => sibyl.browserKeyStore().forget())
    expect(await failureOf(page, sign)).toMatchObject({ code: 'key_lost' })
    await page.reload()
    expect((await open()).did).toMatch(/^did:key:/)
  })

  test('stores the secret itself and reports it if the browser has no Ed25519', async () => {
    const withoutEd25519 = () => {
      const generateKey = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'))
      Object.assign(SubtleCrypto.prototype, { generateKey })
    }
    await page.addInitScript(withoutEd25519)
    await page.reload()
    const key = await open()
    expect(key.protection).toBe('extractable')
    await page.reload()
    expect(await open()).toEqual(key)
    const length = await page.evaluate(
      async () => (await (await sibyl.browserKeyStore().open()).sign(new Uint8Array(3))).length,
    )
    expect(length).toBe(64)
  })

  test('reports that the browser stores nothing', async () => {
    await page.evaluate(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('Blocked', 'SecurityError')
      }
    })
    expect(await failureOf(page, () => sibyl.browserKeyStore().open())).toMatchObject({
      code: 'key_store_unavailable',
      message: expect.stringContaining('Allow this site to store data'),
    })
  })
})
