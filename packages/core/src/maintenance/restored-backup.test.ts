import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createMnemonic, createSigningKey, mintInvocation } from '@sibyl/identity'
import { recordedLogger } from '@sibyl/plugin/testing'
import { scriptedModel, type TestApp, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { callWith, exchange } from '../testing/call-with.ts'
import { expectRefusal, resourceOf, sendWith } from '../testing/forge-invocation.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const minute = 60_000

test('after a restore no earlier invocation is accepted again, bearers have ended, and the boot log reports it', async () => {
  using folder = temporaryFolder()
  const database = join(folder.path, 'sibyl.db')
  const key = createSigningKey()
  let now = Date.parse('2026-11-23T10:00:00Z')
  const log = recordedLogger()
  const env = { DATABASE_URL: `file:${database}`, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const boot = (): Promise<TestApp> =>
    testApp({
      plugins: [],
      model: scriptedModel(['fine']),
      env,
      clock: { now: () => now },
      logger: log,
    })
  const mint = (oracle: TestApp) =>
    mintInvocation({
      key,
      audience: oracle.app.identity.did!,
      resource: resourceOf(oracle),
      abilities: ['*'],
      now: () => now,
    })
  const reportedBy = () => log.lines.filter(({ message }) => message.includes('restored from a backup')).length

  const first = await boot()
  const bearer = await exchange(first, await mint(first))
  await first.app.close()
  copyFileSync(database, `${database}.backup`)

  const second = await boot()
  const spent = await mint(second)
  expect((await sendWith(second, spent)).status).toBe(200)
  await expectRefusal(await sendWith(second, spent), 401, 'ucan_replayed')
  await second.app.close()

  for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
  copyFileSync(`${database}.backup`, database)
  expect(reportedBy()).toBe(0)
  const third = await boot()
  const tellings = reportedBy()
  expect(tellings).toBeGreaterThan(0)
  await expectRefusal(await sendWith(third, spent), 401, 'ucan_before_restore')
  await expectRefusal(await callWith(third, await mint(third), 'POST', '/auth/token'), 401, 'ucan_before_restore')
  expect((await callWith(third, await mint(third), 'GET', '/sessions')).status).toBe(200)
  await expectRefusal(await callWith(third, bearer.token, 'GET', '/sessions'), 401, 'bearer_invalid')
  now += 2 * minute
  await expectRefusal(await sendWith(third, spent), 401, 'ucan_before_restore')
  expect((await sendWith(third, await mint(third))).status).toBe(200)
  await third.app.close()

  const fourth = await boot()
  expect(reportedBy()).toBe(tellings)
  await expectRefusal(await sendWith(fourth, spent), 401, 'ucan_before_restore')
  await fourth.app.close()
})
