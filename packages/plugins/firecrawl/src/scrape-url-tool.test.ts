import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalSite, startLocalSite } from './testing/local-site.ts'
import { type LocalTools, localTools } from './testing/local-tools.test.support.ts'

let site: LocalSite
let tools: LocalTools
beforeAll(async () => {
  site = await startLocalSite()
  tools = localTools({ FIRECRAWL_ALLOW_PRIVATE: 'true' })
})
afterAll(async () => {
  await tools.close()
  await site.stop()
})

const read = (path: string, input: Readonly<Record<string, unknown>> = {}) => tools.scrape(`${site.url}${path}`, input)

describe('a page is read:', () => {
  test('an article without what stands around it, and without what is hidden', async () => {
    const { content, isArticle, truncated, ...others } = await read('/article')
    expect({ isArticle, truncated }).toEqual({ isArticle: true, truncated: false })
    expect(others).toEqual({ url: `${site.url}/article`, status: 200, language: 'en' })
    expect(content.text).toBe(
      [
        '# The keeper of the water level – Coast Courier',
        'Ada Brook, 2026-10-01T08:30:00Z',
        'By Ada Brook',
        `Every morning at **six** the keeper of Lower Harbour walks to the gauge and writes a number into a book. She has done so for thirty-one years, and on two days alone the book has no number: those of [the great storm](${site.url}/storm#night).`,
        '“A number that is not written down is gone,” she says. The gauge is older than the harbour. It counts in *feet*, and the book in metres, so that she calculates in her head: one foot is 0.3048 metres.',
        '[image: A wooden gauge in grey water]',
        'The gauge of 1871',
        '## What the numbers tell',
        'Three things can be read from the book:',
        '- the moon, twice a month\n- the rain in the hills, two days late\n- the sea itself, which rises\n  - four millimetres a year at first\n  - five by now',
        '> The sea does not hurry, but it does not stop either.',
        'A copy of the book goes to the town hall at the end of each month. Whoever wants to see it has to ask, but nobody is refused, and on Sundays there is tea. The town would like an instrument that sends its numbers by itself. The keeper does not mind: somebody, she says, will have to look whether it is right.',
      ].join('\n\n'),
    )
  })

  test('documentation with tables, code, lists and links', async () => {
    const { content } = await read('/docs/guide/configure')
    for (const piece of [
      '| Name | Default | Meaning |\n| --- | --- | --- |\n| `interval` | 3600 | seconds between two numbers |\n| `unit` | metre | `metre` or `foot` \\| both are exact |\n| anything else |  | is refused at the start |',
      '```toml\n[gauge]\ninterval = 600\nunit = "metre"   # not foot\n```',
      '```sh\ngauge --config gauge.toml \\\n  --once\n```',
      '3. Wait for the first number.\n4. Compare it with the staff.',
      '**Level**',
      '10^6 and water is H_2O.\nUse \\*care\\* with_underscores and \\`ticks\\`.',
      `[The reference](${site.url}/docs/reference/) has more, this does not, [we](mailto:gauge@example.org) answer.`,
    ]) {
      expect(content.text).toContain(piece)
    }
    expect(content.text).not.toContain('javascript:')
  })

  test('a list of products with where each leads', async () => {
    const { content } = await read('/shop')
    expect(content.text).toContain(`### [Lantern no. 24](${site.url}/shop/24)`)
    expect(content.text).toContain('72.50 €')
  })

  test('a forum with every post', async () => {
    const { content } = await read('/forum')
    for (const number of [1, 2, 3, 4]) expect(content.text).toContain(`Answer number ${number}:`)
  })

  test.each([
    ['/news-1251', 'Сегодня утром вода поднялась на три сантиметра'],
    ['/news-sjis', '今朝、水位が三センチ上がり'],
    ['/news-utf16', 'Σήμερα το πρωί το νερό ανέβηκε τρία εκατοστά.'],
    ['/notes.txt', '# Not a heading?\n\nPlain text, as it stands: café.'],
    ['/notes.md', '# Notes\n\n- one\n- two\n\n!\\[](https://evil.example/?seen)\n'],
    ['/level.json', '```json\n{"level":2.31,"unit":"metre"}\n```'],
    ['/feed.xml', '```xml\n<?xml version="1.0"?><rss><channel/></rss>\n```'],
  ])('%s in its own charset and type', async (path, piece) => {
    expect((await read(path)).content.text).toContain(piece)
  })

  test('follows a redirect, and the result contains the final address', async () => {
    expect(await read('/redirect-good')).toMatchObject({ url: `${site.url}/article` })
  })

  test.each([
    ['file:///etc/passwd', 'only http and https are allowed'],
    ['javascript:alert(1)', 'only http and https are allowed'],
    ['http://user:secret@example.org/', 'it has a user name or password'],
    ['http://', 'not that of a web page'],
    ['http://169.254.169.254/latest/', 'is not a public address'],
    ['localhost:22/x', 'only the ports'],
  ])('%s is rejected', async (url, reason) => {
    await expect(tools.scrape(url)).rejects.toThrow(reason)
  })
})

test('a long page is read in pieces, from one request, until it expires after some minutes', async () => {
  const fetched = () => site.requests.filter(({ path }) => path === '/large').length
  const first = await read('/large', { max: 1_000 })
  expect(first).toMatchObject({ truncated: true })
  expect(first.content.text).toMatch(/^# The book of the mill[\s\S]{800,}\s$/)
  const second = await read('/large#part', { offset: first.nextOffset, max: 1_000 })
  expect(first.content.text + second.content.text).toMatch(/In its 4\. year the mill stood still for 6 days/)
  await expect(read('/large', { offset: 900_000 })).rejects.toThrow('The page ends before character 900000.')
  expect(fetched()).toBe(1)
  tools.wait(6 * 60_000)
  await read('/large')
  expect(fetched()).toBe(2)
})

test('all of a page is read where that is wanted, and its links are listed', async () => {
  const { content, isArticle, links } = await read('/article', { whole: true, links: true })
  expect(isArticle).toBe(false)
  expect(content.text).toContain('all rights reserved')
  expect(content.text).not.toContain('hidden order')
  expect(links?.text).toContain(`- Eels come back <${site.url}/eels>`)
  expect(links?.text).not.toContain('javascript:')
})

test('sites receive our user agent, and no cookies are stored', async () => {
  tools.wait(6 * 60_000)
  await read('/article')
  await read('/forum')
  const request = site.requests.at(-1)
  expect(request).toMatchObject({
    userAgent: 'SibylBot/1.0 (+https://oracle.example.org)',
    acceptEncoding: 'identity',
    cookie: undefined,
  })
})
