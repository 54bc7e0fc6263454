import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type KeptLogin, KeptLogins } from './kept-logins.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sibyl-logins-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const login = (changes: Partial<KeptLogin> = {}): KeptLogin => ({
  registry: 'did:key:registry',
  url: 'http://localhost:4100',
  title: 'the devnet on this computer',
  controller: 'did:key:phone',
  method: 'qr',
  audience: 'did:key:computer',
  abilities: ['entities/*'],
  delegation: 'a.b.c',
  expiresAt: new Date(Date.now() + 60_000).toISOString(),
  ...changes,
})

test('stores one login per registry and controller, readable by its owner only', async () => {
  const logins = new KeptLogins(folder)
  expect(await logins.list()).toEqual([])
  await logins.keep(login({ delegation: 'the.first.one' }))
  await logins.keep(login({ controller: 'did:key:other' }))
  await logins.keep(login())
  expect(await logins.list()).toEqual([login({ controller: 'did:key:other' }), login()].map(anyEnd))
  expect((await stat(join(folder, 'logins.json'))).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(join(folder, 'logins.json'), 'utf8'))).toHaveLength(2)
})

test('finds the newest current one, of this computer and of the requested controller', async () => {
  const logins = new KeptLogins(folder)
  await logins.keep(login())
  await logins.keep(login({ controller: 'did:key:other' }))
  const find = (...asked: [string, string, string?]) => logins.find(...asked).then(found => found?.controller)
  expect(await find('did:key:registry', 'did:key:computer')).toBe('did:key:other')
  expect(await find('did:key:registry', 'did:key:computer', 'did:key:phone')).toBe('did:key:phone')
  expect(await find('did:key:registry', 'did:key:another-computer')).toBeUndefined()
  expect(await find('did:key:another-registry', 'did:key:computer')).toBeUndefined()
  await logins.keep(login({ expiresAt: new Date(Date.now() - 1000).toISOString() }))
  expect(await find('did:key:registry', 'did:key:computer', 'did:key:phone')).toBeUndefined()
})

test('removes matches, and returns them', async () => {
  const logins = new KeptLogins(folder)
  await logins.keep(login())
  await logins.keep(login({ registry: 'did:key:other' }))
  const dropped = await logins.drop(it => it.registry === 'did:key:other')
  expect(dropped.map(it => it.registry)).toEqual(['did:key:other'])
  expect((await logins.list()).map(it => it.registry)).toEqual(['did:key:registry'])
  expect(await logins.drop(() => false)).toEqual([])
})

test('reports a damaged file', async () => {
  for (const text of ['[{"registry":1}]', JSON.stringify([login({ delegation: 'a.b.c\r\nx: y' })])]) {
    await writeFile(join(folder, 'logins.json'), text)
    await expect(new KeptLogins(folder).list()).rejects.toMatchObject({ code: 'configuration_invalid' })
  }
})

const anyEnd = (kept: KeptLogin) => ({ ...kept, expiresAt: expect.any(String) })
