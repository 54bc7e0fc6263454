import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { taskReport } from '@sibyl/core/records'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { startObjectStore } from '@sibyl/storage/testing/objects'
import { testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'
import { startOracle } from './oracle-process.test.support.ts'

test('an oracle continues with its files after they were moved to an object store and back', async () => {
  const folder = temporaryFolder()
  const objects = await startObjectStore()
  const directory = join(folder, 'files')
  const inFolder = everythingOn(folder, {
    ...objects.env,
    ...{ ORACLE_MNEMONIC: createMnemonic(12).reveal(), ORACLE_ACCESS: 'open' },
    ...{ DATABASE_URL: `file:${join(folder, 'oracle.db')}`, FILES_DIR: directory },
  })
  const inStore = { ...inFolder, FILES_URL: 's3://oracle/files' }
  const path = '/files/content?path=visits/monday.md'
  const move = async (to: string, env: Record<string, string>) => {
    const task = JSON.stringify({ task: 'move-files', to })
    const { inspection, stderr } = await startOracle(folder, { ...env, SIBYL_INSPECT: '3', SIBYL_TASK: task }).ended
    return taskReport.parse(JSON.parse(inspection.trim().split('\n').at(-1) || `"${stderr}"`))
  }
  const first = await testApp({ plugins: bundledPlugins(), env: inFolder })
  const key = createSigningKey()
  const request = ({ app }: typeof first, init = {}) => testActor(app, Date.now, key).request(path, init)
  const put = await request(first, { method: 'PUT', body: 'The stove was visited.' })
  expect(put.status).toBe(201)
  const read = async (oracle: typeof first) => (await request(oracle)).text()
  await first.app.close()
  expect(await move(inStore.FILES_URL, inFolder)).toEqual({ filesMoved: { count: 1, copied: 1, problems: [] } })
  rmSync(directory, { recursive: true })
  const second = await testApp({ plugins: bundledPlugins(), env: inStore })
  expect(await read(second)).toBe('The stove was visited.')
  await second.app.close()
  expect(await move(directory, inStore)).toMatchObject({ filesMoved: { copied: 2, problems: [] } })
  const third = await testApp({ plugins: bundledPlugins(), env: inFolder })
  expect(await read(third)).toBe('The stove was visited.')
  await third.app.close()
})
