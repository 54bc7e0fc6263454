import { definePlugin } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { explorerRoutes } from './explorer-routes.ts'

const explorer = definePlugin({
  name: 'explorer',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Explorer', summary: 'Serves the explorer.', whenToUse: ['never in a turn'] },
  setup: ({ oracle }) => ({ routes: explorerRoutes(oracle.name) }),
})
type Oracle = Awaited<ReturnType<typeof testApp>>
const open = (env: Record<string, string> = {}): Promise<Oracle> => testApp({ plugins: [explorer], env })
const pageOf = async ({ app }: Oracle): Promise<string> => (await app.request('/explorer')).text()

/** Returns the addresses in the page: those of scripts, styles and links. */
const addressesIn = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address = '']) => address)

test('the page may load its own files and call its own origin, and no text becomes HTML', async () => {
  await using oracle = await open()
  const answer = await oracle.app.request('/explorer')
  const text = await answer.text()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const nonce = /name="style-nonce" content="([\w+/=]{24})"/.exec(text)?.[1]
  expect(answer.headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src data:; connect-src 'self'; ` +
      "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
      "require-trusted-types-for 'script'; trusted-types default",
  )
  expect(text).not.toMatch(/ style=| on[a-z]+=|<style|<script[^>]*>[^<]|https?:|\/\/|\{\{/)
  const [icon, ...files] = addressesIn(text)
  expect([icon, files.pop()]).toEqual(['data:,', 'docs'])
  expect(files).toContainEqual(expect.stringMatching(/^explorer\/[\w-]+\.css$/))
  for (const file of files) expect(file).toMatch(/^explorer\/[\w-]+\.(js|css)$/)
  expect(await pageOf(oracle)).not.toContain(nonce)
})

test("the oracle's name is text, whatever it is", async () => {
  await using oracle = await open({ ORACLE_NAME: `<img src=x onerror="alert(1)"> & 'Co' $& {{nonce}}` })
  const text = await pageOf(oracle)
  expect(text).toContain('<title>&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;Co&#39; $&amp; {{nonce}}: ')
  expect(text).not.toContain('<img')
})

test('serves every script that the page loads, and the page loads none of others', async () => {
  await using oracle = await open()
  const seen = new Set<string>()
  const read = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    seen.add(file)
    const answer = await oracle.app.request(`/explorer/${file}`)
    expect([file, answer.status, answer.headers.get('content-type')]).toEqual([
      file,
      200,
      'text/javascript; charset=utf-8',
    ])
    const text = await answer.text()
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\(?[`"'](\.[^`"']*)[`"']/g)) {
      expect(specifier).toMatch(/^\.\/[\w.-]+\.js$/)
      await read(specifier.slice(2))
    }
  }
  for (const address of addressesIn(await pageOf(oracle))) {
    if (address.endsWith('.js')) await read(address.replace('explorer/', ''))
  }
  expect(seen.size).toBeGreaterThan(5)
  for (const file of seen) expect(file).not.toMatch(/sign-in|oauth|chat/)
})

test('a file is cached by its name, sent again only after a change, and compressed if accepted', async () => {
  await using oracle = await open()
  const style = addressesIn(await pageOf(oracle)).find(address => address.endsWith('.css'))
  const request = (headers: Record<string, string> = {}) => oracle.app.request(`/${style}`, { headers })
  const first = await request()
  const etag = first.headers.get('etag') ?? ''
  const text = await first.text()
  expect(first.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(text).not.toMatch(/@import|url\((?!data:)/)
  const again = await request({ 'if-none-match': etag })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect((await request({ 'accept-encoding': 'br, gzip' })).headers.get('content-encoding')).toBe('br')
  const zipped = await request({ 'accept-encoding': 'gzip' })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(await new Response(zipped.body!.pipeThrough(new DecompressionStream('gzip'))).text()).toBe(text)
  const refused = await request({ 'accept-encoding': 'gzip;q=0' })
  expect(refused.headers.get('content-encoding')).toBeNull()
})

test('serves no other file', async () => {
  await using oracle = await open()
  const others = ['nothing.js', 'explorer.html', 'manifest.json', '..%2fexplorer-routes.ts', 'app.js%00', '__proto__']
  for (const file of others) {
    const answer = await oracle.app.request(`/explorer/${file}`)
    expect([file, answer.status, (await answer.json()).code]).toEqual([file, 404, 'route_not_found'])
  }
})
