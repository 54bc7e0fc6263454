import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BootError } from '@sibyl/plugin'
import { expect, test } from 'vitest'
import { bootFiles, folderOfTest } from '../testing/files-oracle.test.support.ts'

const problemsAt = async (folder: string) => {
  try {
    const oracle = await bootFiles({}, folder)
    await oracle[Symbol.asyncDispose]()
    return []
  } catch (error) {
    if (!(error instanceof BootError)) throw error
    return error.problems
  }
}

test('a folder that cannot be written keeps the oracle from starting, with the variable, the fault and the remedy', async () => {
  const folder = folderOfTest()
  const file = join(folder, 'file')
  writeFileSync(file, 'x')
  symlinkSync(join(folder, 'nothing'), join(folder, 'link'))
  const [problem, ...more] = await problemsAt(join(file, 'deep', 'files'))
  expect(more).toEqual([])
  expect(problem).toEqual({
    code: 'files_folder_unusable',
    headline: "Plugin 'files' cannot keep files in the folder of 'FILES_DIR'",
    lines: [
      `FILES_DIR is ${JSON.stringify(join(file, 'deep', 'files'))}, and ${JSON.stringify(file)} is a file, no folder.`,
      'Name a folder that the oracle may write to, or disable the plugin: features: { files: false } in createOracleApp.',
    ],
    plugin: 'files',
    variable: 'FILES_DIR',
  })
  const lines = async (path: string) => (await problemsAt(path)).flatMap(one => one.lines).join(' ')
  expect(await lines(file)).toContain('is a file, no folder')
  expect(await lines(join(folder, 'link'))).toContain('is a link that leads nowhere')
  if (process.platform === 'linux')
    expect(await lines('/proc/sibyl/files')).toContain('in "/proc" no folder can be made')
  const locked = join(folder, 'locked')
  mkdirSync(locked)
  chmodSync(locked, 0o500)
  if (process.getuid?.() !== 0) expect(await lines(locked)).toContain('may not write there')
  expect(readdirSync(folder).toSorted()).toEqual(['file', 'link', 'locked'])
})

test('a folder that is missing with those above it is made with the first file, none before', async () => {
  const folder = folderOfTest()
  const oracle = await bootFiles({}, join(folder, 'a', 'b'))
  await using _ = oracle
  expect(readdirSync(folder)).toEqual([])
  expect((await oracle.put('a.txt', 'x')).status).toBe(201)
})
