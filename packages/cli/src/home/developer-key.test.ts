import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDeveloperKey } from './developer-key.ts'
import { homeFolder } from './home-folder.ts'

let root: string
let folder: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sibyl-home-'))
  folder = join(root, 'config', 'sibyl')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('the developer’s key', () => {
  it('is created at first use, readable by its owner only, and found again', async () => {
    const first = await openDeveloperKey(folder)
    expect(first).toMatchObject({ made: true, path: join(folder, 'key.json') })
    expect(await modeOf(first.path)).toBe('600')
    expect(await modeOf(folder)).toBe('700')
    const second = await openDeveloperKey(folder)
    expect(second).toMatchObject({ made: false })
    expect(second.notice).toBeUndefined()
    expect(second.key.did).toBe(first.key.did)
    expect(JSON.parse(await readFile(first.path, 'utf8'))).toMatchObject({
      kty: 'OKP',
      crv: 'Ed25519',
      kid: first.key.did,
    })
  })

  it('is one key for any number of concurrent first uses', async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => openDeveloperKey(folder)))
    expect(new Set(keys.map(it => it.key.did)).size).toBe(1)
    expect(keys.filter(it => it.made)).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['key.json'])
  })

  it('is fixed, with a message, if others can read it', async () => {
    const { path } = await openDeveloperKey(folder)
    await chmod(path, 0o644)
    expect((await openDeveloperKey(folder)).notice).toContain('(mode 0644)')
    expect(await modeOf(path)).toBe('600')
  })

  it('is not stored where others can write', async () => {
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o777)
    const error = await openDeveloperKey(folder).catch(reason => reason)
    expect(error).toMatchObject({ code: 'configuration_invalid' })
    expect(error.remedy).toBe(`Run: chmod 700 '${folder}'`)
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['no JSON', '{'],
    ['another shape', '{"kty":"RSA"}'],
    ['a secret that is cut', 'cut'],
    ['the name of another key', 'foreign'],
  ])('is never replaced if damaged: %s', async (_, content) => {
    const { path, key } = await openDeveloperKey(folder)
    const jwk = JSON.parse(await readFile(path, 'utf8'))
    const secret = String(jwk.d)
    const text =
      content === 'cut'
        ? JSON.stringify({ ...jwk, d: secret.slice(1) })
        : content === 'foreign'
          ? JSON.stringify({ ...jwk, kid: `${key.did.slice(0, -1)}${key.did.endsWith('x') ? 'y' : 'x'}` })
          : content
    await writeFile(path, text)
    const error = await openDeveloperKey(folder).catch(reason => reason)
    expect(error).toMatchObject({ code: 'configuration_invalid' })
    expect(error.message).toBe(`Your key ${path} is damaged.`)
    expect(`${error.message}${error.remedy}${error.cause ?? ''}`).not.toContain(secret)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  it('reports a folder that cannot be created', async () => {
    await mkdir(join(root, 'config'), { recursive: true })
    await writeFile(folder, 'a file')
    await expect(openDeveloperKey(folder)).rejects.toThrow('cannot be created (EEXIST)')
  })
})

describe('the home folder', () => {
  it.each([
    [{ SIBYL_HOME: '/keys', XDG_CONFIG_HOME: '/x', HOME: '/home/a' }, '/keys'],
    [{ XDG_CONFIG_HOME: '/x', HOME: '/home/a' }, '/x/sibyl'],
    [{ XDG_CONFIG_HOME: 'relative', HOME: '/home/a' }, '/home/a/.config/sibyl'],
    [{ HOME: '/home/a' }, '/home/a/.config/sibyl'],
  ])('%j', (env, expected) => {
    expect(homeFolder(env)).toBe(expected)
  })
})
