import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KnownOracles } from './known-oracles.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sibyl-known-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('known oracles', () => {
  it('are remembered by address', async () => {
    const known = new KnownOracles(folder)
    expect(await known.find('https://a.example')).toBeUndefined()
    await known.remember('https://a.example', 'did:key:a')
    await known.remember('https://b.example', 'did:key:b')
    await known.remember('https://a.example', 'did:key:new')
    expect(await new KnownOracles(folder).find('https://a.example')).toBe('did:key:new')
    expect(await new KnownOracles(folder).find('https://b.example')).toBe('did:key:b')
    expect(await readdir(folder)).toEqual(['known-oracles.json'])
  })

  it.each(['http://localhost:3000', 'http://127.0.0.1:80', 'http://[::1]:3000', 'http://a.localhost'])(
    'exclude those of this computer: %s',
    async url => {
      const known = new KnownOracles(folder)
      await known.remember(url, 'did:key:a')
      expect(await readdir(folder)).toEqual([])
    },
  )

  it('are not lost silently: a damaged file is an error', async () => {
    await writeFile(join(folder, 'known-oracles.json'), '{"a":')
    await expect(new KnownOracles(folder).find('https://a.example')).rejects.toThrow('is damaged')
  })
})
