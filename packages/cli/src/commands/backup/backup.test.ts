import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { silentLogger } from '@sibyl/plugin/host'
import { startObjectStore } from '@sibyl/storage/testing/objects'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { run } from '../../main.ts'
import { inherited } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { pumpProject } from '../dev/dev-process.test.helper.ts'

const call = async (cwd: string, args: readonly string[], env: Record<string, string> = {}) => {
  const terminal = new FakeTerminal({ ...inherited(), ...env }, false)
  const code = await run([...args], { ...terminal.io, cwd })
  return { code, shown: terminal.text, errors: terminal.errors }
}

test('backs up the oracle of a project while it runs, verifies the backup and restores it', async () => {
  const folder = pumpProject()
  const DATABASE_URL = pathToFileURL(join(folder, '.data/sibyl.db')).href
  const oracle = await testApp({ plugins: [], env: { DATABASE_URL }, logger: silentLogger })
  await oracle.chat('Good morning')
  const made = await call(folder, ['backup', 'kept'])
  expect(made).toMatchObject({ code: 0, errors: expect.stringContaining('Backing up …\n') })
  expect(made.shown).toMatch(
    /^Backed up \d+ rows of \d+ tables \(\d+\.\d MB\) and 0 files, 0 of them new:\n {2}\/.*\/kept\/20/,
  )
  expect(made.shown).toContain('Store ORACLE_MNEMONIC and PIN_ENCRYPTION_KEY apart')
  await oracle.chat('Good evening')
  const verified = await call(folder, ['restore', 'kept', '--verify', '--json'])
  expect(verified.code).toBe(0)
  const { name } = JSON.parse(verified.shown)
  expect(JSON.parse(verified.shown)).toMatchObject({ opened: true, encrypted: false, problems: [] })
  const live = await call(folder, ['restore', 'kept', '--replace'])
  expect(live).toMatchObject({ code: 1, errors: expect.stringContaining('The oracle runs on sibyl.db. Stop it') })
  await oracle.app.close()
  expect(await call(folder, ['restore', 'kept'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('--replace'),
  })
  const restored = await call(folder, ['restore', 'kept', '--replace'])
  expect(restored).toMatchObject({
    code: 0,
    shown: expect.stringContaining('The database before is kept: sibyl.db.before-'),
  })
  const restoredFile = new DatabaseSync(join(folder, '.data/sibyl.db'))
  expect(restoredFile.prepare('select count(*) as rows from core_messages').get()).toEqual({ rows: 2 })
  restoredFile.close()

  const database = join(folder, 'kept', name, 'database.db')
  const bytes = readFileSync(database)
  writeFileSync(database, bytes.subarray(0, 5_000))
  const cut = await call(folder, ['restore', 'kept', '--verify'])
  expect(cut.code).toBe(1)
  expect(cut.shown).toContain(`The copy of the database has 5000 bytes instead of ${bytes.length}.`)
  const refused = await call(folder, ['restore', 'kept', '--json'], { DATABASE_URL: 'file:./.data/other.db' })
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.shown)).toMatchObject({ error: { code: 'backup_failed' } })
  expect(readdirSync(join(folder, '.data'))).not.toContain('other.db')
})

test('backs up to an object store and restores from it, and reports a store that cannot be used without the secret', {
  tags: 'long',
}, async () => {
  const folder = pumpProject()
  const DATABASE_URL = pathToFileURL(join(folder, '.data/sibyl.db')).href
  await (await testApp({ plugins: [], env: { DATABASE_URL }, logger: silentLogger })).app.close()
  const store = await startObjectStore()
  const made = await call(folder, ['backup', 's3://oracle/kept/'], store.env)
  expect(made).toMatchObject({ code: 0, shown: expect.stringMatching(/\n {2}s3:\/\/oracle\/kept\/20/) })
  expect(await store.keys()).toContainEqual(expect.stringMatching(/^kept\/20.*\/manifest\.json$/))
  const verified = await call(folder, ['restore', 's3://oracle/kept', '--verify'], store.env)
  expect(verified).toMatchObject({ code: 0, shown: expect.stringContaining('is complete.') })
  const restored = await call(folder, ['restore', 's3://oracle/kept', '--replace'], store.env)
  expect(restored).toMatchObject({ code: 0, shown: expect.stringContaining('Restored') })
  const wrong = { ...store.env, AWS_SECRET_ACCESS_KEY: 'very-secret' }
  const denied = await call(folder, ['backup', 's3://oracle/kept', '--json'], wrong)
  expect(denied.code).toBe(3)
  expect(JSON.parse(denied.shown).error.message).toContain('Check AWS_ACCESS_KEY_ID')
  expect(denied.shown + denied.errors).not.toContain('very-secret')
})
