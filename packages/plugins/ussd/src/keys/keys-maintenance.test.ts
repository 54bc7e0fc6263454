import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '@sibyl/plugin'
import type { LogFields } from '@sibyl/plugin/host'
import { testApp } from '@sibyl/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendUssd } from '../testing/send-ussd.ts'
import { ussd } from '../ussd.ts'

const [oldKey, newKey] = ['ab'.repeat(32), 'cd'.repeat(32)]
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-ussd-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Returns a logger, and a promise of the first line that matches a pattern. */
const awaitLine = (pattern: RegExp) => {
  const line = Promise.withResolvers<{ readonly message: string; readonly fields: LogFields }>()
  const log = (message: string, fields: LogFields = {}) => {
    if (pattern.test(message)) line.resolve({ message, fields })
  }
  const logger: Logger = { trace: log, debug: log, info: log, warn: log, error: log, child: () => logger }
  return { logger, line: line.promise }
}

test('after a boot with a new key, rows are sealed again in the background, and the old key can be removed', async () => {
  const boot = (env: Record<string, string>, logger?: Logger) =>
    testApp({
      plugins: [ussd()],
      env: { DATABASE_URL: `file:${join(folder, 'sibyl.db')}`, USSD_SESSION_TTL_SECONDS: '10', ...env },
      ...(logger ? { logger } : {}),
    })
  const logIn = async (oracle: Awaited<ReturnType<typeof boot>>, customerId: string) =>
    (await (await sendUssd(oracle.app)).answer('2', '1', customerId, '830549')).text

  const before = await boot({ PIN_ENCRYPTION_KEY: oldKey })
  const created = await (await sendUssd(before.app)).answer('2', '2', 'Chanda', '1', '830549', '830549')
  const customerId = /\d{9}/.exec(created.text)?.[0] ?? ''
  expect(await logIn(before, customerId)).toContain('My account')
  await before.app.close()

  const { logger, line } = awaitLine(/rows? (still )?needs? the key/)
  const during = await boot({ PIN_ENCRYPTION_KEY: newKey, PIN_ENCRYPTION_OLD_KEYS: oldKey }, logger)
  const { message, fields } = await line
  expect(message).toMatch(/the key [0-9a-f]{8}/)
  expect(fields).toMatchObject({ resealed: 6 })
  expect(await logIn(during, customerId)).toContain('My account')
  await during.app.close()

  const after = await boot({ PIN_ENCRYPTION_KEY: newKey })
  expect(await logIn(after, customerId)).toContain('My account')
  await after.app.close()
})
