import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { silentLogger } from '@sibyl/plugin/host'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { run } from '../../main.ts'
import { inherited } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { pumpProject } from '../dev/dev-process.test.helper.ts'

const moveFiles = async (cwd: string, args: readonly string[], env: Record<string, string> = {}) => {
  const terminal = new FakeTerminal({ ...inherited(), ...env }, false)
  const code = await run(['storage', 'move-files', ...args], { ...terminal.io, cwd })
  return { code, shown: terminal.text, errors: terminal.errors }
}

test('copies files to another folder, and reports an object store that cannot be used, without the secret', async () => {
  const folder = pumpProject()
  const DATABASE_URL = pathToFileURL(join(folder, '.data/sibyl.db')).href
  await (await testApp({ plugins: [], env: { DATABASE_URL }, logger: silentLogger })).app.close()
  const moved = await moveFiles(folder, ['other'])
  expect(moved).toMatchObject({ code: 0, shown: expect.stringContaining('0 files verified, 0 of them new.') })
  expect(moved.shown).toContain(`FILES_DIR=${join(folder, 'other')}, and remove FILES_URL`)
  const unset = await moveFiles(folder, ['s3://bucket/x'])
  expect(unset).toMatchObject({ code: 3, errors: expect.stringContaining('Set AWS_ACCESS_KEY_ID') })
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'very-secret', AWS_ENDPOINT_URL: 'ftp://x' }
  const invalid = await moveFiles(folder, ['s3://bucket/x', '--json'], env)
  expect(invalid.code).toBe(3)
  expect(JSON.parse(invalid.shown).error.message).toContain('AWS_ENDPOINT_URL')
  expect(invalid.shown + invalid.errors).not.toContain('very-secret')
})
