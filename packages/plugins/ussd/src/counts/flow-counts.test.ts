import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { FlowCounts } from './flow-counts.ts'
import { forgetFlowCounts, readFlowCounts } from './read-flow-counts.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const always = { from: '0000-01-01', to: '9999-12-31' }

await onEachEngine('counts of the flow', engine => {
  const open = async () => {
    const storage = await engine.open()
    const warnings: string[] = []
    let now = Date.parse('2026-11-27T23:59:59Z')
    const counts = (through: UssdStorage = storage) =>
      new FlowCounts({ storage: through, clock: { now: () => now }, log: { warn: text => void warnings.push(text) } })
    return {
      storage,
      warnings,
      counts,
      setTime: (text: string) => {
        now = Date.parse(text)
      },
      screens: async () =>
        (await readFlowCounts(storage, always)).screens.map(({ screen, entered, errors }) => [screen, entered, errors]),
    }
  }

  test('are written together after some seconds, and added up by two processes', async () => {
    const { storage, counts, setTime, screens } = await open()
    const [one, other] = [counts(), counts()]
    for (let index = 0; index < 3; index += 1) one.add('home', 'entered')
    one.add('home', 'errors')
    other.add('home', 'entered')
    other.add("it's; drop table", 'entered')
    expect(await screens()).toEqual([])
    await vi.advanceTimersByTimeAsync(5_000)
    await Promise.all([one.flush(), other.flush()])
    expect(await screens()).toEqual([
      ['home', 4, 1],
      ["it's; drop table", 1, 0],
    ])
    setTime('2026-11-28T00:00:00Z')
    one.add('home', 'timed_out')
    await one.close()
    const { days } = await readFlowCounts(storage, always)
    expect(days.map(({ day, entered, timed_out }) => [day, entered, timed_out])).toEqual([
      ['2026-11-27', 5, 0],
      ['2026-11-28', 0, 1],
    ])
    const today = await readFlowCounts(storage, { from: '2026-11-28', to: '2026-11-28' })
    expect(today.screens).toEqual([
      { screen: 'home', entered: 0, continued: 0, flow_ended: 0, user_ended: 0, timed_out: 1, errors: 0 },
    ])
  })

  test('that cannot be written are kept, with one warning, until the database responds', async () => {
    const { storage, counts, screens, warnings } = await open()
    let isDown = true
    const write = (async (...given: Parameters<UssdStorage['write']>) => {
      if (isDown) throw new Error('the database is away')
      return await storage.write(...given)
    }) as UssdStorage['write']
    const failing = counts({ ...storage, engine: storage.engine, read: storage.read, write } as UssdStorage)
    failing.add('home', 'entered')
    await failing.flush()
    failing.add('home', 'entered')
    await failing.flush()
    expect(warnings).toHaveLength(1)
    isDown = false
    await failing.close()
    expect(await screens()).toEqual([['home', 2, 0]])
  })

  test('are deleted after 90 days', async () => {
    const { storage, counts, setTime, screens } = await open()
    const one = counts()
    for (const [day, screen] of [
      ['2026-08-29', 'old'],
      ['2026-08-30', 'kept'],
    ] as const) {
      setTime(`${day}T12:00:00Z`)
      one.add(screen, 'entered')
    }
    await one.close()
    await forgetFlowCounts(storage, Date.parse('2026-11-28T10:00:00Z'), new AbortController().signal)
    expect(await screens()).toEqual([['kept', 1, 0]])
  })
})
