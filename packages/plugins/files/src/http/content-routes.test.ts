import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { recordedLogger, testActor } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { filePath } from '../content/file-path.ts'
import {
  at,
  bootFiles,
  codeOf,
  everythingIn,
  folderOfTest,
  personFolder,
  waysTo,
} from '../testing/files-oracle.test.support.ts'

const tagOf = (content: string) => `"${createHash('sha256').update(content).digest('hex')}"`

test('a file is kept, sent to be saved, overwritten by who knows it, and deleted', async () => {
  const oracle = await bootFiles()
  await using _ = oracle
  const { put, get, del, list } = oracle
  const made = await put('berichte/Grün “1”.html', '<script>1</script>', { 'if-none-match': '*' })
  expect(made.status).toBe(201)
  expect(made.headers.get('location')).toBe('/files/content?path=berichte%2FGr%C3%BCn%20%E2%80%9C1%E2%80%9D.html')
  const record = await made.json()
  expect(record).toMatchObject({ path: 'berichte/Grün “1”.html', bytes: 18, mediaType: 'text/html' })
  const etag = `"${record.sha256}"`
  expect(made.headers.get('etag')).toBe(etag)

  const sent = await get('berichte/Grün “1”.html')
  expect(await sent.text()).toBe('<script>1</script>')
  expect(Object.fromEntries(sent.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '18',
    'content-disposition': `attachment; filename="Grun _1_.html"; filename*=UTF-8''Gr%C3%BCn%20%E2%80%9C1%E2%80%9D.html`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag,
  })
  const head = await oracle.actor.request(at('berichte/Grün “1”.html'), { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '18', ''])

  expect(await codeOf(await put('berichte/Grün “1”.html', 'x'))).toBe('428 file_condition_missing')
  expect(await codeOf(await put('berichte/Grün “1”.html', 'x', { 'if-none-match': '*' }))).toBe('412 file_changed')
  expect(await codeOf(await put('berichte/Grün “1”.html', 'x', { 'if-match': '"0"' }))).toBe('412 file_changed')
  expect(await codeOf(await put('new.txt', 'x', { 'if-match': '*' }))).toBe('412 file_changed')
  expect(
    (
      await put('berichte/Grün “1”.html', '{"a":[', {
        'if-match': `"0", W/${etag}`,
        'content-type': 'application/json',
      })
    ).status,
  ).toBe(200)
  expect(await codeOf(await put('new.txt', 'x', { 'content-range': 'bytes 0-0/1' }))).toBe('415 file_form_refused')
  expect(await codeOf(await put('new.txt', 'x', { 'content-encoding': 'gzip' }))).toBe('415 file_form_refused')
  expect(await list()).toMatchObject({
    files: [{ bytes: 6, mediaType: 'application/json' }],
    usage: { bytes: 24, files: 1, versions: 1, quotaBytes: 100_000_000, maxFileBytes: 25_000_000, versionDays: 30 },
  })

  expect(await codeOf(await del('berichte/Grün “1”.html', {}))).toBe('428 file_condition_missing')
  expect(await codeOf(await del('berichte/Grün “1”.html', { 'if-match': etag }))).toBe('412 file_changed')
  expect((await del('berichte/Grün “1”.html')).status).toBe(204)
  expect(await codeOf(await del('berichte/Grün “1”.html'))).toBe('404 file_not_found')
  expect(await codeOf(await get('berichte/Grün “1”.html'))).toBe('404 file_not_found')
})

test('parts and conditions of a read are as RFC 9110 has them', async () => {
  const oracle = await bootFiles()
  await using _ = oracle
  const { get } = oracle
  await oracle.put('ten.txt', '0123456789')
  await oracle.put('empty.zip', '')
  const part = async (range: string, more: Record<string, string> = {}, path = 'ten.txt') => {
    const answer = await get(path, { range, ...more })
    const text = await answer.text()
    return [answer.status, answer.headers.get('content-range'), answer.status === 416 ? JSON.parse(text).code : text]
  }
  expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await part('bytes=-99')).toEqual([206, 'bytes 0-9/10', '0123456789'])
  expect(await part('bytes=9-999')).toEqual([206, 'bytes 9-9/10', '9'])
  for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0'])
    expect(await part(range)).toEqual([416, 'bytes */10', 'file_range_invalid'])
  for (const range of [
    'bytes=4-2',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'items=0-1',
    'bytes=0-1,3-4',
    'bytes=1e3-',
    'bytes=99999999999999999999-',
    '\t',
  ])
    expect(await part(range), range).toEqual([200, null, '0123456789'])
  expect(await part('bytes=0-', {}, 'empty.zip')).toEqual([416, 'bytes */0', 'file_range_invalid'])
  expect(await part('bytes=-5', {}, 'empty.zip')).toEqual([200, null, ''])
  const etag = tagOf('0123456789')
  expect(await part('bytes=0-1', { 'if-range': etag })).toEqual([206, 'bytes 0-1/10', '01'])
  for (const stale of ['"old"', `W/${etag}`, 'Sat, 21 Nov 2026 12:00:00 GMT'])
    expect((await part('bytes=0-1', { 'if-range': stale }))[0]).toBe(200)
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = await get('ten.txt', { 'if-none-match': known })
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, etag, ''])
  }
  expect(await (await get('ten.txt', { 'if-none-match': '"other"' })).text()).toBe('0123456789')
  expect(await codeOf(await get('ten.txt', { 'if-match': '"other"' }))).toBe('412 file_changed')
})

test('names with tricks are rejected, look-alikes are one file, and none of them is a place on the disk', async () => {
  const oracle = await bootFiles()
  await using _ = oracle
  const { put, get, list, folder } = oracle
  const refused = [
    ...[
      '/etc/passwd',
      '../up',
      'a/../../up',
      './a',
      'a//b',
      'a/',
      '..',
      'C:\\x',
      'a\\..\\b',
      ' a',
      'a ',
      'a/ b',
      '   ',
    ],
    ...[
      'a\0b',
      'a\nb',
      'a\u202eb.txt',
      'a\u200bb',
      'a\u2066b',
      '\ufeffa',
      'a\u00adb',
      'a\u200d.txt',
      '\u200d',
      'a\u2028b',
    ],
    ...['x'.repeat(256), `${'ä'.repeat(128)}`, Array(17).fill('d').join('/'), Array(9).fill('x'.repeat(120)).join('/')],
  ]
  for (const path of refused)
    expect(await codeOf(await put(path, 'x')), JSON.stringify(path)).toBe('400 file_path_invalid')
  expect(() => filePath('a\ud800')).toThrow('half of a surrogate pair')
  expect(everythingIn(folder)).toEqual([])

  expect((await put('Cafe\u0301.txt', 'one')).status).toBe(201)
  expect(await codeOf(await put('Caf\u00e9.txt', 'two'))).toBe('428 file_condition_missing')
  expect(await (await get('Caf\u00e9.txt')).text()).toBe('one')
  const odd = [
    'CON',
    'aux.txt',
    'dots...',
    '...',
    'caf\u00e9.TXT',
    '%2e%2e%2fx',
    '~root',
    '-rf',
    '.htaccess',
    "'; drop table files_entries; --",
  ]
  for (const path of odd) expect((await put(path, path)).status, path).toBe(201)
  expect((await put('\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.docx', 'persian')).status).toBe(201)
  expect(await codeOf(await put('\u0645\u06cc\u062e\u0648\u0627\u0647\u0645.docx', 'joined'))).toBe(
    '428 file_condition_missing',
  )
  expect((await put('\u2764\ufe0f.md', 'emoji')).status).toBe(201)
  for (const path of odd) expect(await (await get(path)).text(), path).toBe(path)
  expect((await list()).files.map(({ path }: { path: string }) => path)).toContain('Caf\u00e9.txt')
  for (const name of everythingIn(folder))
    expect(name).toMatch(/^store-[0-9a-f]{16}\/[0-9a-f]{64}\/[0-9a-f]{64}\.[0-9a-f]{24}$/)
  expect((await list('?under=dots')).files).toEqual([])
  expect(await codeOf(await oracle.actor.request('/files?under=../x'))).toBe('400 file_path_invalid')
})

test('links planted in the folder are rejected, and nothing outside is read, written or deleted', async () => {
  const log = recordedLogger()
  const oracle = await bootFiles({ logger: log })
  await using _ = oracle
  const { put, get, folder } = oracle
  const outside = folderOfTest()
  writeFileSync(join(outside, 'secret'), 'eleven byte')
  await put('a.txt', 'hello world')
  const own = personFolder(folder)
  const [blob = ''] = readdirSync(own)
  rmSync(join(own, blob))
  symlinkSync(join(outside, 'secret'), join(own, blob))
  expect(await codeOf(await get('a.txt'))).toBe('503 files_storage_failed')
  expect(JSON.stringify(log.lines)).not.toContain(outside)
  expect((await put('b.txt', 'hello world')).status).toBe(201)
  expect(await (await get('a.txt')).text()).toBe('hello world')

  renameSync(own, `${own}-moved`)
  symlinkSync(outside, own)
  expect(await codeOf(await get('a.txt'))).toBe('503 files_storage_failed')
  expect(await codeOf(await put('c.txt', 'more'))).toBe('503 files_storage_failed')
  expect((await oracle.del('a.txt', undefined, '&forever=true')).status).toBe(204)
  expect(readdirSync(outside)).toEqual(['secret'])
  rmSync(own)
  mkdirSync(own)
  expect(await codeOf(await get('b.txt'))).toBe('503 files_storage_failed')
  expect((await put('c.txt', 'more')).status).toBe(201)
})

test('of concurrent overwrites of one state one succeeds, and users only see their own files', async () => {
  const oracle = await bootFiles()
  await using _ = oracle
  await oracle.put('a.txt', 'start')
  const race = (headers: Record<string, string>, path: string) =>
    Promise.all(
      Array.from({ length: 8 }, async (_, place) => (await oracle.put(path, `content ${place}`, headers)).status),
    )
  expect((await race({ 'if-match': tagOf('start') }, 'a.txt')).toSorted()).toEqual([200, ...Array(7).fill(412)])
  expect((await race({ 'if-none-match': '*' }, 'b.txt')).toSorted()).toEqual([201, ...Array(7).fill(412)])
  expect((await race({}, 'c.txt')).toSorted()).toEqual([201, ...Array(7).fill(428)])
  expect((await oracle.list()).usage).toMatchObject({ files: 3, versions: 1 })
  expect(everythingIn(oracle.folder)).toHaveLength(
    new Set((await oracle.list()).files.map((one: { sha256: string }) => one.sha256)).size + 1,
  )

  const other = waysTo(testActor(oracle.app))
  expect(await codeOf(await other.get('a.txt'))).toBe('404 file_not_found')
  expect(await codeOf(await other.del('a.txt'))).toBe('404 file_not_found')
  expect((await other.list()).files).toEqual([])
  const { versions } = await (await oracle.actor.request('/files/versions')).json()
  expect(await codeOf(await other.get('a.txt', {}, `&version=${versions[0].id}`))).toBe('404 file_version_not_found')
  for (const [method, path] of [
    ['GET', '/files'],
    ['GET', at('a.txt')],
    ['PUT', at('a.txt')],
    ['DELETE', at('a.txt')],
    ['GET', '/files/versions'],
    ['POST', `/files/versions/${versions[0].id}/restore`],
    ['GET', '/files/search?q=a'],
  ] as const)
    expect((await oracle.app.request(path, { method })).status, path).toBe(401)
})

describe('on a socket', () => {
  test('an upload that reaches the quota or the size of a file is stopped, and leaves nothing', async () => {
    const oracle = await bootFiles({ env: { FILES_QUOTA_MB: '3', FILES_MAX_FILE_MB: '2' } })
    await using _ = oracle
    const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
    const megabyte = Buffer.alloc(1_000_000, 'x')
    /** Sends pieces one by one, without saying how many there are. */
    const stream = async (path: string, pieces: number) => {
      const authorization = `Bearer ${await oracle.actor.token()}`
      const outgoing = request({ port, method: 'PUT', path: at(path), headers: { authorization } })
      const answered = once(outgoing, 'response')
      outgoing.on('error', () => {})
      for (let piece = 0; piece < pieces && !outgoing.destroyed; piece += 1) {
        megabyte[0] = piece
        await Promise.race([new Promise(resolve => outgoing.write(Buffer.from(megabyte), resolve)), answered])
      }
      outgoing.end()
      const [incoming] = await answered
      const body = JSON.parse((await incoming.toArray()).join(''))
      return `${incoming.statusCode} ${body.code ?? body.bytes}`
    }
    expect(await stream('two.bin', 2)).toBe('201 2000000')
    expect(await stream('much.bin', 30)).toMatch(/^413 (files_quota_reached|body_too_large)$/)
    expect(await stream('two.bin', 2)).toBe('428 file_condition_missing')
    expect((await oracle.put('half.bin', Buffer.alloc(500_000, 'h'))).status).toBe(201)
    expect(await codeOf(await oracle.put('more.bin', Buffer.alloc(500_001, 'm')))).toBe('413 files_quota_reached')
    expect((await oracle.put('copy.bin', Buffer.alloc(500_000, 'h'))).status).toBe(201)
    expect(everythingIn(oracle.folder)).toHaveLength(2)
    expect((await oracle.list()).usage).toMatchObject({ bytes: 2_500_000, files: 3 })
    const both = await Promise.all(
      ['p.bin', 'q.bin'].map((path, place) => oracle.put(path, Buffer.alloc(400_000, `${place}`))),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 413])
    expect(everythingIn(oracle.folder)).toHaveLength(3)
    expect(await codeOf(await oracle.put('big.bin', Buffer.alloc(2_000_001)))).toBe('413 body_too_large')
  })

  test('an upload whose client goes away leaves nothing, and a large one comes back whole', async () => {
    const oracle = await bootFiles()
    await using _ = oracle
    const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
    const authorization = `Bearer ${await oracle.actor.token()}`
    const outgoing = request({ port, method: 'PUT', path: at('gone.bin'), headers: { authorization } })
    outgoing.on('error', () => {})
    outgoing.write(Buffer.alloc(100_000))
    while (!everythingIn(oracle.folder).some(name => name.endsWith('.part'))) await new Promise(setImmediate)
    outgoing.destroy()
    while (everythingIn(oracle.folder).length > 0) await new Promise(setImmediate)
    expect((await oracle.list()).usage).toMatchObject({ bytes: 0, files: 0 })

    const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, place) => place % 251))
    expect((await oracle.put('large.bin', content)).status).toBe(201)
    const answer = await fetch(`http://127.0.0.1:${port}${at('large.bin')}`, {
      headers: { authorization: `Bearer ${await oracle.actor.token()}` },
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })
})
