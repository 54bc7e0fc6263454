import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ActionScreen } from '../flow/flow.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { oneDatabase } from './one-database.test.helper.ts'
import { openLine, type PhoneLineOptions } from './phone-line.test.helper.ts'
import { shopFlow } from './shop-flow.test.helper.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

await onEachEngine('the counts of a session', engine => {
  const database = oneDatabase(engine)
  const open = async (action: Partial<ActionScreen> = {}, options: Partial<PhoneLineOptions> = {}) => {
    const counted: string[] = []
    const counts = { add: (screen: string, event: string) => void counted.push(`${screen} ${event}`) }
    const line = await openLine({ storage: await database(), flow: shopFlow(action), counts, ...options })
    return { line, counted, [Symbol.asyncDispose]: () => line[Symbol.asyncDispose]() }
  }

  test('have each screen once, whatever was repeated, invalid or turned back', async () => {
    await using opened = await open()
    const { line, counted } = opened
    const phone = line.phone()
    await phone.dial()
    await phone.dial()
    await phone.send('1')
    await phone.send('1')
    await phone.send('1*7')
    await phone.send('1*7*0')
    await phone.send('1*7*0*1')
    await phone.send('1*7*0*1*2')
    expect(counted).toEqual([
      'welcome entered',
      'welcome continued',
      'prices entered',
      'prices continued',
      'welcome entered',
      'welcome continued',
      'prices entered',
      'prices continued',
      'beans entered',
      'beans flow_ended',
    ])
  })

  test('have the action that ran between two screens', async () => {
    await using opened = await open()
    const { line, counted } = opened
    const phone = line.phone({ sessionId: 'a' })
    await phone.dial()
    await phone.send('3')
    await phone.send('3*2580')
    await phone.send('3*2580**')
    expect(counted.slice(3)).toEqual([
      'pin continued',
      'signIn entered',
      'signIn continued',
      'inside entered',
      'inside user_ended',
    ])
  })

  test.each(['read', 'idempotent', 'write'] as const)('have a failed action of effect %s', async effect => {
    const run = async () => {
      throw new Error('the bank is closed')
    }
    await using opened = await open({ effect, run })
    const { line, counted } = opened
    const phone = line.phone({ sessionId: effect })
    await phone.dial()
    await phone.send('4')
    await phone.send('4*0')
    expect(counted).toEqual([
      'welcome entered',
      'welcome continued',
      'work entered',
      'work errors',
      'work continued',
      'welcome entered',
    ])
  })

  test('have a late action until its outcome is shown', async () => {
    const finish = Promise.withResolvers<void>()
    const run = async () => {
      await finish.promise
      return { to: 'done' }
    }
    await using opened = await open({ timeLimitMs: 1, run })
    const { line, counted } = opened
    const phone = line.phone({ sessionId: 'late' })
    await phone.dial()
    expect(await phone.send('4')).toContain('1. Check')
    expect(counted.slice(1)).toEqual(['welcome continued', 'work entered'])
    finish.resolve()
    const later = async (text: string): Promise<string> => {
      const shown = await phone.send(text)
      return shown.includes('1. Check') ? later(`${text}*1`) : shown
    }
    expect(await later('4*1')).toContain('Done')
    expect(counted.slice(3)).toEqual(['work continued', 'done entered'])
  })

  test.each([
    ['release', 'user_ended'],
    ['timeout', 'timed_out'],
  ] as const)('have a %s of the network once', async (event, counted) => {
    await using opened = await open()
    const phone = opened.line.phone({ sessionId: event })
    await phone.dial()
    await phone.send('1')
    await phone.hangUp(event)
    await phone.hangUp(event)
    expect(opened.counted.slice(3)).toEqual([`prices ${counted}`])
  })

  test('have the sessions without a further answer once they are deleted, but not ended ones', async () => {
    await using opened = await open()
    const { line, counted } = opened
    await line.phone({ sessionId: 'silent' }).dial()
    await line.phone({ sessionId: 'silent' }).send('1')
    await line.phone({ sessionId: 'ended' }).dial()
    await line.phone({ sessionId: 'ended' }).send('1')
    await line.phone({ sessionId: 'ended' }).send('1**')
    await line.pass(200_000)
    vi.advanceTimersByTime(15_000)
    const silent = () => counted.filter(one => one === 'prices timed_out')
    await expect.poll(silent).toHaveLength(1)
    vi.advanceTimersByTime(15_000)
    await expect.poll(silent).toHaveLength(1)
  })

  test('have a request that failed', async () => {
    const flow = shopFlow()
    const parse = () => {
      throw new Error('not prepared for this name')
    }
    const name = { ...flow.screens.name, parse } as (typeof flow.screens)[string]
    await using opened = await open({}, { flow: { ...flow, screens: { ...flow.screens, name } } })
    const phone = opened.line.phone({ sessionId: 'broken' })
    await phone.dial()
    await phone.send('2')
    await expect(phone.send('2*Mary')).rejects.toThrow('not prepared')
    expect(opened.counted.at(-1)).toBe('name errors')
  })

  test('have a resumed call at the screen where it goes on', async () => {
    await using opened = await open({}, { settings: { resume: true } })
    const { line, counted } = opened
    await line.phone({ sessionId: 'r1' }).dial()
    await line.phone({ sessionId: 'r1' }).send('1')
    const again = line.phone({ sessionId: 'r2' })
    await again.dial()
    await again.send('1')
    expect(counted.slice(3)).toEqual(['welcome entered', 'prices continued', 'welcome continued', 'prices entered'])
  })
})
