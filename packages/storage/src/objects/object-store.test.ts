import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startObjectStore } from '../testing/object-store.test.helper.ts'
import { isObjectUrl, objectLocation } from './object-location.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'

const partBytes = 100_000

const open = async (
  more: Record<string, string> = {},
  url = 's3://oracle/a/b',
  options: Parameters<typeof openObjectStore>[1] = {},
) => {
  const peer = await startObjectStore()
  const store = await openObjectStore(objectLocation(url, { ...peer.env, ...more }), { partBytes, ...options })
  return { peer, store }
}

const all = async (content: AsyncIterable<Uint8Array> | undefined) => content && buffer(content)

const listed = async (store: ObjectStore, folder = '') => {
  const keys: string[] = []
  for await (const page of store.list(folder)) keys.push(...page.map(({ key }) => key))
  return keys
}

async function* chunksOf(content: Buffer, size: number) {
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size)
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => error.code,
  )

test('signs the token of a temporary key with each request', async () => {
  const { store, peer } = await open({ AWS_SESSION_TOKEN: 'token/of+one=' })
  peer.interfere = ({ headers }) => {
    const isSigned = headers.authorization?.includes('x-amz-security-token')
    return isSigned && headers['x-amz-security-token'] === 'token/of+one=' ? undefined : { status: 403 }
  }
  await store.put('x', 'content')
  expect(await store.sizeOf('x')).toBe(7)
})

test('stores, reads, lists, copies and deletes objects below its folder', async () => {
  const { store, peer } = await open()
  await store.put('x/one', 'content')
  await store.put('x/none', '')
  await store.put('y/two', 'other')
  const other = await openObjectStore(objectLocation('s3://oracle', peer.env))
  expect(await listed(other)).toEqual(['a/b/x/none', 'a/b/x/one', 'a/b/y/two'])
  const read = async (key: string, from?: number, to?: number) => {
    const opened = await store.get(key, from === undefined ? undefined : { from, to: to! })
    return opened && [opened.bytes, String(await all(opened.content))]
  }
  expect(await read('x/one')).toEqual([7, 'content'])
  expect(await read('x/one', 2, 3)).toEqual([7, 'nt'])
  expect(await read('x/none')).toEqual([0, ''])
  expect(await read('x/three')).toBeUndefined()
  expect([await store.sizeOf('x/one'), await store.sizeOf('x/three')]).toEqual([7, undefined])
  await store.copy('x/one', 'z')
  expect(await read('z')).toEqual([7, 'content'])
  expect(await listed(store, 'x/')).toEqual(['x/none', 'x/one'])
  await store.remove(['x/one', 'x/none', 'x/three'])
  expect(await listed(store, 'x/')).toEqual([])
})

test('uploads a small stream in one request, and a large one in parts under its final name', async () => {
  const { store, peer } = await open()
  await store.upload(chunksOf(Buffer.from('small'), 2), { part: 'part', keyOf: () => 'small' })
  expect(peer.requests).toEqual(['PUT /oracle/a/b/small'])
  const content = randomBytes(2 * partBytes + 1)
  const hash = createHash('sha256')
  const source = async function* () {
    for await (const chunk of chunksOf(content, 30_000)) {
      hash.update(chunk)
      yield chunk
    }
  }
  await store.upload(source(), { part: 'part', keyOf: () => 'large' })
  const read = await all((await store.get('large'))?.content)
  expect(read?.equals(content)).toBe(true)
  expect(await listed(store)).toEqual(['large', 'small'])
  expect(peer.requests.filter(one => one.includes('partNumber'))).toHaveLength(3)
})

test('an upload whose source or part fails leaves no object, and is aborted', async () => {
  const { store, peer } = await open()
  const broken = async function* () {
    yield randomBytes(partBytes + 1)
    throw new Error('gone')
  }
  await expect(store.upload(broken(), { part: 'part', keyOf: () => 'large' })).rejects.toThrow('gone')
  expect(peer.requests.at(-1)).toMatch(/^DELETE \/oracle\/a\/b\/part\?uploadId=/)
  peer.interfere = ({ method, url }) =>
    method === 'PUT' && url?.includes('partNumber=2') ? { status: 507, code: 'InsufficientStorage' } : undefined
  const large = chunksOf(randomBytes(partBytes + 1), partBytes)
  expect(await codeOf(store.upload(large, { part: 'part', keyOf: () => 'large' }))).toBe('object_store_full')
  peer.interfere = undefined
  expect(await listed(store)).toEqual([])
})

test('reports a wrong key, a missing bucket and a clock that is off', async () => {
  const wrong = await open({ AWS_SECRET_ACCESS_KEY: 'very-secret' })
  const denied = await wrong.store.put('x', '1').catch(error => error)
  expect(denied).toMatchObject({
    code: 'object_store_denied',
    message: expect.stringContaining('SignatureDoesNotMatch'),
  })
  expect(denied.message).not.toContain('very-secret')
  expect(wrong.peer.requests).toHaveLength(1)
  const unknown = await open({ AWS_ACCESS_KEY_ID: 'unknown' })
  expect(await codeOf(unknown.store.put('x', '1'))).toBe('object_store_denied')
  const missing = await open({}, 's3://other')
  expect(await codeOf(missing.store.put('x', '1'))).toBe('object_store_missing')
  const minutes = (count: number) => ({ now: () => Date.now() + count * 60_000 })
  expect(await codeOf((await open({}, 's3://oracle', minutes(10))).store.put('x', '1'))).toBe('done')
  expect(await codeOf((await open({}, 's3://oracle', minutes(-16))).store.put('x', '1'))).toBe('object_store_clock')
})

test('repeats a request that failed for a temporary reason, and reports what lasts', async () => {
  const { store, peer } = await open()
  let failures = 2
  peer.interfere = () => {
    failures -= 1
    return failures === 1 ? 'hang up' : failures === 0 ? { status: 503, code: 'SlowDown' } : undefined
  }
  await store.put('x', '1')
  expect(peer.requests).toHaveLength(3)
  peer.interfere = () => ({ status: 503, code: 'SlowDown' })
  expect(await codeOf(store.put('x', '2'))).toBe('object_store_unavailable')
  peer.interfere = () => ({ status: 403, code: 'QuotaExceeded' })
  expect(await codeOf(store.put('x', '2'))).toBe('object_store_full')
  await peer.stop()
  expect(await store.get('x').catch(error => error)).toMatchObject({
    code: 'object_store_unavailable',
    message: expect.stringMatching(/127\.0\.0\.1:\d+ is not reachable/),
  })
})

test('sends no credentials to another host, and ends a response that stalls', async () => {
  const seen: string[] = []
  const elsewhere = createServer((request, response) => {
    seen.push(String(request.headers.authorization))
    response.end()
  })
  await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void elsewhere.close())
  const { store, peer } = await open({}, 's3://oracle', { pieceLimitMs: 50 })
  const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
  peer.interfere = () => ({ status: 307, headers: { location } })
  expect(await codeOf(store.put('x', '1'))).toBe('object_store_missing')
  expect(seen).toEqual([])
  peer.interfere = undefined
  await store.put('x', randomBytes(1_000_000))
  const stalled = createServer((_, response) => response.writeHead(200, { 'content-length': '5' }).write('ab'))
  await new Promise<void>(resolve => stalled.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => stalled.closeAllConnections())
  const AWS_ENDPOINT_URL = `http://127.0.0.1:${(stalled.address() as AddressInfo).port}`
  const other = await openObjectStore(objectLocation('s3://oracle', { ...peer.env, AWS_ENDPOINT_URL }), {
    pieceLimitMs: 50,
  })
  expect(await codeOf(all((await other.get('x'))?.content) as Promise<unknown>)).toBe('object_store_unavailable')
})

test('rejects addresses and settings that lead nowhere', () => {
  const env = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  for (const url of [
    's3://',
    's3://UPPER',
    's3://a/b c',
    's3://oracle/../x',
    'https://oracle/x',
    's3://oracle/.x',
    's3://u:p@oracle',
  ]) {
    expect(isObjectUrl(url), url).toBe(false)
    expect(() => objectLocation(url, env)).toThrow('Use s3://bucket/folder')
  }
  expect(objectLocation('s3://oracle/x/', env)).toMatchObject({
    bucketUrl: 'https://s3.eu-central-1.amazonaws.com/oracle',
    prefix: 'x/',
  })
  expect(() => objectLocation('s3://oracle', { AWS_REGION: 'x' })).toThrow('AWS_ACCESS_KEY_ID')
  for (const AWS_ENDPOINT_URL of ['ftp://x', 'x', 'https://u:p@x', 'https://x?y=1'])
    expect(() => objectLocation('s3://oracle', { ...env, AWS_ENDPOINT_URL })).toThrow('AWS_ENDPOINT_URL')
})
