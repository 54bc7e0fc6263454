import { randomBytes } from 'node:crypto'
import { createVault } from '@sibyl/plugin/sealing'
import { expect, test } from 'vitest'
import { standingAlone, withoutIds } from '../canaries.test.helper.ts'
import { type CustomerFixture, openCustomerFixture, testPhone } from '../customers/customer-fixture.test.helper.ts'
import type { PhoneRecords } from '../people/phone-records.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import type { WriteTransaction } from '../storage/ussd-tables.ts'

const minute = 60_000
const note = { operator: 'Mutale', reason: 'Forgot the PIN' }
const otherPhone = '+260970000002'

/** Requests a reset and confirms it. */
const resetPin = async ({ actions }: CustomerFixture, customerId: string) => {
  const { id, confirmation } = await actions.request('reset', { customerId }, note)
  const reset = await actions.confirm('reset', id, { confirmation, operator: 'Bwalya' })
  return { id, confirmation, pin: reset?.pin ?? '', validUntil: reset?.validUntil ?? 0 }
}

await onEachEngine('operators', engine => {
  test('reset a PIN in two steps: the one-time PIN signs in to choose a new one, and locks are lifted', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    for (let attempt = 1; attempt <= 5; attempt++) await fixture.signIn(customer, '0946')
    const asked = await fixture.actions.request('reset', { phoneNumber: testPhone }, note)
    expect(asked).toMatchObject({ confirmation: expect.stringMatching(/^[a-z]{8}$/), customers: 1 })
    fixture.clock.jump(15 * minute - 1)
    expect(await fixture.signIn(customer, '0946', otherPhone)).toMatchObject({ kind: 'locked' })
    const reset = await fixture.actions.confirm('reset', asked.id, { ...asked, operator: 'Bwalya' })
    expect(reset?.pin).toMatch(/^\d{6}$/)
    expect(reset?.validUntil).toBe(fixture.clock.now() + 60 * minute)
    expect(await fixture.signIn(customer, '8305')).toEqual({ kind: 'wrong' })
    expect(await fixture.signIn(customer, reset!.pin)).toEqual({
      kind: 'must-change',
      customer,
      pinMark: expect.any(String),
    })
    await expect(fixture.customers.changePin(customer.id, reset!.pin)).rejects.toMatchObject({ code: 'pin_weak' })
    const { write } = await fixture.customers.changePin(customer.id, '0946')
    await fixture.storage.write(tx => write(tx))
    expect(await fixture.signIn(customer, reset!.pin)).toEqual({ kind: 'wrong' })
    expect(await fixture.signIn(customer, '0946')).toEqual({ kind: 'right', customer, pinMark: expect.any(String) })
  })

  test('a one-time PIN expires after an hour', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const { pin } = await resetPin(fixture, customer.id)
    fixture.clock.jump(60 * minute)
    expect(await fixture.signIn(customer, pin)).toEqual({ kind: 'wrong' })
  })

  test('a reset is shown once', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const { id, confirmation } = await fixture.actions.request('reset', { customerId: customer.id }, note)
    const by = { confirmation, operator: 'Bwalya' }
    const both = await Promise.allSettled([
      fixture.actions.confirm('reset', id, by),
      fixture.actions.confirm('reset', id, by),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(fixture.actions.confirm('reset', id, by)).rejects.toMatchObject({ code: 'operator_action_over' })
  })

  test('a request expires after a quarter of an hour, and after five wrong words', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const ask = () => fixture.actions.request('unlock', { customerId: customer.id }, note)
    const confirm = (id: string, confirmation: string) =>
      fixture.actions.confirm('unlock', id, { confirmation, operator: 'Bwalya' })
    const late = await ask()
    fixture.clock.jump(15 * minute)
    await expect(confirm(late.id, late.confirmation)).rejects.toMatchObject({ code: 'operator_action_over' })
    const guessed = await ask()
    for (let tries = 1; tries <= 5; tries++) {
      await expect(confirm(guessed.id, 'tilomera')).rejects.toMatchObject({ code: 'confirmation_wrong' })
    }
    await expect(confirm(guessed.id, guessed.confirmation)).rejects.toMatchObject({ code: 'operator_action_over' })
    const other = await fixture.actions.request('reset', { customerId: customer.id }, note)
    await expect(confirm(other.id, other.confirmation)).rejects.toMatchObject({ code: 'operator_action_not_found' })
    expect((await fixture.actions.list({ limit: 10 })).map(({ state }) => state).sort()).toEqual([
      'expired',
      'expired',
      'waiting',
    ])
  })

  test('unlock an account, and a phone without one', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const unlock = async (target: { customerId: string } | { phoneNumber: string }) => {
      const { id, confirmation } = await fixture.actions.request('unlock', target, note)
      const by = { confirmation, operator: 'Bwalya' }
      await fixture.actions.confirm('unlock', id, by)
      await fixture.actions.confirm('unlock', id, by)
    }
    for (let attempt = 1; attempt <= 5; attempt++) await fixture.signIn(customer, '0946', otherPhone)
    await unlock({ customerId: customer.id })
    expect(await fixture.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
    expect(await fixture.signIn(customer, '8305', otherPhone)).toMatchObject({ kind: 'locked' })
    await unlock({ phoneNumber: otherPhone })
    expect(await fixture.signIn(customer, '8305', otherPhone)).toMatchObject({ kind: 'right' })
  })

  test('name one of several customers, and a single one', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const [first] = [await fixture.create(), await fixture.create()]
    const reset = (target: { customerId: string } | { phoneNumber: string }) =>
      fixture.actions.request('reset', target, note)
    const error = await reset({ phoneNumber: testPhone }).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'customer_ambiguous', facts: { count: 2 } })
    expect(String(error)).not.toContain(first.id)
    expect(await reset({ customerId: first.id })).toMatchObject({ customers: 1 })
    await expect(reset({ phoneNumber: otherPhone })).rejects.toMatchObject({ code: 'customer_not_found' })
    await expect(reset({ customerId: '100000009' })).rejects.toMatchObject({ code: 'customer_not_found' })
  })

  test('read the records, page by page', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const reset = await resetPin(fixture, customer.id)
    for (let count = 0; count < 4; count++) await fixture.actions.export(testPhone, note)
    const all = await fixture.actions.list({ limit: 10 })
    const pages = [...(await fixture.actions.list({ limit: 2 }))]
    for (let page = 2; page <= 3; page++) {
      pages.push(...(await fixture.actions.list({ limit: 2, before: pages.at(-1)!.id })))
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

  test('read the records also if one of them has lost its key, and report which', async () => {
    const storage = await engine.open()
    const before = await openCustomerFixture(storage, { keys: { current: randomBytes(32) } })
    await before.create()
    const lost = await before.actions.request('unlock', { phoneNumber: testPhone }, note)
    const fixture = await openCustomerFixture(storage, { clock: before.clock })
    fixture.clock.jump(1)
    const asked = await fixture.actions.request('unlock', { phoneNumber: testPhone }, note)
    expect(await fixture.actions.list({ limit: 50 })).toMatchObject([
      { id: asked.id, operator: note.operator, reason: note.reason },
      { id: lost.id, kind: 'unlock', operator: '?', reason: expect.stringContaining('PIN_ENCRYPTION_OLD_KEYS') },
    ])
  })

  test('export and erase a phone while the session of another one has lost its key', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    await fixture.create()
    const now = fixture.clock.now()
    await fixture.storage.write(tx =>
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
    expect(await fixture.actions.export(testPhone, note)).toMatchObject({ customers: [{}], sessions: [] })
    const asked = await fixture.actions.request('erase', { phoneNumber: testPhone }, note)
    await fixture.actions.confirm('erase', asked.id, { ...asked, operator: 'Bwalya' })
    expect(await fixture.actions.export(testPhone, note)).toMatchObject({ customers: [] })
  })

  test('export and erase all records of a phone, and none of another', async () => {
    const kept = new Map([
      [testPhone, 'asked about rain'],
      [otherPhone, 'asked about sun'],
    ])
    const questions: PhoneRecords = {
      name: 'questions',
      export: async phoneNumber => kept.get(phoneNumber) ?? null,
      erase: async phoneNumber => async (_tx: WriteTransaction) => void kept.delete(phoneNumber),
    }
    const fixture = await openCustomerFixture(await engine.open(), { records: [questions] })
    const [customer, brother, neighbour] = [
      await fixture.create(),
      await fixture.create(),
      await fixture.create(otherPhone),
    ]
    for (const phone of [testPhone, otherPhone]) {
      await fixture.storage.write(fixture.phones.setLanguage(phone, 'fr'))
      const [key] = fixture.vault.lookupHashes(`session of ${phone}`, 'test')
      await fixture.storage.write(tx =>
        tx
          .insertInto('ussd_sessions')
          .values({
            key,
            session_id: 'session-1',
            provider: 'plain',
            service_code: '*1234#',
            phone: fixture.vault.seal(phone, `ussd_sessions.phone:${key}`),
            caller: null,
            state: '',
            status: 'active',
            version: 1,
            born_at: fixture.clock.now(),
            updated_at: fixture.clock.now(),
            expires_at: fixture.clock.now(),
            run_until: null,
          })
          .execute(),
      )
    }
    await fixture.signIn(customer, '0946')
    await resetPin(fixture, customer.id)
    fixture.clock.jump(1)
    expect(await fixture.actions.export(testPhone, note)).toMatchObject({
      customers: [{ id: customer.id, name: 'Chanda Mwila', email: 'chanda@example.org' }, { id: brother.id }],
      phone: { phoneNumber: testPhone, language: 'fr', lockedForMinutes: 0 },
      sessions: [{ sessionId: 'session-1', provider: 'plain', serviceCode: '*1234#' }],
      operatorActions: [{ kind: 'reset', done: true }, { kind: 'export' }],
      questions: 'asked about rain',
    })

    const asked = await fixture.actions.request('erase', { phoneNumber: testPhone }, note)
    expect(asked.customers).toBe(2)
    expect(await fixture.customers.find(customer.id)).toBeDefined()
    for (let time = 1; time <= 2; time++)
      await fixture.actions.confirm('erase', asked.id, { ...asked, operator: 'Bwalya' })
    const after = await fixture.actions.export(testPhone, note)
    expect(after).toMatchObject({ customers: [], phone: { language: null }, sessions: [], questions: null })
    expect(await fixture.signIn(customer, '8305')).toEqual({ kind: 'wrong' })
    expect(await fixture.signIn(neighbour, '8305', otherPhone)).toMatchObject({ kind: 'right' })
    expect(await fixture.actions.export(otherPhone, note)).toMatchObject({
      customers: [{ id: neighbour.id }],
      phone: { language: 'fr' },
      sessions: [{}],
      questions: 'asked about sun',
    })
    const records = (await fixture.actions.list({ limit: 50 })).filter(({ kind }) => kind !== 'export')
    expect(records).toMatchObject([
      { kind: 'erase', state: 'done', operator: 'Mutale', confirmedBy: 'Bwalya', reason: note.reason },
      { kind: 'reset', state: 'done', operator: 'Mutale', confirmedBy: 'Bwalya' },
    ])
    expect(JSON.stringify(records)).not.toMatch(new RegExp(`${testPhone.slice(1)}|${customer.id}`))
  })
})
