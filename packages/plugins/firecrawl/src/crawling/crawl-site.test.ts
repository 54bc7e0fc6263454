import { guardedFetch } from '@sibyl/plugin/outbound'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type LocalSite, type LocalSiteOptions, startLocalSite } from '../testing/local-site.ts'
import { type LocalTools, localTools } from '../testing/local-tools.test.support.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const usual = localTools({ FIRECRAWL_ALLOW_PRIVATE: 'true' })
afterAll(() => usual.close())

const text = 'The harbour of this page has a keeper, who writes a number into a book every morning.'
const page = (name: string, links: readonly string[], head = '') =>
  `<html><head><title>${name}</title>${head}</head><body><p>${name}: ${text}</p>${links.map(link => `<a href="${link}">x</a>`).join(' ')}</body></html>`

const start = async (
  options: LocalSiteOptions,
  settings?: Parameters<typeof localTools>[1],
  env?: Readonly<Record<string, string>>,
): Promise<{ site: LocalSite; tools: LocalTools }> => {
  const site = await startLocalSite(options)
  closing.push(site.stop)
  if (!settings && !env) return { site, tools: usual }
  const tools = localTools({ FIRECRAWL_ALLOW_PRIVATE: 'true', ...env }, settings)
  closing.push(tools.close)
  return { site, tools }
}

const pathsOf = (site: LocalSite, pages: readonly { readonly url: string }[]) =>
  pages.map(({ url }) => url.replace(site.url, ''))

test('the pages of a site are read, the nearest first, each once', async () => {
  const { site, tools } = await start({
    pages: {
      '/': page('Start', [
        '/a',
        '/b',
        '/a#part',
        '/',
        'https://elsewhere.example/',
        'mailto:a@example.org',
        '/file.pdf',
      ]),
      '/a': page('A', ['/c', '/b']),
      '/b': page('B', ['/d']),
      '/c': page('C', ['/e']),
      '/d': page('D', []),
      '/e': page('E', []),
    },
  })
  const { count, pages, content, skipped, stopped } = await tools.crawl(`${site.url}/`, { depth: 2 })
  expect(pathsOf(site, pages)).toEqual(['/', '/a', '/b', '/c', '/d'])
  expect({ count, skipped, stopped }).toEqual({ count: 5, skipped: [], stopped: undefined })
  expect(content.text).toContain(`<${site.url}/c>\n\n# C\n\nC: ${text}`)
  expect(site.requests.map(({ path }) => path).toSorted()).toEqual(['/', '/a', '/b', '/c', '/d', '/robots.txt'])
  expect(tools.parts.map(({ name }) => name)).toEqual(Array.from({ length: 5 }, () => 'crawl-progress'))
  expect(tools.parts.at(-1)?.data).toMatchObject({ pages: 5 })
})

test('a crawl stays below the folder of its first page, and within the page limit', async () => {
  const { site, tools } = await start({
    pages: {
      '/docs/': page('Docs', ['/docs/1', '/docs/2', '/docs/3', '/shop', '../about']),
      '/docs/1': page('1', []),
      '/docs/2': page('2', []),
      '/docs/3': page('3', []),
    },
  })
  expect(pathsOf(site, (await tools.crawl(`${site.url}/docs/`, { limit: 3 })).pages)).toEqual([
    '/docs/',
    '/docs/1',
    '/docs/2',
  ])
  expect(pathsOf(site, (await tools.crawl(`${site.url}/docs/`, { depth: 0 })).pages)).toEqual(['/docs/'])
})

test('pages that say where they belong are read once, and what asks not to be followed is not', async () => {
  const { site, tools } = await start({
    pages: {
      '/': page('Start', ['/a', '/a?ref=1', '/closed']).replace('</body>', '<a rel="nofollow" href="/n">n</a></body>'),
      '/a': page('A', [], '<link rel="canonical" href="/a">'),
      '/a?ref=1': page('A', [], '<link rel="canonical" href="/a">'),
      '/closed': page('Closed', ['/behind'], '<meta name="robots" content="noindex, nofollow">'),
      '/behind': page('Behind', []),
      '/n': page('N', []),
    },
  })
  const { pages } = await tools.crawl(`${site.url}/`)
  expect(pathsOf(site, pages)).toEqual(['/', '/a', '/closed'])
})

test('pages that cannot be read are reported with the reason', async () => {
  const { site, tools } = await start({
    robots: 'User-agent: *\nDisallow: /private',
    pages: { '/': page('Start', ['/private', '/missing', '/image', '/app', '/article']) },
  })
  const { pages, skipped } = await tools.crawl(`${site.url}/`, { depth: 1 })
  expect(pathsOf(site, pages)).toEqual(['/', '/article'])
  expect(skipped.toSorted((one, other) => (one.url < other.url ? -1 : 1))).toEqual([
    { url: `${site.url}/app`, reason: 'The page has no text.' },
    { url: `${site.url}/image`, reason: expect.stringContaining('an image') },
    { url: `${site.url}/missing`, reason: expect.stringContaining('404') },
    { url: `${site.url}/private`, reason: expect.stringContaining('robots.txt') },
  ])
})

test('a first page that cannot be read is a failure', async () => {
  const { site, tools } = await start({})
  await expect(tools.crawl(`${site.url}/missing`)).rejects.toThrow('404')
  await expect(tools.crawl('file:///etc/passwd')).rejects.toThrow('only http and https')
})

test('pages that were read within the time limit are the result', async () => {
  const { site, tools } = await start(
    { pages: { '/': page('Start', ['/silent', '/drip']) } },
    { crawlTimeLimitMs: 1_500 },
  )
  // It is kept from then on, so that the time is over while the others are waited for.
  await tools.scrape(`${site.url}/`)
  const { pages, stopped } = await tools.crawl(`${site.url}/`)
  expect(pathsOf(site, pages)).toEqual(['/'])
  expect(stopped).toBe('The crawl exceeded its time limit of 1.5 s.')
})

test('a person who stops ends it', async () => {
  const { site, tools } = await start({ pages: { '/': page('Start', ['/silent']) } })
  const controller = new AbortController()
  const crawling = tools.crawl(`${site.url}/`, {}, controller.signal)
  await expect.poll(() => site.requests.some(({ path }) => path === '/silent')).toBe(true)
  controller.abort(new Error('enough'))
  await expect(crawling).rejects.toThrow('enough')
})

test('the pages of a minute are counted, and what was read until then is the result', async () => {
  const { site, tools } = await start(
    { pages: { '/': page('Start', ['/article', '/forum', '/shop']) } },
    {},
    { FIRECRAWL_PAGES_PER_MINUTE: '2' },
  )
  const { pages, stopped } = await tools.crawl(`${site.url}/`)
  expect(pages.length).toBeLessThanOrEqual(2)
  expect(stopped).toContain('more than 2 pages in a minute')
})

test('requests to a site keep the pause that it asks for', async () => {
  const sent: number[] = []
  const { site, tools } = await start(
    {
      robots: 'User-agent: *\nCrawl-delay: 0.2',
      pages: { '/': page('Start', ['/a', '/b']), '/a': page('A', []), '/b': page('B', []) },
    },
    {
      // When they are sent: a busy computer may take them in later.
      fetch: (url, request) => {
        sent.push(performance.now())
        return guardedFetch(url, request)
      },
    },
  )
  await tools.crawl(`${site.url}/`)
  const [, first, second, third] = sent
  expect(second! - first!).toBeGreaterThan(150)
  expect(third! - second!).toBeGreaterThan(150)
})
