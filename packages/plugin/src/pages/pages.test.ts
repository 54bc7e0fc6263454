import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { assetResponse } from './asset-response.ts'
import { escapeHtml } from './escape-html.ts'
import { htmlResponse } from './html-response.ts'
import { pageAssets } from './page-assets.ts'
import { pagePolicy } from './page-policy.ts'

const style = 'body { color: navy }'

const folderWith = (files: Readonly<Record<string, string | Uint8Array>>) => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return (name: string) => join(folder, name)
}

const assetOf = async () => {
  const path = folderWith({ 'style.css': style })
  const [asset] = await pageAssets(() => [path('style.css')])()
  return asset!
}

const request = (headers: Record<string, string> = {}) => new Headers(headers)

test('text as HTML shows as it is', () => {
  expect(escapeHtml(`<a title="x">Tom & 'Co'</a>`)).toBe(
    '&lt;a title=&quot;x&quot;&gt;Tom &amp; &#39;Co&#39;&lt;/a&gt;',
  )
})

test('a page loads its own files and nothing else', async () => {
  const page = htmlResponse('<!doctype html>', { policy: pagePolicy() })
  expect(Object.fromEntries(page.headers)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  })
  expect(pagePolicy({ nonce: 'abc=' })).toBe(
    "default-src 'none'; script-src 'nonce-abc='; style-src 'nonce-abc='; img-src data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
})

test('files are read once, from the disk or as they were zipped', async () => {
  const path = folderWith({ 'style.css': style, 'app.js.gz': gzipSync('start()'), 'other.bin': 'x' })
  let reads = 0
  const assets = pageAssets(() => {
    reads += 1
    return [path('style.css'), path('app.js.gz'), { name: 'page.svg', path: path('other.bin') }, path('other.bin')]
  })
  const found = await assets()
  expect(await assets()).toBe(found)
  expect(reads).toBe(1)
  expect(found.map(({ name, type, plain }) => [name, type, Buffer.from(plain()).toString()])).toEqual([
    ['style.css', 'text/css; charset=utf-8', style],
    ['app.js', 'text/javascript; charset=utf-8', 'start()'],
    ['page.svg', 'image/svg+xml', 'x'],
    ['other.bin', 'application/octet-stream', 'x'],
  ])
  expect(found[0]!.hashedName).toMatch(/^style-[0-9a-f]{16}\.css$/)
  expect(found[0]!.etag).toMatch(/^"[0-9a-f]{32}"$/)
})

test('a failed read is retried, and a script in TypeScript is bundled', async () => {
  const path = folderWith({})('app.ts')
  const assets = pageAssets(() => [{ name: 'app.js', path }])
  await expect(assets()).rejects.toThrow(path)
  writeFileSync(path, "const text: string = 'typed'\nconsole.log(text)")
  expect(Buffer.from((await assets())[0]!.plain()).toString()).toMatch(/^console\.log\(.typed.\)/)
})

test('a file is sent zipped where that is accepted', async () => {
  const asset = await assetOf()
  const plain = assetResponse(asset, request())
  expect(await plain.text()).toBe(style)
  expect(Object.fromEntries(plain.headers)).toEqual({
    etag: asset.etag,
    'cache-control': 'no-cache',
    'content-type': 'text/css; charset=utf-8',
    vary: 'accept-encoding',
  })
  const zipped = assetResponse(asset, request({ 'accept-encoding': 'br, gzip' }))
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(style)
})

test('a file that was built with Brotli is sent so, by gzip or plain, as the caller accepts', async () => {
  const path = folderWith({ 'style.css.br': brotliCompressSync(style) })
  const [asset] = await pageAssets(() => [path('style.css.br')])()
  const answer = (accepted: string) => assetResponse(asset!, request({ 'accept-encoding': accepted }))
  const best = answer('gzip, br')
  expect([asset!.name, best.headers.get('content-encoding')]).toEqual(['style.css', 'br'])
  expect(brotliDecompressSync(await best.arrayBuffer()).toString()).toBe(style)
  const zipped = answer('gzip, br;q=0')
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(style)
  expect(await answer('').text()).toBe(style)
})

test.each([
  ['gzip', true],
  ['br;q=1.0, GZIP;q=0.5', true],
  ['*', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, *', false],
  ['br', false],
  ['', false],
])('accept-encoding %j is zipped: %s', async (acceptEncoding, isZipped) => {
  const { headers } = assetResponse(await assetOf(), request({ 'accept-encoding': acceptEncoding }))
  expect(headers.get('content-encoding')).toBe(isZipped ? 'gzip' : null)
})

test.each([
  [(etag: string) => etag, 304],
  [(etag: string) => `"other", W/${etag}`, 304],
  [() => '*', 304],
  [() => '"other"', 200],
])('a file that the caller has is not sent again (%#)', async (known, status) => {
  const asset = await assetOf()
  const response = assetResponse(asset, request({ 'if-none-match': known(asset.etag) }))
  expect([response.status, response.headers.get('etag')]).toEqual([status, asset.etag])
})

test('a file whose name has its hash is cached forever', async () => {
  const { headers } = assetResponse(await assetOf(), request(), { immutable: true })
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})
