import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { packInstalled } from './pack-installed.ts'
import { readTarballFiles } from './tarball-files.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sibyl installed ü-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

const install = (folder: string, name: string, dependencies: readonly string[] = []): string => {
  const path = join(root, folder, 'node_modules', name)
  mkdirSync(path, { recursive: true })
  const needed = Object.fromEntries(dependencies.map(one => [one, '0.1.0']))
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version: '0.1.0', dependencies: needed }))
  writeFileSync(join(path, 'index.js'), '')
  return path
}

const pack = (names: readonly string[], from: string) =>
  packInstalled(
    names,
    async folder => {
      const files = readdirSync(folder).toSorted()
      const contents = files.map(async file => readTarballFiles(readFileSync(join(folder, file))))
      return { folder, files, contents: await Promise.all(contents) }
    },
    from,
  )

test('packs what is installed with the command, side by side and nested, and leaves nothing behind', async () => {
  const cli = install('.', '@sibyl/cli', ['@sibyl/bundle', 'zod'])
  install('.', '@sibyl/bundle', ['@sibyl/core'])
  install('node_modules/@sibyl/bundle', '@sibyl/core')
  install('.', 'zod')
  install('.', '@sibyl/registry-ixo')
  const { folder, files, contents } = await pack(['@sibyl/core', '@sibyl/registry-ixo'], cli)
  expect(files).toEqual(['bundle', 'cli', 'core', 'registry-ixo'].map(name => `sibyl-${name}-0.1.0.tgz`))
  const paths = contents[0]?.map(({ path }) => path)
  expect(paths).toEqual(['package/index.js', 'package/package.json'])
  expect(() => readdirSync(folder)).toThrow()
})

test('follows the links of a store', async () => {
  const cli = install('.pnpm/cli', '@sibyl/cli', ['@sibyl/core'])
  const core = install('.pnpm/core', '@sibyl/core')
  symlinkSync(core, join(root, '.pnpm/cli/node_modules/@sibyl/core'))
  expect((await pack(['@sibyl/core'], join(cli, 'dist'))).files).toEqual([
    'sibyl-cli-0.1.0.tgz',
    'sibyl-core-0.1.0.tgz',
  ])
})

test('packs hard-linked files of a store as separate files', async () => {
  const cli = install('.', '@sibyl/cli', [])
  install('.', '@sibyl/registry-ixo')
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(letter => `index-${letter}.js`)
  for (const name of names) linkSync(join(cli, 'index.js'), join(cli, name))
  const { contents } = await pack(['@sibyl/cli'], cli)
  expect(contents[0]?.map(({ path }) => path)).toEqual([
    ...names.map(name => `package/${name}`),
    'package/index.js',
    'package/package.json',
  ])
})

test('names missing packages', async () => {
  const cli = install('.', '@sibyl/cli', ['@sibyl/core'])
  const error = await pack(['@sibyl/core', '@sibyl/registry-ixo'], cli).catch(failure => failure)
  expect(error).toMatchObject({ code: 'configuration_invalid' })
  expect(error.message).toBe('Not installed with this command: @sibyl/core, @sibyl/registry-ixo.')
})
