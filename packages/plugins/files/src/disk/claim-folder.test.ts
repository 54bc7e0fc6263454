import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BootError } from '@sibyl/plugin'
import { sharePostgres } from '@sibyl/storage/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { bootFiles, folderOfTest } from '../testing/files-oracle.test.support.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const problemsAt = async (databaseUrl: string, folder: string) => {
  try {
    const oracle = await bootFiles({ env: { DATABASE_URL: databaseUrl } }, folder)
    await oracle[Symbol.asyncDispose]()
    return []
  } catch (error) {
    if (!(error instanceof BootError)) throw error
    return error.problems
  }
}

describe.skipIf(postgres === undefined)('processes on one PostgreSQL database', () => {
  test('a process with another FILES_DIR does not start, and learns the variable and the remedy', async () => {
    const databaseUrl = await postgres!.createDatabase()
    const [shared, other] = [folderOfTest(), folderOfTest()]
    await using _ = await bootFiles({ env: { DATABASE_URL: databaseUrl } }, shared)
    const [store = ''] = readdirSync(shared)
    const [mark = ''] = readdirSync(join(shared, store))
    const [problem, ...more] = await problemsAt(databaseUrl, other)
    expect(more).toEqual([])
    expect(problem).toEqual({
      code: 'files_folder_differs',
      headline: "FILES_DIR of the plugin 'files' is not the folder with this database's files",
      lines: [
        `FILES_DIR is ${JSON.stringify(other)}, but the file ${JSON.stringify(join(other, store, mark))} is missing.`,
        'Set FILES_DIR to the folder that the other processes on this database use, and mount it on each machine.',
        'If you moved the files, move hidden files too. If the old folder is lost, create an empty file with that name; the lost files cannot be restored.',
      ],
      plugin: 'files',
      variable: 'FILES_DIR',
    })
    mkdirSync(join(other, store))
    writeFileSync(join(other, store, mark), '')
    expect(await problemsAt(databaseUrl, other)).toEqual([])
  })

  test('a process that has the same folder under another path starts, also at the same time as the first', async () => {
    const databaseUrl = await postgres!.createDatabase()
    const shared = folderOfTest()
    const link = join(folderOfTest(), 'link')
    symlinkSync(shared, link)
    const env = { DATABASE_URL: databaseUrl }
    const [one, other] = await Promise.all([bootFiles({ env }, shared), bootFiles({ env }, link)])
    await using _ = one
    await using __ = other
    const [store = ''] = readdirSync(shared)
    expect(readdirSync(join(shared, store))).toHaveLength(1)
    expect((await one.put('a.txt', 'x')).status).toBe(201)
    expect(await problemsAt(databaseUrl, link)).toEqual([])
  })

  test('a folder that is not mounted keeps a process from starting, though nothing was kept there yet', async () => {
    const databaseUrl = await postgres!.createDatabase()
    const folder = folderOfTest()
    expect(await problemsAt(databaseUrl, folder)).toEqual([])
    rmSync(folder, { recursive: true })
    expect((await problemsAt(databaseUrl, folder)).map(({ code }) => code)).toEqual(['files_folder_differs'])
  })
})
