import { nextCronTimes, openJobs, openStorage } from '@sibyl/storage'
import { expect, onTestFinished, test, vi } from 'vitest'
import { every, type Maintenance, type MaintenanceInterval } from './every.ts'

const minute = 60_000
const hour = 60 * minute

/** A database of one oracle; each `start` is a start of it. */
const bench = async () => {
  const storage = await openStorage({ url: 'memory:' })
  onTestFinished(() => storage.close())
  return async (maintenance: Partial<Maintenance> = {}) => {
    const jobs = await openJobs({ storage })
    onTestFinished(() => jobs.stop({ graceMs: 0 }))
    const run = vi.fn(async (_signal: AbortSignal): Promise<unknown> => undefined)
    await every(jobs, { kind: 'ports/forget', interval: '1h', run, ...maintenance })
    await jobs.start()
    return { jobs, run }
  }
}

test('work runs by its schedule', async () => {
  const start = await bench()
  const { jobs, run } = await start()
  expect(run).not.toHaveBeenCalled()
  await jobs.runNow('ports/forget')
  expect(run.mock.calls).toEqual([[expect.any(AbortSignal)]])
})

test('work may run at start as well', async () => {
  const start = await bench()
  const { run } = await start({ atStart: true })
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1), 60_000)
})

test('a run that fails is an error of the job', async () => {
  const start = await bench()
  const { jobs } = await start({ run: () => Promise.reject(new Error('no tide')) })
  await expect(jobs.runNow('ports/forget')).rejects.toThrow('no tide')
})

test('disabled work has no schedule, also if it had one before', async () => {
  const start = await bench()
  await (await start()).jobs.stop()
  const { jobs, run } = await start({ enabled: false })
  await expect(jobs.runNow('ports/forget')).rejects.toThrow('no schedule creates one')
  await jobs.runNow('ports/forget', {})
  expect(run).not.toHaveBeenCalled()
  expect(await jobs.unknownKinds()).toEqual(new Map())
})

const patternOf = async (interval: MaintenanceInterval, kind: string): Promise<string> => {
  const schedule = vi.fn(async (_key: string, _cron: string) => {})
  const jobs = { define: () => {}, schedule, enqueue: vi.fn(), unschedule: vi.fn() }
  await every(jobs, { kind, interval, run: async () => {} })
  return schedule.mock.calls[0]![1]
}

test.each([
  ['1m', minute],
  ['5m', 5 * minute],
  ['1h', hour],
  ['1d', 24 * hour],
] as const)('the times of %s are %i ms apart', async (interval, gap) => {
  const [first, second, third] = await nextCronTimes(await patternOf(interval, 'ports/forget'), 'UTC', Date.now(), 3)
  expect([second! - first!, third! - second!]).toEqual([gap, gap])
})

test('once a day is at night, and different work runs at different minutes', async () => {
  const kinds = Array.from({ length: 20 }, (_, index) => `ports/${index}`)
  const times = await Promise.all(
    kinds.map(async kind => (await nextCronTimes(await patternOf('1d', kind), 'UTC', 0, 1))[0]!),
  )
  expect(times.every(time => time >= 3 * hour && time < 4 * hour)).toBe(true)
  expect(new Set(times).size).toBeGreaterThan(10)
})
