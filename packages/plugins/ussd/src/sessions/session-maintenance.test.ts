import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { oneDatabase } from './one-database.test.helper.ts'
import { openLine } from './phone-line.test.helper.ts'
import { shopFlow } from './shop-flow.test.helper.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

await onEachEngine('housekeeping', engine => {
  const database = oneDatabase(engine)
  test('deletes thousands of expired sessions, and keeps the others', async () => {
    const storage = await database()
    await using line = await openLine({ storage, flow: shopFlow() })
    const left = async () =>
      (await storage.read.selectFrom('ussd_sessions').select('session_id').orderBy('session_id').execute()).map(
        row => row.session_id,
      )
    const long = line.phone({ sessionId: 'long' })
    await long.dial()
    await Promise.all(Array.from({ length: 1_200 }, (_, index) => line.phone({ sessionId: `s${index}` }).dial()))
    await line.pass(100_000)
    await long.send('1')
    await line.phone({ sessionId: 'young' }).dial()
    await line.phone({ sessionId: 'ended' }).send('*')
    await line.pass(100_000)
    vi.advanceTimersByTime(15_000)
    await expect.poll(left).toEqual(['ended', 'long', 'young'])
    await line.pass(100_000)
    // The first deletion may still be running at this point.
    const leftLater = async () => {
      vi.advanceTimersByTime(15_000)
      return await left()
    }
    await expect.poll(leftLater).toEqual([])
    expect(await long.send('1*1')).toContain('Maize')
  })

  test('keeps dropped calls while they can be resumed', async () => {
    const storage = await database()
    await using line = await openLine({ storage, flow: shopFlow(), settings: { resume: true } })
    await line.phone().dial()
    await line.phone().send('1')
    await line.pass(500_000)
    vi.advanceTimersByTime(15_000)
    expect(await line.phone({ sessionId: 's2' }).dial()).not.toContain('Welcome')
    await line.pass(800_000)
    vi.advanceTimersByTime(15_000)
    const count = () => storage.read.selectFrom('ussd_sessions').select('key').execute()
    await expect.poll(count).toEqual([])
  })

  test('waits after a start for the lifetime of a session, so that a wrong clock deletes none', async () => {
    const storage = await database()
    {
      await using line = await openLine({ storage, flow: shopFlow() })
      await line.phone().dial()
    }
    await using line = await openLine({ storage, flow: shopFlow() })
    line.jump(3_600_000)
    vi.advanceTimersByTime(60_000)
    await storage.write(async () => {})
    expect(await storage.read.selectFrom('ussd_sessions').select('key').execute()).toHaveLength(1)
  })
})
