import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage, type Storage } from '@sibyl/storage'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { UssdTables } from '../storage/ussd-tables.ts'
import { ussdMigrations } from '../storage/ussd-tables.ts'
import { openLine, type PhoneLine } from './phone-line.test.helper.ts'
import { shopFlow } from './shop-flow.test.helper.ts'

const hour = 3_600_000

let folder: string
let storage: Storage<UssdTables>

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  folder = mkdtempSync(join(tmpdir(), 'sibyl-sessions-'))
  storage = (await openStorage({ url: `file:${join(folder, 'a.db')}` })).for<UssdTables>()
  await storage.migrate('ussd', ussdMigrations)
})

afterEach(async () => {
  vi.useRealTimers()
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (aheadMs = 0) => openLine({ storage, flow: shopFlow(), aheadMs })

const signIn = async (line: PhoneLine) => {
  const phone = line.phone()
  await phone.dial()
  await phone.send('3')
  await phone.send('3*2580')
  return phone
}

/** Runs the periodic maintenance. */
const runMaintenance = async (line: PhoneLine) => {
  vi.advanceTimersByTime(20_000)
  await line.sessions.list(1)
  await storage.write(async () => {})
}

describe.each([
  ['ahead', hour],
  ['back', -hour],
  ['years ahead', 20_000 * hour],
])('a clock that jumps %s', (_name, ms) => {
  test.each([false, true])('loses no live session (after maintenance: %s)', async kept => {
    await using line = await open()
    const phone = await signIn(line)
    await line.pass(100_000)
    line.jump(ms)
    if (kept) await runMaintenance(line)
    expect((await line.sessions.find('s1'))?.isAuthenticated).toBe(true)
    expect((await line.sessions.list(5)).count).toBe(1)
    expect(await phone.send('3*2580*1')).toContain('Your profile')
  })

  test.each([false, true])('revives none (after maintenance: %s)', async kept => {
    await using line = await open()
    const phone = await signIn(line)
    await line.pass(100_000)
    line.jump(ms)
    if (kept) await runMaintenance(line)
    await line.pass(81_000)
    expect(await line.sessions.find('s1')).toBeUndefined()
    line.jump(-ms)
    if (kept) await runMaintenance(line)
    expect(await line.sessions.find('s1')).toBeUndefined()
    expect(await phone.send('3*2580*1')).toContain('Your PIN?')
  })

  test('leaves sessions to the next process unchanged', async () => {
    {
      await using line = await open()
      await signIn(line)
      line.jump(ms)
      await line.phone().send('3*2580*1')
      await runMaintenance(line)
    }
    await using next = await open(ms)
    expect(await next.phone().send('3*2580*1*0')).toContain('Signed in')
  })
})

test('a session whose save is acknowledged after the rows were shifted continues', async () => {
  const gate = Promise.withResolvers<void>()
  const committed = Promise.withResolvers<void>()
  let holds = false
  const write: typeof storage.write = async (work, options) => {
    const value = await storage.write(work, options)
    if (holds && options?.isolation === 'read committed') {
      committed.resolve()
      await gate.promise
    }
    return value
  }
  const { engine, read } = storage
  await using line = await openLine({ storage: { engine, read, write }, jobStorage: storage, flow: shopFlow() })
  const phone = line.phone()
  await phone.dial()
  holds = true
  const asked = phone.send('3')
  await committed.promise
  line.jump(hour)
  vi.advanceTimersByTime(5_000)
  await storage.write(async () => {})
  holds = false
  gate.resolve()
  expect(await asked).toContain('Your PIN?')
  expect(await phone.send('3*2580')).toContain('Signed in')
})

test('sessions from the future of a wrong clock have expired', async () => {
  {
    await using line = await open(hour)
    await signIn(line)
  }
  await using next = await open()
  expect(await next.phone().send('3*2580*1')).toContain('Your PIN?')
})
