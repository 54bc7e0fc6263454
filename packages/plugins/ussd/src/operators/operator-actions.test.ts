import { randomBytes } from 'node:crypto'
import { createVault } from '@sibyl/plugin/sealing'
import { expect, test } from 'vitest'
import { standingAlone, withoutIds } from '../canaries.test.helper.ts'
import { type CustomerDesk, openDesk, testPhone } from '../customers/customer-desk.test.helper.ts'
import type { PhoneRecords } from '../people/phone-records.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import type { WriteTransaction } from '../storage/ussd-tables.ts'

const minute = 60_000
const note = { operator: 'Mutale', reason: 'Forgot the PIN' }
const otherPhone = '+260970000002'

/** Asks for a reset and confirms it. */
const resetPin = async ({ actions }: CustomerDesk, customerId: string) => {
  const { id, confirmation } = await actions.request('reset', { customerId }, note)
  const reset = await actions.confirm('reset', id, { confirmation, operator: 'Bwalya' })
  return { id, confirmation, pin: reset?.pin ?? '', validUntil: reset?.validUntil ?? 0 }
}

await onEachEngine('operators', engine => {
  test('reset a PIN in two steps: the one-time PIN signs in to choose a new one, and locks are lifted', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    for (let attempt = 1; attempt <= 5; attempt++) await desk.signIn(customer, '0946')
    const asked = await desk.actions.request('reset', { phoneNumber: testPhone }, note)
    expect(asked).toMatchObject({ confirmation: expect.stringMatching(/^[a-z]{8}$/), customers: 1 })
    desk.clock.jump(15 * minute - 1)
    expect(await desk.signIn(customer, '0946', otherPhone)).toMatchObject({ kind: 'locked' })
    const reset = await desk.actions.confirm('reset', asked.id, { ...asked, operator: 'Bwalya' })
    expect(reset?.pin).toMatch(/^\d{6}$/)
    expect(reset?.validUntil).toBe(desk.clock.now() + 60 * minute)
    expect(await desk.signIn(customer, '8305')).toEqual({ kind: 'wrong' })
    expect(await desk.signIn(customer, reset!.pin)).toEqual({
      kind: 'must-change',
      customer,
      pinMark: expect.any(String),
    })
    await expect(desk.customers.changePin(customer.id, reset!.pin)).rejects.toMatchObject({ code: 'pin_weak' })
    const { write } = await desk.customers.changePin(customer.id, '0946')
    await desk.storage.write(tx => write(tx))
    expect(await desk.signIn(customer, reset!.pin)).toEqual({ kind: 'wrong' })
    expect(await desk.signIn(customer, '0946')).toEqual({ kind: 'right', customer, pinMark: expect.any(String) })
  })

  test('a one-time PIN is over after an hour', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    const { pin } = await resetPin(desk, customer.id)
    desk.clock.jump(60 * minute)
    expect(await desk.signIn(customer, pin)).toEqual({ kind: 'wrong' })
  })

  test('a reset is shown once', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    const { id, confirmation } = await desk.actions.request('reset', { customerId: customer.id }, note)
    const by = { confirmation, operator: 'Bwalya' }
    const both = await Promise.allSettled([
      desk.actions.confirm('reset', id, by),
      desk.actions.confirm('reset', id, by),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(desk.actions.confirm('reset', id, by)).rejects.toMatchObject({ code: 'operator_action_over' })
  })

  test('a request is over after a quarter of an hour, and after five wrong words', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    const ask = () => desk.actions.request('unlock', { customerId: customer.id }, note)
    const confirm = (id: string, confirmation: string) =>
      desk.actions.confirm('unlock', id, { confirmation, operator: 'Bwalya' })
    const late = await ask()
    desk.clock.jump(15 * minute)
    await expect(confirm(late.id, late.confirmation)).rejects.toMatchObject({ code: 'operator_action_over' })
    const guessed = await ask()
    for (let tries = 1; tries <= 5; tries++) {
      await expect(confirm(guessed.id, 'tilomera')).rejects.toMatchObject({ code: 'confirmation_wrong' })
    }
    await expect(confirm(guessed.id, guessed.confirmation)).rejects.toMatchObject({ code: 'operator_action_over' })
    const other = await desk.actions.request('reset', { customerId: customer.id }, note)
    await expect(confirm(other.id, other.confirmation)).rejects.toMatchObject({ code: 'operator_action_not_found' })
    expect((await desk.actions.list({ limit: 10 })).map(({ state }) => state).sort()).toEqual([
      'expired',
      'expired',
      'waiting',
    ])
  })

  test('unlock an account, and a phone that has none', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    const unlock = async (target: { customerId: string } | { phoneNumber: string }) => {
      const { id, confirmation } = await desk.actions.request('unlock', target, note)
      const by = { confirmation, operator: 'Bwalya' }
      await desk.actions.confirm('unlock', id, by)
      await desk.actions.confirm('unlock', id, by)
    }
    for (let attempt = 1; attempt <= 5; attempt++) await desk.signIn(customer, '0946', otherPhone)
    await unlock({ customerId: customer.id })
    expect(await desk.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
    expect(await desk.signIn(customer, '8305', otherPhone)).toMatchObject({ kind: 'locked' })
    await unlock({ phoneNumber: otherPhone })
    expect(await desk.signIn(customer, '8305', otherPhone)).toMatchObject({ kind: 'right' })
  })

  test('name one customer of several, and one there is', async () => {
    const desk = await openDesk(await engine.open())
    const [first] = [await desk.create(), await desk.create()]
    const reset = (target: { customerId: string } | { phoneNumber: string }) =>
      desk.actions.request('reset', target, note)
    const error = await reset({ phoneNumber: testPhone }).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'customer_ambiguous', facts: { count: 2 } })
    expect(String(error)).not.toContain(first.id)
    expect(await reset({ customerId: first.id })).toMatchObject({ customers: 1 })
    await expect(reset({ phoneNumber: otherPhone })).rejects.toMatchObject({ code: 'customer_not_found' })
    await expect(reset({ customerId: '100000009' })).rejects.toMatchObject({ code: 'customer_not_found' })
  })

  test('read the records, page by page', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    const reset = await resetPin(desk, customer.id)
    for (let count = 0; count < 4; count++) await desk.actions.export(testPhone, note)
    const all = await desk.actions.list({ limit: 10 })
    const pages = [...(await desk.actions.list({ limit: 2 }))]
    for (let page = 2; page <= 3; page++) {
      pages.push(...(await desk.actions.list({ limit: 2, before: pages.at(-1)!.id })))
    }
    expect(pages).toEqual(all)
    expect(all.find(({ id }) => id === reset.id)).toMatchObject({
      kind: 'reset',
      state: 'done',
      operator: 'Mutale',
      confirmedBy: 'Bwalya',
      reason: 'Forgot the PIN',
      phoneNumber: testPhone,
      customerId: customer.id,
    })
    expect(withoutIds(JSON.stringify(all))).not.toMatch(standingAlone(reset.pin))
  })

  test('read the records also when one of them has lost its key, and learn which', async () => {
    const storage = await engine.open()
    const before = await openDesk(storage, { keys: { current: randomBytes(32) } })
    await before.create()
    const lost = await before.actions.request('unlock', { phoneNumber: testPhone }, note)
    const desk = await openDesk(storage, { clock: before.clock })
    desk.clock.jump(1)
    const asked = await desk.actions.request('unlock', { phoneNumber: testPhone }, note)
    expect(await desk.actions.list({ limit: 50 })).toMatchObject([
      { id: asked.id, operator: note.operator, reason: note.reason },
      { id: lost.id, kind: 'unlock', operator: '?', reason: expect.stringContaining('PIN_ENCRYPTION_OLD_KEYS') },
    ])
  })

  test('export and erase a phone while the session of another one has lost its key', async () => {
    const desk = await openDesk(await engine.open())
    await desk.create()
    const now = desk.clock.now()
    await desk.storage.write(tx =>
      tx
        .insertInto('ussd_sessions')
        .values({
          key: 'of-a-key-that-is-gone',
          session_id: 'session-1',
          provider: 'plain',
          service_code: '*1234#',
          phone: createVault({ current: randomBytes(32) }).seal(
            otherPhone,
            'ussd_sessions.phone:of-a-key-that-is-gone',
          ),
          caller: null,
          state: '',
          status: 'active',
          version: 1,
          born_at: now,
          updated_at: now,
          expires_at: now,
          run_until: null,
        })
        .execute(),
    )
    expect(await desk.actions.export(testPhone, note)).toMatchObject({ customers: [{}], sessions: [] })
    const asked = await desk.actions.request('erase', { phoneNumber: testPhone }, note)
    await desk.actions.confirm('erase', asked.id, { ...asked, operator: 'Bwalya' })
    expect(await desk.actions.export(testPhone, note)).toMatchObject({ customers: [] })
  })

  test('export and erase all of a phone, in every room, and nothing of another', async () => {
    const kept = new Map([
      [testPhone, 'asked about rain'],
      [otherPhone, 'asked about sun'],
    ])
    const questions: PhoneRecords = {
      name: 'questions',
      export: async phoneNumber => kept.get(phoneNumber) ?? null,
      erase: async phoneNumber => async (_tx: WriteTransaction) => void kept.delete(phoneNumber),
    }
    const desk = await openDesk(await engine.open(), { records: [questions] })
    const [customer, brother, neighbour] = [await desk.create(), await desk.create(), await desk.create(otherPhone)]
    for (const phone of [testPhone, otherPhone]) {
      await desk.storage.write(desk.phones.setLanguage(phone, 'fr'))
      const [key] = desk.vault.lookupHashes(`session of ${phone}`, 'test')
      await desk.storage.write(tx =>
        tx
          .insertInto('ussd_sessions')
          .values({
            key,
            session_id: 'session-1',
            provider: 'plain',
            service_code: '*1234#',
            phone: desk.vault.seal(phone, `ussd_sessions.phone:${key}`),
            caller: null,
            state: '',
            status: 'active',
            version: 1,
            born_at: desk.clock.now(),
            updated_at: desk.clock.now(),
            expires_at: desk.clock.now(),
            run_until: null,
          })
          .execute(),
      )
    }
    await desk.signIn(customer, '0946')
    await resetPin(desk, customer.id)
    desk.clock.jump(1)
    expect(await desk.actions.export(testPhone, note)).toMatchObject({
      customers: [{ id: customer.id, name: 'Chanda Mwila', email: 'chanda@example.org' }, { id: brother.id }],
      phone: { phoneNumber: testPhone, language: 'fr', lockedForMinutes: 0 },
      sessions: [{ sessionId: 'session-1', provider: 'plain', serviceCode: '*1234#' }],
      operatorActions: [{ kind: 'reset', done: true }, { kind: 'export' }],
      questions: 'asked about rain',
    })

    const asked = await desk.actions.request('erase', { phoneNumber: testPhone }, note)
    expect(asked.customers).toBe(2)
    expect(await desk.customers.find(customer.id)).toBeDefined()
    for (let time = 1; time <= 2; time++)
      await desk.actions.confirm('erase', asked.id, { ...asked, operator: 'Bwalya' })
    const after = await desk.actions.export(testPhone, note)
    expect(after).toMatchObject({ customers: [], phone: { language: null }, sessions: [], questions: null })
    expect(await desk.signIn(customer, '8305')).toEqual({ kind: 'wrong' })
    expect(await desk.signIn(neighbour, '8305', otherPhone)).toMatchObject({ kind: 'right' })
    expect(await desk.actions.export(otherPhone, note)).toMatchObject({
      customers: [{ id: neighbour.id }],
      phone: { language: 'fr' },
      sessions: [{}],
      questions: 'asked about sun',
    })
    const records = (await desk.actions.list({ limit: 50 })).filter(({ kind }) => kind !== 'export')
    expect(records).toMatchObject([
      { kind: 'erase', state: 'done', operator: 'Mutale', confirmedBy: 'Bwalya', reason: note.reason },
      { kind: 'reset', state: 'done', operator: 'Mutale', confirmedBy: 'Bwalya' },
    ])
    expect(JSON.stringify(records)).not.toMatch(new RegExp(`${testPhone.slice(1)}|${customer.id}`))
  })
})
