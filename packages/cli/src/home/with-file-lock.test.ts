import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KeptDelegations } from './kept-delegations.ts'
import { KeptLogins } from './kept-logins.ts'
import { KnownOracles } from './known-oracles.ts'
import { withFileLock } from './with-file-lock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sibyl-turn-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('concurrent writes of several commands are all kept', async () => {
  const expiresAt = new Date().toISOString()
  const common = { url: 'http://a.example', audience: 'did:key:a', abilities: [], expiresAt }
  await Promise.all(
    Array.from({ length: 8 }, async (_, number) => {
      const did = `did:key:${number}`
      const signed = { registry: did, title: 't', controller: 'did:key:c', method: 'qr', delegation: 'a.b.c' } as const
      await new KeptLogins(folder).keep({ ...common, ...signed })
      await new KeptDelegations(folder).keep({ ...common, oracle: did, issuer: 'did:key:c', token: 'a.b.c' })
      await new KnownOracles(folder).remember(`https://${number}.example`, did)
    }),
  )
  expect(await new KeptLogins(folder).list()).toHaveLength(8)
  expect(await new KeptDelegations(folder).list()).toHaveLength(8)
  for (let number = 0; number < 8; number += 1) {
    expect(await new KnownOracles(folder).find(`https://${number}.example`)).toBe(`did:key:${number}`)
  }
  expect((await readdir(folder)).toSorted()).toEqual(['delegations.json', 'known-oracles.json', 'logins.json'])
})

test('a turn whose process was killed ends', async () => {
  const path = join(folder, 'logins.json')
  await writeFile(`${path}.turn`, '')
  await utimes(`${path}.turn`, 0, 0)
  expect(await withFileLock(path, async () => 'done')).toBe('done')
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await readdir(folder)).toEqual([])
})
