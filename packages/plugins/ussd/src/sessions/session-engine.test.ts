import { sql } from '@sibyl/plugin/storage'
import { expect, test } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { oneDatabase } from './one-database.test.helper.ts'
import { openLine } from './phone-line.test.helper.ts'
import { shopFlow } from './shop-flow.test.helper.ts'

await onEachEngine('sessions', engine => {
  const database = oneDatabase(engine)
  const open = async (more: Partial<Parameters<typeof openLine>[0]> = {}) =>
    openLine({ storage: await database(), flow: shopFlow(), ...more })

  test('a session is dialed, moved by the last input, and ended', async () => {
    await using line = await open()
    const phone = line.phone()
    expect(await phone.dial()).toContain('Welcome')
    expect(await phone.send('1')).toContain('Prices')
    expect(await phone.send('1*1')).toContain('Maize')
    expect(await phone.send('1*1*0')).toContain('Prices')
    expect(await phone.send('1*1*0**')).toMatch(/^END /)
  })

  test('an answer with a star stays whole, and two stars in it do not end the session', async () => {
    await using line = await open()
    const phone = line.phone()
    await phone.dial()
    await phone.send('2')
    expect(await phone.send('2*Jane**Doe')).toContain('Hello Jane**Doe')
  })

  test('the same request, sequentially and concurrently, moves once and has one reply', async () => {
    await using line = await open()
    const phone = line.phone()
    const dials = await Promise.all(Array.from({ length: 20 }, () => phone.dial()))
    expect(new Set(dials).size).toBe(1)
    const first = await Promise.all(Array.from({ length: 20 }, () => phone.send('1')))
    expect(new Set(first).size).toBe(1)
    expect(first[0]).toContain('Prices')
    expect(await phone.send('1*2')).toMatch(/^END Beans/)
    expect(await phone.send('1*2')).toMatch(/^END Beans/)
    expect(await phone.send('1')).toMatch(/^END Beans/)
  })

  test('concurrent last answers move once; later ones move again', async () => {
    await using line = await open()
    const phone = line.phone({ provider: 'hubtel', textMode: 'last' })
    await phone.dial()
    const first = await Promise.all(Array.from({ length: 10 }, () => phone.send('1')))
    expect(first.every(text => text.startsWith('Prices'))).toBe(true)
    await line.pass(10_000)
    expect(await phone.send('1')).toContain('Maize')
  })

  test("a provider's count separates requests, however fast they arrive", async () => {
    await using line = await open()
    const phone = line.phone({ provider: 'hubtel', textMode: 'last' })
    await phone.dial({ sequence: 1 })
    expect(await phone.send('1', { sequence: 2 })).toContain('Prices')
    expect(await phone.send('1', { sequence: 2 })).toContain('Prices')
    expect(await phone.send('1', { sequence: 3 })).toContain('Maize')
    expect(await phone.send('1', { sequence: 2 })).toContain('Maize')
    expect(await phone.dial({ sequence: 1 })).toContain('Maize')
  })

  test('an empty text is the welcome menu, during a session and after its end', async () => {
    await using line = await open()
    const phone = line.phone()
    await phone.dial()
    await phone.send('1')
    expect(await phone.send('')).toContain('Welcome')
    expect(await phone.send('*')).toMatch(/^END /)
    expect(await phone.send('')).toContain('Welcome')
    expect(await phone.send('1')).toContain('Prices')
  })

  test('accumulated input is walked from the start, and not past a secret', async () => {
    await using line = await open()
    const phone = line.phone()
    await phone.dial()
    expect(await phone.send('1*1')).toContain('Maize')
    expect(await phone.send('3*2580*1')).toContain('Your PIN?')
    expect((await line.sessions.find('s1'))?.isAuthenticated).toBe(false)
    expect(await line.phone({ sessionId: 'never-dialled' }).send('3*2580')).toContain('Your PIN?')
  })

  test('another phone, code or provider is another session and learns nothing', async () => {
    await using line = await open()
    const phone = line.phone()
    await phone.dial()
    await phone.send('3')
    expect(await phone.send('3*2580')).toContain('Signed in')
    for (const other of [{ phoneNumber: '+260970000000' }, { serviceCode: '*999#' }, { provider: 'other' }]) {
      expect(await line.phone(other).send('3*2580*1')).toContain('Your PIN?')
      expect(await line.phone(other).send('1')).toContain('Prices')
    }
    expect(await phone.send('3*2580*1')).toContain('Your profile')
  })

  test('an expired session is not found, and begins again', async () => {
    await using line = await open()
    const phone = line.phone()
    await phone.dial()
    await phone.send('3')
    await phone.send('3*2580')
    await line.pass(179_000)
    expect(await phone.send('3*2580*8')).toContain('Signed in')
    await line.pass(179_000)
    expect((await line.sessions.find('s1'))?.isAuthenticated).toBe(true)
    await line.pass(2_000)
    expect(await line.sessions.find('s1')).toBeUndefined()
    expect(await line.sessions.list(10)).toEqual({ ids: [], count: 0 })
    expect(await phone.send('3*2580*8*1')).toContain('Your PIN?')
  })

  test.each(['release', 'timeout'] as const)('%s ends the session', async event => {
    await using line = await open()
    const phone = line.phone({ textMode: 'last' })
    await phone.hangUp(event)
    await phone.dial()
    await phone.send('1')
    await phone.hangUp(event)
    await phone.hangUp(event)
    expect(await line.sessions.find('s1')).toBeUndefined()
    await line.pass(5_000)
    expect(await phone.send('1')).toContain('Welcome')
  })

  test('sessions are listed by ID, newest first', async () => {
    await using line = await open()
    await line.phone({ sessionId: 'a' }).dial()
    await line.pass(10)
    await line.phone({ sessionId: 'b', phoneNumber: '+260970000001' }).dial()
    await line.pass(10)
    await line.phone({ sessionId: 'a', phoneNumber: '+260970000002' }).send('1')
    expect(await line.sessions.list(10)).toEqual({ ids: ['a', 'b', 'a'], count: 3 })
    expect(await line.sessions.list(1)).toEqual({ ids: ['a'], count: 3 })
    expect(await line.sessions.find('a')).toEqual({
      sessionId: 'a',
      phoneNumber: '+260970000002',
      state: 'prices',
      message: expect.stringContaining('Prices'),
      isAuthenticated: false,
      status: 'active',
    })
    await line.phone({ sessionId: 'a', phoneNumber: '+260970000002' }).send('1**')
    expect(await line.sessions.find('a')).toMatchObject({ phoneNumber: '+260971234567', state: 'welcome' })
    expect(await line.sessions.find('c')).toBeUndefined()
  })

  test("uses the language of the phone's user, read only at dials", async () => {
    const asked: string[] = []
    const knownLanguage = async (phoneNumber: string) => {
      asked.push(phoneNumber)
      return 'sw'
    }
    await using line = await open({ knownLanguage })
    const phone = line.phone()
    expect(await phone.dial()).toContain('Karibu')
    await phone.send('1')
    await phone.send('1*0')
    expect(asked).toEqual(['+260971234567'])
  })

  test('a shortcut is walked, by the longest matching code, and not past a secret', async () => {
    await using line = await open({ settings: { serviceCodes: ['*1234#', '*1234*7#'] } })
    const phone = line.phone({ serviceCode: '*1234*1*1#' })
    expect(await phone.dial()).toContain('Maize')
    expect(await phone.dial()).toContain('Maize')
    expect(await phone.send('0')).toContain('Prices')
    expect(await line.phone({ sessionId: 's2', serviceCode: '*1234*7*1#' }).dial()).toContain('Prices')
    expect(await line.phone({ sessionId: 's3', serviceCode: '*1234*3*2580#' }).dial()).toContain('Your PIN?')
    const other = line.phone({ sessionId: 's4' })
    expect(await other.dial({ dialled: '*1234*1#' })).toContain('Prices')
    expect(await other.send('2')).toMatch(/^END Beans/)
  })

  test('any code is accepted without base codes', async () => {
    await using line = await open()
    expect(await line.phone({ serviceCode: '*1234*1*1#' }).dial()).toContain('Welcome')
  })

  test('input and phone number are sealed in the database', async () => {
    const storage = await database()
    await using line = await openLine({ storage, flow: shopFlow() })
    const phone = line.phone()
    await phone.dial()
    await phone.send('2')
    await phone.send('2*Wanjiru')
    await phone.send('3')
    await phone.send('3*2580')
    const { rows } = await sql<Record<string, unknown>>`select * from ussd_sessions`.execute(storage.read)
    expect(rows).toHaveLength(1)
    const isTime = (value: unknown) => /^\d+$/.test(String(value))
    const text = JSON.stringify(Object.values(rows[0] ?? {}).filter(value => !isTime(value)))
    expect(text).toContain('*1234#')
    for (const secret of ['971234567', 'Wanjiru', 'Signed in']) expect(text).not.toContain(secret)
    // A sealed text can contain four digits by chance.
    expect(text.replaceAll(/v1\.[\da-f]{8}\.[\w-]+/g, '')).not.toContain('2580')
  })

  test('sessions of an earlier key continue under the next one', async () => {
    const storage = await database()
    const old = new Uint8Array(32).fill(1)
    {
      await using line = await openLine({ storage, flow: shopFlow(), keys: { current: old } })
      await line.phone().dial()
      await line.phone().send('1')
    }
    await using line = await openLine({ storage, flow: shopFlow(), keys: { current: new Uint8Array(32), old: [old] } })
    expect(await line.phone().send('1*1')).toContain('Maize')
    expect((await line.sessions.list(5)).count).toBe(1)
  })

  test('sessions of a removed key are not found', async () => {
    const storage = await database()
    {
      await using line = await openLine({ storage, flow: shopFlow(), keys: { current: new Uint8Array(32).fill(1) } })
      await line.phone().dial()
    }
    await using line = await openLine({ storage, flow: shopFlow() })
    expect(await line.sessions.find('s1')).toBeUndefined()
    expect(await line.phone().dial()).toContain('Welcome')
    expect((await line.sessions.find('s1'))?.state).toBe('welcome')
  })

  test('an erased session does not return with its next answer', async () => {
    const storage = await database()
    await using line = await openLine({ storage, flow: shopFlow() })
    await line.phone().dial()
    expect(await line.phone().send('1')).toContain('Prices')
    await storage.write(tx => tx.deleteFrom('ussd_sessions').execute())
    expect(await line.phone().send('1*1')).toContain('Maize')
    expect(await storage.read.selectFrom('ussd_sessions').select('version').execute()).toEqual([{ version: 1 }])
  })

  test('hundreds of concurrent sessions are kept apart, and share their commits', async () => {
    const storage = await database()
    let writes = 0
    const counted: UssdStorage = {
      engine: storage.engine,
      read: storage.read,
      write: (work, options) => {
        writes += 1
        return storage.write(work, options)
      },
    }
    await using line = await openLine({ storage: counted, jobStorage: storage, flow: shopFlow() })
    const phones = Array.from({ length: 200 }, (_, index) => line.phone({ sessionId: `s${index}` }))
    await Promise.all(phones.map(phone => phone.dial()))
    const shown = await Promise.all(phones.map((phone, index) => phone.send(index % 2 === 0 ? '1' : '2')))
    expect(shown.filter((text, index) => text.includes(index % 2 === 0 ? 'Prices' : 'Your name?'))).toHaveLength(200)
    expect((await line.sessions.list(5)).count).toBe(200)
    expect(writes).toBeLessThan(20)
  })
})
