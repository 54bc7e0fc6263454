import { createHash } from 'node:crypto'
import { openJobs } from '@sibyl/storage'
import { fakeClock } from '@sibyl/storage/testing'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { testLimits } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { MessageRow, SmsTables } from '../definitions/sms-tables.ts'
import { smsMigrations } from '../definitions/sms-tables.ts'
import { takeInbound } from '../inbox/take-inbound.ts'
import { sealNumbers } from '../numbers/seal-numbers.ts'
import { createSealedNumbers } from '../numbers/sealed-numbers.ts'
import { defineForgetting } from '../people/define-forgetting.ts'
import { createLinkStore } from '../people/link-store.ts'
import { createOwnMessages, messagesOfPerson } from '../people/own-messages.ts'
import { smsRecords } from '../people/personal-records.ts'
import { createPeople } from '../people/sms-people.ts'
import { applyEarly, settleLost, settleMessage, takeReports } from './delivery-reports.ts'
import { createOutbox, type NewMessage, sendJob } from './outbox.ts'

const phone = '+260971234567'
const did = 'did:key:ussd-+260971234567'
const ada = 'did:key:ada'
const dayMs = 86_400_000

const identity = {
  did: 'did:key:oracle',
  pairwiseDid: (channel: string, subject: string) => `did:key:${channel}-${subject}`,
}

type Keys = Parameters<typeof createSealedNumbers>[0]

const onEachEngine = onEachEngineWith<SmsTables>('sms', smsMigrations)

await onEachEngine('messages', engine => {
  const open = async (perDay = 50, keys: Keys = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) }) => {
    const clock = fakeClock(Date.parse('2026-11-22T10:00:00Z'))
    const storage = await engine.open({ clock })
    // Jobs are taken in, and none of them runs here.
    const jobs = await openJobs({ storage, clock })
    for (const kind of [sendJob, 'sms/answer']) jobs.define(kind, z.object({ id: z.string() }), async () => {})
    const numbers = createSealedNumbers(keys, identity)
    const people = createPeople({ storage, identity: identity as never, numbers, preferences: undefined })
    const links = createLinkStore({ storage, clock, numbers, people })
    const limits = { perDay, toOthersPerDay: 5 }
    const outbox = createOutbox({
      storage,
      jobs,
      clock,
      people,
      numbers,
      links,
      access: 'delegated',
      ...limits,
      ...testLimits('open'),
    })
    const parts = { storage, jobs, clock, people, numbers, links }
    const take = (more: Partial<NewMessage> = {}) =>
      outbox.take({ key: 'one', to: phone, text: 'Hello', purpose: 'person', cause: ada, toOthers: true, ...more })
    const rows = () => storage.read.selectFrom('sms_messages').selectAll().orderBy('created_at').execute()
    const put = (id: string, change: Partial<MessageRow>) =>
      storage.write(tx => tx.updateTable('sms_messages').set(change).where('id', '=', id).execute())
    return { ...parts, outbox, take, rows, put, jobs, records: smsRecords(parts) }
  }

  test('messages under fresh keys count toward the holder of their right', async () => {
    const { take } = await open(3)
    const as = (did: string) => ({ key: did, cause: did, actor: { did, via: 'ucan', holder: 'did:key:holder' } })
    for (const did of ['did:key:1', 'did:key:2', 'did:key:3'])
      await take({ ...as(did), to: `+26097123456${did.at(-1)}` })
    await expect(take(as('did:key:4'))).rejects.toMatchObject({ code: 'sms_limit_reached' })
    await expect(take({ key: 'own', cause: 'did:key:holder' })).rejects.toMatchObject({ code: 'sms_limit_reached' })
    await take({ key: 'other', cause: 'did:key:other' })
  })

  test('one address has its share of what all may have sent to the phones of others', async () => {
    const { take } = await open()
    const from = (origin: string, count: number) => {
      const did = `did:key:${origin}-${count}`
      return take({ key: did, to: `+2609712345${60 + count}`, cause: did, actor: { did, via: 'ucan', origin } })
    }
    await from('a', 1)
    await expect(from('a', 2)).rejects.toThrow('the limit of 1 in 24 hours from one address')
    await from('b', 2)
    await from('c', 3)
    await from('d', 4)
    await expect(from('e', 5)).rejects.toThrow('by all users together')
    const shop = { did: 'did:key:shop', via: 'api-key' }
    await take({ key: 'shop', to: '+260971234599', cause: shop.did, actor: shop })
  })

  test('one key is one message and one job, also under concurrency', async () => {
    const { take, rows, jobs } = await open()
    const taken = await Promise.all(Array.from({ length: 8 }, () => take()))
    expect(new Set(taken.map(({ id }) => id)).size).toBe(1)
    expect(await rows()).toHaveLength(1)
    expect((await jobs.counts()).get('waiting')).toBe(1)
    for (const text of ['', ' ', 'a\0', '\ud800', 'x'.repeat(1_601)])
      await expect(take({ key: text, text })).rejects.toMatchObject({ code: 'sms_text_invalid' })
  })

  test('the daily limits per user, per phone and in total are exact under concurrency', async () => {
    const { take, clock, rows } = await open(3)
    const [ben, other] = ['did:key:ben', '+260977000000']
    const taken = await Promise.allSettled(Array.from({ length: 8 }, (_, place) => take({ key: `k${place}` })))
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(taken.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'sms_limit_reached' } })
    await expect(take({ key: 'ben', cause: ben })).rejects.toThrow('to one phone')
    const service = { purpose: 'service', cause: undefined as never } as const
    await expect(take({ key: 'receipt', ...service })).rejects.toThrow('to one phone')
    await take({ key: 'code', ...service, sensitive: true })
    for (const key of ['ben 1', 'ben 2']) await take({ key, cause: ben, to: other })
    await expect(take({ key: 'ben 3', cause: ben, to: other })).rejects.toThrow('phones of others')
    await take({ key: 'own', cause: `did:key:ussd-${other}`, to: other })
    clock.jump(-400 * dayMs)
    await take({ key: 'before a clock was ahead' })
    clock.jump(401 * dayMs + 1)
    await take({ key: 'tomorrow' })
    const first = taken.findIndex(({ status }) => status === 'fulfilled')
    expect(await take({ key: `k${first}` })).toMatchObject({ state: 'waiting' })
    expect(await rows()).toHaveLength(9)
  })

  test('a received message is stored once under concurrency; its number is known afterwards', async () => {
    const { people, jobs, storage, ...parts } = await open()
    const incoming = { providerId: 'in-1', from: '260971234567', text: 'nul \0 and \ud800' }
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => takeInbound('africastalking', [incoming], { people, jobs, storage, ...parts })),
    )
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await takeInbound('infobip', [incoming], { people, jobs, storage, ...parts })).toBe(1)
    expect((await jobs.counts()).get('waiting')).toBe(2)
    expect(await people.phoneOf(did)).toBe(phone)
    const [row] = await storage.read.selectFrom('sms_inbound').selectAll().execute()
    expect(row).toMatchObject({ did, text: 'nul   and \ufffd', state: 'waiting' })
  })

  test('reports lead on and never back, and those that came early wait for their message', async () => {
    const { take, put, rows, storage, clock, numbers } = await open()
    const { id } = await take()
    await put(id, { state: 'sending', sent_at: clock.now() })
    const reportedBy = (status: 'sent' | 'delivered' | 'failed') =>
      takeReports([{ providerId: 'p1', phone, status, cost: 'KES 1' }], { storage, clock, numbers })
    await Promise.all([reportedBy('delivered'), reportedBy('sent'), reportedBy('delivered')])
    expect(await rows()).toMatchObject([{ state: 'sending' }])
    await storage.write(async tx => {
      await settleMessage(id, { status: 'sent', providerId: 'p1' }, { now: clock.now(), keepsTexts: false }, tx)
      await applyEarly(id, 'p1', clock.now(), tx)
    })
    expect(await rows()).toMatchObject([{ state: 'delivered', provider_id: 'p1', cost: 'KES 1' }])
    await reportedBy('failed')
    await reportedBy('sent')
    expect(await rows()).toMatchObject([{ state: 'delivered' }])
    expect(await storage.read.selectFrom('sms_early_reports').selectAll().execute()).toEqual([])
  })

  test('an early report settles the one lost message of its phone that began before it', async () => {
    const { take, put, rows, storage, clock, numbers } = await open()
    const { id } = await take()
    const early = (providerId: string) =>
      takeReports([{ providerId, phone, status: 'delivered' }], { storage, clock, numbers })
    clock.jump(3_600_000)
    await early('from before the clock was turned back')
    clock.jump(-3_600_000)
    await early('of an older one')
    clock.jump(1_000)
    await put(id, { state: 'sending', sent_at: clock.now() })
    await early('p1')
    expect(await rows()).toMatchObject([{ state: 'sending' }])
    await put(id, { state: 'unknown' })
    const [lost] = await createOwnMessages({ storage, numbers }).of(ada, 10)
    expect(lost).toMatchObject({ state: 'unknown', advice: expect.stringContaining('Ask the recipient') })
    await storage.write(tx => settleLost(phone, { now: clock.now(), numbers }, tx))
    expect(await rows()).toMatchObject([{ state: 'delivered', provider_id: 'p1' }])
  })

  test('a person exports and erases all stored data; keys and opt-outs outlive it', async () => {
    const { take, people, storage, records, rows, clock, jobs, numbers, ...parts } = await open()
    await take({ key: 'mine', to: '+260977000000', text: 'for another' })
    await take({
      key: 'to me',
      purpose: 'service',
      text: 'Your code is 1.',
      sensitive: true,
      cause: undefined as never,
    })
    await takeInbound('infobip', [{ providerId: 'i', from: phone, text: 'STOP' }], {
      people,
      storage,
      clock,
      jobs,
      numbers,
      ...parts,
    })
    expect(await records.export(ada)).toMatchObject({ sent: [{ to: '+260977000000', text: 'for another' }] })
    expect(await records.export(did)).toEqual({
      phone,
      wantsNothing: true,
      sent: [{ to: phone, secret: true, state: 'waiting', at: expect.any(String) }],
      received: [{ text: 'STOP', state: 'waiting', at: expect.any(String) }],
    })
    expect(await records.export('did:key:nobody')).toBeUndefined()
    for (const person of [ada, did, did]) await records.erase(person)
    expect(await records.export(did)).toBeUndefined()
    expect(await createOwnMessages({ storage, numbers }).of(did, 10)).toEqual([])
    const inbound = await storage.read.selectFrom('sms_inbound').selectAll().execute()
    const all = JSON.stringify([await rows(), inbound].flat(), (name, value) =>
      ['id', 'phone_hash'].includes(name) ? '' : value,
    )
    expect(all).not.toMatch(/97123|97700|STOP|another|code is|did:key/)
    expect(await people.wantsNothing(phone)).toBe(true)
    const marks = await storage.read.selectFrom('sms_opt_outs').select('phone_hash').execute()
    const guesses = [phone, `sms-opt-out ${phone}`, did].map(text =>
      createHash('sha256').update(text).digest('base64url'),
    )
    expect(marks).toHaveLength(1)
    for (const guess of [phone, did, ...guesses]) expect(marks[0]?.phone_hash).not.toContain(guess)
    expect(await take({ key: 'mine' })).toMatchObject({ state: 'erased' })
  })

  test('many messages of a person are erased, and those of others stay', async () => {
    const { take, rows, storage, records } = await open()
    await take({ key: 'mine' })
    await take({ key: 'other', cause: 'did:key:ben', to: '+260977000000', text: 'of Ben' })
    const mine = (await rows()).find(({ cause }) => cause === ada)!
    await storage.write(async tx => {
      for (let number = 0; number < 260; number += 1)
        await tx
          .insertInto('sms_messages')
          .values({ ...mine, id: `m${number}`, message_key: `k${number}` })
          .execute()
    })
    await records.erase(ada)
    const all = await rows()
    const texts = all.map(({ text }) => text).filter(text => text !== '')
    expect(texts).toEqual(['of Ben'])
    expect(all.filter(({ state }) => state === 'erased')).toHaveLength(261)
    expect(JSON.stringify(all.map(({ cause, holder, did: whose }) => [cause, holder, whose]))).not.toContain(ada)
  })

  test('numbers are sealed, those of before as well, and found by either key and before they are sealed', async () => {
    const [first, second] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const oracle = await open(2, { PIN_ENCRYPTION_KEY: first })
    const { take, put, rows, storage, clock, numbers, people } = oracle
    const plain = createSealedNumbers({}, { did: undefined, pairwiseDid: () => '' })
    // Rows as an earlier version wrote them.
    const { id } = await take({ key: 'old' })
    await put(id, { phone, phone_hash: '', state: 'unknown', sent_at: clock.now() })
    await takeInbound('infobip', [{ providerId: 'i', from: phone, text: 'Hi' }], { ...oracle, numbers: plain })
    await storage.write(tx => tx.updateTable('sms_phones').set({ phone }).execute())
    await take({ key: 'new' })
    await expect(take({ key: 'third' })).rejects.toMatchObject({ code: 'sms_limit_reached' })
    expect(await people.phoneOf(did)).toBe(phone)
    await takeReports([{ providerId: 'p1', phone, status: 'delivered' }], { storage, clock, numbers })
    expect((await rows()).find(row => row.id === id)).toMatchObject({ state: 'delivered' })
    await takeReports([{ providerId: 'p2', phone, status: 'sent' }], { storage, clock, numbers: plain })
    const everything = async () => {
      const tables = ['sms_messages', 'sms_inbound', 'sms_phones', 'sms_early_reports'] as const
      const all = await Promise.all(tables.map(table => storage.read.selectFrom(table).selectAll().execute()))
      return JSON.stringify(all)
    }
    expect((await everything()).replaceAll(did, '')).toContain(phone)

    const violations: string[] = []
    const log = { info: () => {}, error: (message: string) => void violations.push(message) }
    const seal = async (keys: Keys) => {
      const under = createSealedNumbers(keys, identity)
      const own = await openJobs({ storage, clock })
      await sealNumbers({ storage, jobs: own, log, numbers: under })
      await own.start()
      const stored = /"phone":"(?!"|v1\.KEY\.)/.source.replace('KEY', under.vault!.keyIds[0])
      await expect.poll(async () => new RegExp(stored).test(await everything())).toBe(false)
      await own.stop()
      return under
    }
    const sealed = [
      await seal({ PIN_ENCRYPTION_KEY: first }),
      await seal({ PIN_ENCRYPTION_KEY: second, PIN_ENCRYPTION_OLD_KEYS: first }),
      await seal({ PIN_ENCRYPTION_OLD_KEYS: second }),
    ]
    expect(violations).toEqual([])
    expect((await everything()).replaceAll(did, '')).not.toContain(phone.slice(1))
    const of = async (keyed: typeof numbers) => {
      const kept = createPeople({ storage, identity: identity as never, numbers: keyed, preferences: undefined })
      const { sent } = await messagesOfPerson({ storage, numbers: keyed }, did, 10)
      return [await kept.phoneOf(did), ...sent.map(row => row.phone)]
    }
    for (const numbers of [...sealed, createSealedNumbers({}, identity)])
      expect(await of(numbers)).toEqual([phone, phone, phone])
    const stranger = { did: 'did:key:x', pairwiseDid: () => 'did:key:y' }
    expect(await of(createSealedNumbers({ PIN_ENCRYPTION_KEY: second }, stranger))).toEqual([undefined, '', ''])
  })

  test('data past its retention is deleted, and pending messages stay', async () => {
    const { take, put, rows, storage, clock, numbers, jobs } = await open()
    await defineForgetting({ storage, jobs, clock, keepDays: 10 })
    const { id: old } = await take({ key: 'old' })
    await take({ key: 'waits', sensitive: true })
    await put(old, { state: 'delivered' })
    await takeReports([{ providerId: 'lost', phone, status: 'sent' }], { storage, clock, numbers })
    clock.jump(11 * dayMs)
    await take({ key: 'new' })
    await jobs.start()
    await jobs.enqueue('sms/forget', {})
    await expect.poll(async () => (await rows()).map(row => row.id !== old)).toEqual([true, true])
    await expect.poll(async () => (await rows()).map(({ text }) => text)).toEqual(['', 'Hello'])
    await expect.poll(() => storage.read.selectFrom('sms_early_reports').selectAll().execute()).toEqual([])
    clock.jump(7 * dayMs)
    await jobs.enqueue('sms/forget', {})
    await expect.poll(async () => (await rows()).map(({ text }) => text)).toEqual(['Hello'])
    await jobs.stop()
  })
})
