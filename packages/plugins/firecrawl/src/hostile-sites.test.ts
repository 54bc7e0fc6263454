/** @module-tag long */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readHostList } from './fetching/allowed-hosts.ts'
import { type LocalSite, startLocalSite } from './testing/local-site.ts'
import { insideHost, type LocalTools, localTools, outsideHost, worldFetch } from './testing/local-tools.test.support.ts'

let inside: LocalSite
let site: LocalSite
let tools: LocalTools
beforeAll(async () => {
  inside = await startLocalSite({ host: insideHost, pages: { '/secret': '<p>The secret.</p>' } })
  const robots = 'User-agent: *\nDisallow: /closed/\n'
  site = await startLocalSite({ host: outsideHost, inside: inside.url, robots })
  // What is built to take long has three times as long as usual, for a busy computer.
  tools = localTools({}, { fetch: worldFetch(), readTimeLimitMs: 24_000 })
})
afterAll(async () => {
  await tools.close()
  await site.stop()
  await inside.stop()
})

const read = (path: string) => tools.scrape(`${site.url}${path}`)

describe('a page that', () => {
  test.each([
    ['/redirect-inward', 'is not a public address'],
    ['/redirect-metadata', 'is not a public address'],
    ['/redirect-loop', 'has too many redirects'],
    ['/redirect-file', 'only http and https are allowed'],
    ['/redirect-nowhere', 'redirects to an invalid address'],
    ['/redirect-refused', 'robots.txt'],
    ['/closed/page', 'disallows robots on this page'],
    ['/gzip-bomb', 'compression ratio of the page is too high'],
    ['/brotli-bomb', 'compression ratio of the page is too high'],
    ['/gzip-broken', 'compressed content of the page is corrupt'],
    ['/encoding-twice', 'The compression of the page is not supported'],
    ['/encoding-orders', 'The compression of the page is not supported.'],
    ['/hints', 'is unreachable, or closed the connection'],
    ['/short', 'closed the connection'],
    ['/header-bomb', 'is unreachable, or closed the connection'],
    ['/endless-image', 'an image (image/png), which is not supported'],
    ['/pdf', 'a PDF (application/pdf), which is not supported'],
    ['/image', 'an image (image/png), which is not supported'],
    ['/lying-pdf', 'a PDF (application/pdf), which is not supported'],
    ['/lying-zip', 'an archive (application/zip), which is not supported'],
    ['/lying-zeros', 'a file (application/octet-stream), which is not supported'],
    ['/charset-replacement', "charset of the page is not supported: 'iso-2022-kr'"],
    ['/refresh-inward', 'has no text and redirects browsers to'],
    ['/app', 'created by scripts, which are not run'],
    ['/not-found', 'answered 404: the page does not exist'],
    ['/broken', 'answered 500: it has an internal error'],
    ['/teapot', 'answered 418'],
  ])('is at %s is rejected: %s', async (path, reason) => {
    await expect(read(path)).rejects.toMatchObject({ code: 'tool_failed', message: expect.stringContaining(reason) })
    expect(inside.requests).toEqual([])
  })

  test('names a charset that no standard lists is read without it', async () => {
    expect((await read('/charset-unknown')).content.text).toContain('Ünder a label of its own')
    expect((await read('/charset-utf7')).content.text).toContain('+ADw-script+AD4-')
  })

  test.each(['/gzip', '/deflate', '/deflate-raw', '/brotli'])(
    'is compressed at %s without a request is read',
    async path => {
      expect((await read(path)).content.text).toContain('Every morning at **six** the keeper')
    },
  )

  test.each(['/drip', '/silent'])('does not come to an end at %s is given up', async path => {
    const hasty = localTools({}, { fetch: worldFetch(), pageTimeLimitMs: 1_000 })
    await expect(hasty.scrape(`${site.url}${path}`)).rejects.toThrow('did not load within 1 s')
    await hasty.close()
  })

  test('never ends is truncated at the limit', async () => {
    const { truncated, content } = await read('/endless')
    expect(truncated).toBe(true)
    expect(content.text).toContain('All work and no play')
  })

  test('has no declared type is detected', async () => {
    expect((await read('/no-type')).content.text).toBe('# Untyped\n\nIt has no type.')
  })

  test.each(['/deep', '/deep-bold', '/deep-tables', '/deep-drawing', '/deep-hidden'])(
    'is deeper than any page at %s is read as far as it is not',
    async path => {
      await expect(read(path)).rejects.toThrow('part of the page that was read has no text')
    },
  )

  test.each([
    ['/many-attributes', 'Text.'],
    ['/many-links', '[1]'],
  ])('is built to be taken apart for ever at %s comes to an end', async (path, text) => {
    expect((await read(path)).content.text).toContain(text)
  })
})

/** A site outside and one inside at the same port; another pair where somebody has the port inside already. */
const twoOfOnePort = async (): Promise<{ readonly outer: LocalSite; readonly secret: LocalSite }> => {
  for (;;) {
    const outer = await startLocalSite({ host: outsideHost })
    const inside = { host: insideHost, port: outer.port, pages: { '/secret': 'The secret.' } }
    const secret = await startLocalSite(inside).catch(() => undefined)
    if (secret) return { outer, secret }
    await outer.stop()
  }
}

test('a name that leads elsewhere by the second look-up leads nowhere', async () => {
  const names = { 'rebinding.test': [outsideHost, insideHost] }
  const rebound = localTools({}, { fetch: worldFetch(names) })
  const { outer, secret } = await twoOfOnePort()
  // robots.txt is asked for at the first address, the page at the second.
  await expect(rebound.scrape(`http://rebinding.test:${outer.port}/secret`)).rejects.toThrow('public address')
  expect(outer.requests).toMatchObject([{ path: '/robots.txt' }])
  expect(secret.requests).toEqual([])
  await secret.stop()
  await outer.stop()
  await rebound.close()
})

test('a page that takes too long to read is given up, and the next one is read', async () => {
  const hasty = localTools({}, { fetch: worldFetch(), readTimeLimitMs: 1 })
  await expect(hasty.scrape(`${site.url}/large`)).rejects.toThrow('too complex to read')
  await hasty.close()
  expect((await read('/article')).content.text).toContain('The keeper')
})

test('a person who has pages read that take long does not keep others from theirs', async () => {
  const own = localTools({}, { fetch: worldFetch(), readTimeLimitMs: 60_000 })
  const ended: string[] = []
  const controller = new AbortController()
  const long = ['/ampersands?1', '/ampersands?2'].map(path =>
    own.scrape(`${site.url}${path}`, {}, controller.signal).finally(() => ended.push(path)),
  )
  const settled = Promise.allSettled(long)
  for (const path of ['/article', '/forum', '/shop']) {
    await own.scrape(`${site.url}${path}`, {}, undefined, 'did:key:z2')
  }
  expect(ended).toEqual([])
  controller.abort(new Error('enough'))
  await settled
  await own.close()
})

test('a private host is read where the operator allows that one, and none beside it', async () => {
  const allowed = localTools({ FIRECRAWL_ALLOW_PRIVATE: `${insideHost}:${inside.port}` }, { fetch: worldFetch() })
  const other = await startLocalSite({ host: insideHost })
  expect((await allowed.scrape(`${inside.url}/secret`)).content.text).toContain('The secret.')
  expect((await allowed.scrape(`${site.url}/redirect-inward`)).url).toBe(`${inside.url}/secret`)
  await expect(allowed.scrape(`${other.url}/article`)).rejects.toThrow('public address')
  await other.stop()
  await allowed.close()
})

test.each([
  ['wiki.internal:80', 'http://wiki.internal/', true],
  ['wiki.internal:443', 'https://wiki.internal/', true],
  ['wiki.internal:80', 'https://wiki.internal/', false],
  ['wiki.internal:8080', 'http://wiki.internal/', false],
  ['Bücher.internal', 'http://bücher.internal:8080/', true],
  ['[0:0::1]', 'http://[::1]/', true],
  ['localhost', 'http://localhost.evil.example/', false],
  ['localhost', 'http://127.0.0.1/', false],
])('with %s allowed, whether %s is: %s', (list, address, isAllowed) => {
  expect(readHostList(list)(new URL(address))).toBe(isAllowed)
})

test('a person who stops is not waited for', async () => {
  const controller = new AbortController()
  const reading = tools.scrape(`${site.url}/silent?2`, {}, controller.signal)
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})

describe('robots.txt that', () => {
  test.each([
    ['is missing lets everything be read', 404, true],
    ['is forbidden lets everything be read', 403, true],
    ['fails lets nothing be read for now', 503, false],
    ['never comes lets nothing be read for now', 'silent', false],
    ['names us counts for us', 'User-agent: *\nDisallow:\n\nUser-agent: sibylbot\nDisallow: /article', false],
    ['is compressed counts', gzipSync('User-agent: *\nDisallow: /'), false],
    ['names others does not', 'User-agent: Otherbot\nDisallow: /', true],
    ['is larger than is read counts as far as it is', `${'#\n'.repeat(300_000)}User-agent: *\nDisallow: /`, true],
  ] as const)('%s', async (_, robots, isRead) => {
    const asked = await startLocalSite({ host: outsideHost, robots })
    const own = robots === 'silent' ? localTools({}, { fetch: worldFetch(), pageTimeLimitMs: 150 }) : tools
    const reading = own.scrape(`${asked.url}/article`)
    if (isRead) expect((await reading).status).toBe(200)
    else await expect(reading).rejects.toMatchObject({ code: 'tool_failed' })
    const count = () => asked.requests.filter(({ path }) => path === '/robots.txt').length
    await own.scrape(`${asked.url}/forum`).catch(() => undefined)
    if (isRead) expect(count()).toBe(1)
    if (own !== tools) await own.close()
    await asked.stop()
  })
})
