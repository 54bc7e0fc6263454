import { expect, test } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { oneDatabase } from './one-database.test.helper.ts'
import { openLine, type PhoneLine } from './phone-line.test.helper.ts'
import { shopFlow } from './shop-flow.test.helper.ts'

await onEachEngine('a redial', engine => {
  const database = oneDatabase(engine)
  const open = async (resume = true, flow = shopFlow()) =>
    openLine({ storage: await database(), flow, settings: { resume, serviceCodes: ['*1234#'] } })

  test('offers to continue where the call was dropped', async () => {
    await using line = await open()
    const first = line.phone()
    expect(await first.dial()).toContain('Welcome')
    await first.send('1')
    await first.hangUp()
    await line.pass(60_000)
    const second = line.phone({ sessionId: 's2' })
    const offer = await second.dial()
    expect(offer).toMatch(/1\. .*\n2\. /)
    expect(offer).not.toContain('Welcome')
    expect(await second.dial()).toBe(offer)
    expect(await second.send('7')).toBe(offer)
    expect(await second.send('7*1')).toContain('Prices')
    expect(await second.send('7*1*1')).toContain('Maize')
  })

  test.each([
    ['2', 'Welcome'],
    ['2*1', 'Prices'],
    ['1*1', 'Maize'],
    ['*', 'END '],
  ])('answered with %s shows %s', async (typed, shown) => {
    await using line = await open()
    await line.phone().dial()
    await line.phone().send('1')
    const second = line.phone({ sessionId: 's2' })
    await second.dial()
    expect(await second.send(typed)).toContain(shown)
  })

  test('takes over the earlier session, which continues in one call only', async () => {
    await using line = await open()
    await line.phone().dial()
    await line.phone().send('1')
    const second = line.phone({ sessionId: 's2' })
    await second.dial()
    await second.send('1')
    expect((await line.sessions.list(5)).ids).toEqual(['s2'])
    await line.pass(1)
    await second.send('1*1')
    const third = line.phone({ sessionId: 's3' })
    await third.dial()
    expect(await third.send('1')).toContain('Maize')
  })

  test.each([
    ['after the last one was ended', async line => void (await line.phone().send('1**'))],
    ['where nothing was typed', async line => void (await line.phone().dial())],
    ['long after', async line => await line.pass(601_000)],
  ] satisfies [string, (line: PhoneLine) => Promise<void>][])('begins again %s', async (_name, happens) => {
    await using line = await open()
    await line.phone().dial()
    await line.phone().send('1')
    await happens(line)
    expect(await line.phone({ sessionId: 's2' }).dial()).toContain('Welcome')
  })

  test('with another phone, code or provider begins again, and so does a shortcut', async () => {
    await using line = await open()
    await line.phone().dial()
    await line.phone().send('1')
    for (const other of [{ phoneNumber: '+260970000000' }, { serviceCode: '*99#' }, { provider: 'other' }]) {
      expect(await line.phone({ sessionId: 's2', ...other }).dial()).toContain('Welcome')
    }
    expect(await line.phone({ sessionId: 's3', serviceCode: '*1234*2#' }).dial()).toContain('Your name?')
  })

  test('stays signed in only while the earlier session has not expired', async () => {
    await using line = await open()
    const phone = line.phone()
    await phone.dial()
    await phone.send('3')
    await phone.send('3*2580')
    await phone.hangUp()
    await line.pass(170_000)
    const second = line.phone({ sessionId: 's2' })
    await second.dial()
    await line.pass(20_000)
    expect(await second.send('1')).toContain('Welcome')
    expect((await line.sessions.find('s2'))?.isAuthenticated).toBe(false)
    expect(await line.phone({ sessionId: 's3' }).dial()).toContain('Welcome')
  })

  test('stays signed in while it has not expired', async () => {
    await using line = await open()
    const phone = line.phone()
    await phone.dial()
    await phone.send('3')
    await phone.send('3*2580')
    const second = line.phone({ sessionId: 's2' })
    await second.dial()
    expect(await second.send('1')).toContain('Signed in')
    expect((await line.sessions.find('s2'))?.isAuthenticated).toBe(true)
  })

  test('finds the outcome of an action that ended meanwhile', async () => {
    const work = Promise.withResolvers<{ to: string }>()
    await using line = await open(true, shopFlow({ timeLimitMs: 20, run: () => work.promise }))
    await line.phone().dial()
    await line.phone().send('4')
    await line.phone().hangUp()
    expect(await line.phone({ sessionId: 's2' }).dial()).toContain('Welcome')
    work.resolve({ to: 'done' })
    const again = async () => await line.phone({ sessionId: `s${Math.random()}` }).dial()
    await expect.poll(again).not.toContain('Welcome')
    const third = line.phone({ sessionId: 's3' })
    await third.dial()
    expect(await third.send('1')).toContain('Done')
  })

  test('begins again if offers are off', async () => {
    await using line = await open(false)
    await line.phone().dial()
    await line.phone().send('1')
    expect(await line.phone({ sessionId: 's2' }).dial()).toContain('Welcome')
  })
})
