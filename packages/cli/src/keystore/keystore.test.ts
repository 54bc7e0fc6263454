import { readdirSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Keystore } from './keystore.ts'
import { putKey } from './put-key.test.helper.ts'
import { unlockKey } from './read-passphrase.ts'

const passphrase = 'grün wie der Fluß'

let home: string
let keystore: Keystore
const remarks: string[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sibyl-keys-'))
  keystore = new Keystore(home, remark => remarks.push(remark), 2 ** 15)
})
afterEach(async () => {
  remarks.length = 0
  await rm(home, { recursive: true, force: true })
})

const fileOf = (name: string) => join(home, 'keys', `${name}.json`)
const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const put = (name: string) => putKey(home, name, passphrase)
const change = async (name: string, edit: (file: Record<string, never>) => object) => {
  const file = JSON.parse(await readFile(fileOf(name), 'utf8'))
  await writeFile(fileOf(name), JSON.stringify({ ...file, ...edit(file) }), { mode: 0o600 })
}

describe('the keystore', () => {
  it('returns a key for its passphrase only', async () => {
    const { did } = await put('work')
    const io = { env: { SIBYL_HOME: home } }
    expect((await unlockKey('work', passphrase, io)).did).toBe(did)
    // Composed or not, the same words are typed.
    expect((await unlockKey('work', passphrase.normalize('NFD'), io)).did).toBe(did)
    await expect(unlockKey('work', 'grun wie der Fluss', io)).rejects.toMatchObject({ code: 'passphrase_wrong' })
  })

  it('stores neither mnemonic nor passphrase readably, in files for their owner only', async () => {
    const words = createMnemonic(24)
    const { did } = await signingKeyFromMnemonic(words)
    // At the cost of real keys.
    const kept = await new Keystore(home).add('work', words, passphrase)
    expect(kept).toMatchObject({ name: 'work', did, path: fileOf('work') })
    expect(await new Keystore(home).find('work')).toEqual(kept)
    const text = await readFile(fileOf('work'), 'utf8')
    // A single word may also be the name of a member.
    const parts = words.reveal().split(' ')
    for (let place = 1; place < parts.length; place += 1) {
      expect(text).not.toContain(`${parts[place - 1]} ${parts[place]}`)
    }
    expect(text).not.toContain(passphrase)
    expect(await readdir(join(home, 'keys'))).toEqual(['work.json'])
    expect([await modeOf(fileOf('work')), await modeOf(join(home, 'keys'))]).toEqual([0o600, 0o700])
    expect(JSON.parse(text).kdf).toMatchObject({ name: 'scrypt', N: 131_072, r: 8, p: 1 })
  })

  it('never uses a name twice, also concurrently', async () => {
    const adding = () => keystore.add('work', createMnemonic(24), passphrase)
    const two = await Promise.allSettled([adding(), adding()])
    expect(two.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(two.find(it => it.status === 'rejected')).toMatchObject({
      reason: expect.objectContaining({ code: 'key_exists' }),
    })
  })

  it('lists keys followed by their retired ones', async () => {
    const first = await put('work')
    const { made, retired } = await keystore.rotate('work', createMnemonic(24), passphrase)
    await put('home')
    expect(retired).toMatchObject({ name: 'work.1', did: first.did, createdAt: '2026-11-21T20:00:00Z' })
    expect(retired.retiredAt).toEqual(expect.any(String))
    expect(made.did).not.toBe(first.did)
    expect((await keystore.list()).map(({ name, did }) => [name, did])).toEqual([
      ['home', expect.any(String)],
      ['work', made.did],
      ['work.1', first.did],
    ])
    expect((await keystore.open('work.1', passphrase)).key.did).toBe(first.did)
  })

  it('changes nothing if a key to rotate does not open', async () => {
    const { did } = await put('work')
    await expect(keystore.rotate('work', createMnemonic(24), 'something else')).rejects.toMatchObject({
      code: 'passphrase_wrong',
    })
    expect(await keystore.list()).toEqual([expect.objectContaining({ name: 'work', did })])
  })

  it('stores a retired key once', async () => {
    const words = createMnemonic(24)
    const retired = await keystore.addRetired('oracle', words, passphrase)
    expect(await keystore.addRetired('oracle', words, passphrase)).toEqual(retired)
    expect((await keystore.addRetired('oracle', createMnemonic(24), passphrase)).name).toBe('oracle.2')
  })

  it('fixes the mode of a file that others can read, with a message', async () => {
    await put('work')
    await chmod(fileOf('work'), 0o644)
    await keystore.find('work')
    expect(remarks).toEqual([expect.stringContaining('(mode 0644); its mode is now 0600')])
    expect(await modeOf(fileOf('work'))).toBe(0o600)
  })

  it.each(['', '..', '../../etc/passwd', 'a/b', 'Work', 'work.1', '-x', 'ä', 'x'.repeat(41), 'a\0b'])(
    'rejects the name %j',
    async name => {
      await expect(keystore.add(name, createMnemonic(24), passphrase)).rejects.toMatchObject({ code: 'usage_invalid' })
      const code = name === 'work.1' ? 'key_missing' : 'usage_invalid'
      await expect(keystore.find(name)).rejects.toMatchObject({ code })
    },
  )
})

describe('a rotation', () => {
  it('that was interrupted leaves no retired key under an old passphrase', async () => {
    const { words, did } = await put('work')
    await keystore.addRetired('work', words, 'what somebody typed then')
    expect(await keystore.addRetired('work', words, passphrase)).toMatchObject({ name: 'work.2', did })
    expect((await keystore.open('work.2', passphrase)).words.reveal()).toBe(words.reveal())
  })

  it('does not replace a key that was created meanwhile', async () => {
    const meanwhile = await put('meanwhile')
    await put('work')
    const file = { ...JSON.parse(await readFile(fileOf('meanwhile'), 'utf8')), name: 'work' }
    const words = createMnemonic(24)
    // They are read for the first time once the previous key is stored as a retired one.
    const rotating = keystore.rotate('work', Object.create(words, { reveal: { value: reveal } }), passphrase)
    function reveal() {
      expect(readdirSync(join(home, 'keys'))).toContain('work.1.json')
      writeFileSync(fileOf('work'), JSON.stringify(file), { mode: 0o600 })
      return words.reveal()
    }
    await expect(rotating).rejects.toMatchObject({
      code: 'key_exists',
      message: expect.stringContaining('at the same time'),
    })
    expect((await keystore.find('work')).did).toBe(meanwhile.did)
  })
})

describe('a modified key file', () => {
  let sealed: string | undefined
  beforeEach(async () => {
    if (sealed === undefined) await put('work')
    sealed ??= await readFile(fileOf('work'), 'utf8')
    await mkdir(join(home, 'keys'), { recursive: true, mode: 0o700 })
    await writeFile(fileOf('work'), sealed, { mode: 0o600 })
  })

  it.each([
    ['its date', () => ({ createdAt: '2020-01-01T00:00:00Z' })],
    ['its state', () => ({ retiredAt: '2020-01-01T00:00:00Z' })],
    ['its DID', () => ({ did: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' })],
    ['its ciphertext', ({ ciphertext }: { ciphertext: string }) => ({ ciphertext: `${ciphertext.slice(0, -4)}AAAA` })],
  ] as const)('does not open: %s', async (_, edit) => {
    await change('work', edit as never)
    await expect(keystore.open('work', passphrase)).rejects.toMatchObject({ code: 'passphrase_wrong' })
  })

  it.each([
    ['a cost that eats the memory', { kdf: { name: 'scrypt', N: 2 ** 30, r: 8, p: 1, salt: 'A'.repeat(22) } }],
    ['a cost that eats the time', { kdf: { name: 'scrypt', N: 2 ** 17, r: 8, p: 1_000, salt: 'A'.repeat(22) } }],
    [
      'a block size that eats the memory',
      { kdf: { name: 'scrypt', N: 2 ** 17, r: 8_000, p: 1, salt: 'A'.repeat(22) } },
    ],
    ['another cipher', { cipher: { name: 'aes-256-ctr', iv: 'A'.repeat(16), tag: 'A'.repeat(22) } }],
    ['a short tag', { cipher: { name: 'aes-256-gcm', iv: 'A'.repeat(16), tag: 'AAAAAA' } }],
    ['another version', { version: 2 }],
    ['another name', { name: 'home' }],
  ])('is damaged: %s', async (_, edit) => {
    await change('work', () => edit)
    await expect(keystore.open('work', passphrase)).rejects.toMatchObject({ code: 'configuration_invalid' })
    await expect(keystore.list()).rejects.toThrow(`The key file ${fileOf('work')} is damaged.`)
  })

  it.each(['', '{', 'null', '[]'])('is damaged: %j', async text => {
    await writeFile(fileOf('work'), text, { mode: 0o600 })
    await expect(keystore.find('work')).rejects.toThrow('is damaged')
  })

  it('is damaged by a NUL, which no text has', async () => {
    await writeFile(fileOf('work'), '\0', { mode: 0o600 })
    await expect(keystore.find('work')).rejects.toThrow('is not UTF-8 text')
  })

  it('is not accepted under another name', async () => {
    await put('home')
    await rename(fileOf('home'), fileOf('work'))
    await expect(keystore.open('work', passphrase)).rejects.toThrow('is damaged')
  })

  it('may be a folder, which is not a key', async () => {
    await rm(fileOf('work'))
    await mkdir(fileOf('work'))
    await expect(keystore.find('work')).rejects.toMatchObject({ code: 'configuration_invalid' })
  })
})
