import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { recordedLogger, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'

test('an empty database beside a mnemonic that has signed before is a warning', async () => {
  using folder = temporaryFolder()
  const boot = async (database: string, mnemonic: string, stateFolder = folder.path) => {
    const log = recordedLogger()
    const env = { DATABASE_URL: database, ORACLE_MNEMONIC: mnemonic, STATE_DIRECTORY: stateFolder }
    await using _ = await testApp({ plugins: [], logger: log, env })
    return log.lines.filter(({ level, message }) => level === 'warn' && message.includes('has signed before')).length
  }
  const [first, second] = [createMnemonic(12).reveal(), createMnemonic(12).reveal()]
  const file = (name: string) => `file:${join(folder.path, name)}`
  expect(await boot(file('one.db'), first)).toBe(0)
  expect(await boot(file('one.db'), first)).toBe(0)
  expect(await boot(file('two.db'), first)).toBe(1)
  expect(await boot(file('two.db'), first)).toBe(0)
  expect(await boot(file('three.db'), second)).toBe(0)
  expect(await boot('memory:', first)).toBe(0)
  expect(await boot(file('four.db'), first, join(folder.path, 'missing'))).toBe(0)
})
