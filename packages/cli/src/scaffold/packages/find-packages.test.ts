import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakePackages, workspaceManifests } from './fake-packages.test.helper.ts'
import { findPackages } from './find-packages.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sibyl packages ä '))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

const minimal = { template: 'minimal', network: 'devnet' } as const

const find = (answers: Parameters<typeof findPackages>[0], folder: string) =>
  findPackages(answers, { env: { SIBYL_PACKAGES: folder }, cwd }, (_name, work) => work(() => {}))

test('takes the tarballs from a folder that the project needs, with their dependencies', async () => {
  await fakePackages(join(cwd, 'packed ö'))
  const source = await find(minimal, 'packed ö')
  expect([...source.keys()]).toEqual(
    expect.arrayContaining(['@sibyl/bundle', '@sibyl/cli', '@sibyl/core', '@sibyl/plugin-ussd', '@sibyl/protocol']),
  )
  expect(source.has('create-sibyl')).toBe(false)
  expect(source.has('@sibyl/registry-ixo')).toBe(false)
  expect(source.get('@sibyl/core')?.fileName).toBe('sibyl-core-0.1.0.tgz')
})

test('a project on a chain needs the package for the chain', async () => {
  const source = await find({ ...minimal, network: 'testnet' }, await fakePackages(cwd))
  expect(source.has('@sibyl/registry-ixo')).toBe(true)
})

test('names all missing packages, with the versions that match', async () => {
  const some = workspaceManifests().flatMap(manifest => {
    if (manifest.name === '@sibyl/storage') return []
    return manifest.name === '@sibyl/identity' ? [{ ...manifest, version: '0.0.9' }] : [manifest]
  })
  await fakePackages(cwd, some)
  await writeFile(join(cwd, 'broken.tgz'), 'not packed at all')
  const error = await find(minimal, cwd).catch(error => error)
  expect(error).toMatchObject({ code: 'configuration_invalid' })
  expect(error.message).toBe(`${cwd} lacks @sibyl/identity 0.1.0, @sibyl/storage 0.1.0.`)
  expect(error.remedy).toContain('pack-packages')
})

test('skips what is not a package: folders, pipes, dangling links, oversized files, invalid names', async () => {
  const folder = await fakePackages(cwd)
  const core = join(folder, 'sibyl-core-0.1.0.tgz')
  await copyFile(core, join(folder, 'a"b\\#%20\n.tgz'))
  await mkdir(join(folder, 'folder.tgz'))
  await symlink('nowhere', join(folder, 'dangling.tgz'))
  await writeFile(join(folder, 'large.tgz'), '')
  await truncate(join(folder, 'large.tgz'), 3 * 2 ** 30)
  await writeFile(join(folder, 'bomb.tgz'), gzipSync(Buffer.alloc(65 * 2 ** 20), { level: 1 }))
  execFileSync('mkfifo', [join(folder, 'pipe.tgz')])
  const source = await find(minimal, folder)
  expect(source.get('@sibyl/core')?.fileName).toBe(basename(core))
})

test('reports a missing folder, with a remedy', async () => {
  const error = await find(minimal, 'nowhere').catch(error => error)
  expect(error).toMatchObject({ code: 'configuration_invalid' })
  expect(error.message).toBe(`The folder of packages ${join(cwd, 'nowhere')} cannot be read (ENOENT).`)
})
