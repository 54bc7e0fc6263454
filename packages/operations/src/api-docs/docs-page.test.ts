import { type TestApp, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'

const read = async ({ app }: TestApp, path: string, headers: Record<string, string> = {}) => {
  const answer = await app.request(path, { headers })
  return {
    answer,
    status: answer.status,
    header: (name: string) => answer.headers.get(name),
    text: await answer.text(),
  }
}

/** Returns the files that the page references. */
const filesOf = (page: string) => [...page.matchAll(/(?:href|src)="(docs\/[^"]+)"/g)].map(([, file]) => `/${file}`)

test('the page may load its own files and call its own origin, and nothing else', async () => {
  await using oracle = await testApp({ plugins: [] })
  const { status, header, text } = await read(oracle, '/docs')
  const [, nonce] = /nonce-([\w+/]{24})'/.exec(header('content-security-policy') ?? '') ?? []
  expect(status).toBe(200)
  expect(header('content-type')).toBe('text/html; charset=utf-8')
  expect(header('cache-control')).toBe('no-store')
  expect(header('content-security-policy')).toBe(
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; connect-src 'self'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  const loading = text.match(/<(script|link rel="stylesheet")[^>]*>/g)!
  expect(loading).toHaveLength(4)
  for (const tag of loading) expect(tag).toContain(`nonce="${nonce}"`)
  expect(text).not.toMatch(/ style=| on[a-z]+=|<style|<script[^>]*>[^<]/)
  expect((await read(oracle, '/docs')).header('content-security-policy')).not.toContain(nonce)
})

test('loads nothing from outside', async () => {
  await using oracle = await testApp({ plugins: [] })
  const { text: page } = await read(oracle, '/docs')
  expect(page).not.toMatch(/https?:|\/\//)
  for (const file of filesOf(page)) {
    const { text } = await read(oracle, file)
    if (file.endsWith('.css')) {
      const urls = [...text.matchAll(/url\(["']?(.{5})/g)].map(([, start]) => start)
      expect(text.includes('@import') || urls.some(start => start !== 'data:')).toBe(false)
    } else if (file.includes('/page-')) {
      expect(text.replaceAll('http://localhost:3000', '')).not.toMatch(/https?:/)
      expect(text).toContain('validatorUrl: null')
    }
  }
})

test('its files are named by content hash, and cached without expiry', async () => {
  await using oracle = await testApp({ plugins: [] })
  const files = filesOf((await read(oracle, '/docs')).text)
  expect(files.map(file => file.replace(/-[0-9a-f]{16}/, ''))).toEqual([
    '/docs/swagger-ui.css',
    '/docs/page.css',
    '/docs/swagger-ui.js',
    '/docs/page.js',
  ])
  for (const file of files) {
    const { status, header, text } = await read(oracle, file)
    expect(status).toBe(200)
    expect(header('content-type')).toBe(
      file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    )
    expect(header('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(header('content-encoding')).toBeNull()
    const zipped = await oracle.app.request(file, { headers: { 'accept-encoding': 'br, gzip;q=0.8' } })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    const stream = zipped.body!.pipeThrough(new DecompressionStream('gzip'))
    expect(await new Response(stream).text()).toBe(text)
    expect((await read(oracle, file, { 'accept-encoding': 'gzip;q=0, br' })).header('content-encoding')).toBeNull()
  }
})

test.each(['/docs/nothing.js', '/docs/page.js', '/docs/..%2fopenapi.json', '/docs/a/b', '/docs/%00'])(
  'returns 404 for %s',
  async path => {
    await using oracle = await testApp({ plugins: [] })
    const { status, header, text } = await read(oracle, path)
    expect([status, header('content-type'), JSON.parse(text).code]).toEqual([
      404,
      'application/problem+json',
      'route_not_found',
    ])
  },
)

test('leads an address with a slash at its end to the one without', async () => {
  await using oracle = await testApp({ plugins: [] })
  const { status, header } = await read(oracle, '/docs/?x=1')
  expect([status, header('location')]).toEqual([308, '../docs?x=1'])
})

test("escapes the oracle's name", async () => {
  await using oracle = await testApp({ plugins: [], env: { ORACLE_NAME: `<script>alert('1')</script> & "Co"` } })
  const { text } = await read(oracle, '/docs')
  expect(text).toContain('<title>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;Co&quot;: API</title>')
  expect(text).not.toContain('<script>alert')
})

test('explains how to get a bearer', async () => {
  await using oracle = await testApp({ plugins: [] })
  const { text } = await read(oracle, '/docs')
  expect(text).toContain('<code id="command">npx sibyl token --bearer</code>')
  expect(text).toContain('<label for="token">')
})
