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
const open = (env: Record<string, string> = {}) => testApp({ plugins: [explorer], env })

test('the page may load its own files and call its own origin, and no text becomes HTML', async () => {
  await using oracle = await open()
  const answer = await oracle.app.request('/explorer')
  const text = await answer.text()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  expect(text).not.toMatch(/ style=| on[a-z]+=|<style|<script[^>]*>[^<]|https?:|\/\//)
  expect([...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address)).toEqual([
    'data:,',
    'explorer/style.css',
    'explorer/app.js',
    'docs',
  ])
})

test("the oracle's name is text, whatever it is", async () => {
  await using oracle = await open({ ORACLE_NAME: `<img src=x onerror="alert(1)"> & 'Co'` })
  const text = await (await oracle.app.request('/explorer')).text()
  expect(text).toContain('<title>&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;Co&#39;: explorer</title>')
  expect(text).not.toContain('<img')
})

test('every module that the page loads is there, and none but its own', async () => {
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
    for (const [, specifier = ''] of text.matchAll(/^import .* from '(.*)'$/gm)) {
      expect(specifier).toMatch(/^\.\/[\w-]+\.js$/)
      await read(specifier.slice(2))
    }
  }
  await read('app.js')
  expect(seen.size).toBeGreaterThan(5)
})

test('sends a file again only after a change, and compressed if accepted', async () => {
  await using oracle = await open()
  const first = await oracle.app.request('/explorer/style.css')
  const etag = first.headers.get('etag') ?? ''
  const text = await first.text()
  expect(first.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(text).not.toMatch(/@import|url\(/)
  const again = await oracle.app.request('/explorer/style.css', { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const zipped = await oracle.app.request('/explorer/style.css', { headers: { 'accept-encoding': 'br, gzip' } })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(await new Response(zipped.body!.pipeThrough(new DecompressionStream('gzip'))).text()).toBe(text)
  const refused = await oracle.app.request('/explorer/style.css', { headers: { 'accept-encoding': 'gzip;q=0' } })
  expect(refused.headers.get('content-encoding')).toBeNull()
})

test('there is no other file', async () => {
  await using oracle = await open()
  const others = ['nothing.js', 'explorer-routes.ts', '..%2fexplorer-page.ts', 'app.js%00', 'api.test.ts', '__proto__']
  for (const file of others) {
    const answer = await oracle.app.request(`/explorer/${file}`)
    expect([file, answer.status, (await answer.json()).code]).toEqual([file, 404, 'route_not_found'])
  }
})
