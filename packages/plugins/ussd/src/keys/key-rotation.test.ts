import { randomBytes } from 'node:crypto'
import { resealTables } from '@sibyl/plugin/sealing'
import { expect, test } from 'vitest'
import { type CustomerFixture, openCustomerFixture, testPhone } from '../customers/customer-fixture.test.helper.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { keyUsage } from './keys-route.ts'

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const note = { operator: 'Mutale', reason: 'Forgot the PIN' }
const never = new AbortController().signal

const reseal = (fixture: CustomerFixture) => resealTables(fixture.storage, fixture.tables, never)

/** Returns the number of rows per key: current and earlier. */
const rowsByState = async (fixture: CustomerFixture) =>
  Object.fromEntries(
    (await keyUsage(fixture.storage, fixture.vault)).map(({ state, rows }) => [
      state,
      Object.values(rows).reduce((sum, count) => sum + count, 0),
    ]),
  )

await onEachEngine('keys that change', engine => {
  test('everything sealed and found under the old key is so under the new one, across restarts', async () => {
    const url = await engine.emptyDatabase()
    let storage = await engine.open({ url })
    const restart = async (current: Buffer, ...old: Buffer[]) => {
      await storage.close()
      storage = await engine.open({ url })
      return openCustomerFixture(storage, { keys: { current, old }, clock: before.clock })
    }
    const before = await openCustomerFixture(storage, { keys: { current: first } })
    const [customer, brother] = [await before.create(), await before.create()]
    await storage.write(before.phones.setLanguage(testPhone, 'fr'))
    for (let attempt = 1; attempt <= 4; attempt++) await before.signIn(customer, '0946')
    await before.actions.export(testPhone, note)

    const fixture = await restart(second, first)
    expect(await rowsByState(fixture)).toEqual({ current: 0, old: 7 })
    expect(await fixture.phones.language(testPhone)).toBe('fr')
    expect(await fixture.actions.export(testPhone, note)).toMatchObject({
      customers: [{ id: customer.id }, { id: brother.id }],
      operatorActions: [{}, {}],
    })
    expect(await fixture.signIn(customer, '0946')).toEqual({ kind: 'locked', minutes: 15 })
    fixture.clock.jump(900_000)
    expect(await fixture.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
    expect(await rowsByState(fixture)).toEqual({ current: 5, old: 3 })
    expect(await reseal(fixture)).toEqual({ resealed: 3, broken: 0 })
    expect(await rowsByState(fixture)).toEqual({ current: 8, old: 0 })
    expect(await reseal(fixture)).toEqual({ resealed: 0, broken: 0 })

    const after = await restart(second)
    expect(await after.signIn(brother, '8305')).toMatchObject({ kind: 'right', customer: brother })
    expect(await after.phones.language(testPhone)).toBe('fr')
    expect(await after.actions.export(testPhone, note)).toMatchObject({ operatorActions: [{}, {}, {}] })

    const twice = await restart(third, second, first)
    await reseal(twice)
    expect(await rowsByState(await restart(third))).toEqual({ current: 11 })
  })

  test('a lock holds while the key changes, and processes with either key share it', async () => {
    const storage = await engine.open()
    const before = await openCustomerFixture(storage, { keys: { current: first, old: [second] } })
    const after = await openCustomerFixture(storage, { keys: { current: second, old: [first] }, clock: before.clock })
    const customer = await before.create()
    const offices = [before, after]
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        offices[index % 2]!.signIn(customer, '0946', `+26097000${1000 + index}`),
      ),
    )
    for (const fixture of offices) expect(await fixture.signIn(customer, '8305')).toMatchObject({ kind: 'locked' })
    const rows = await storage.read.selectFrom('ussd_attempts').select('attempts').execute()
    expect(Math.max(...rows.map(row => row.attempts))).toBe(5)
  })

  test('a phone whose language was chosen under both keys has the later one', async () => {
    const storage = await engine.open()
    const before = await openCustomerFixture(storage, { keys: { current: first } })
    const after = await openCustomerFixture(storage, { keys: { current: second, old: [first] }, clock: before.clock })
    await storage.write(before.phones.setLanguage(testPhone, 'fr'))
    before.clock.jump(1)
    await storage.write(after.phones.setLanguage(testPhone, 'sw'))
    expect(await after.phones.language(testPhone)).toBe('sw')
    expect(await storage.read.selectFrom('ussd_phones').select('language').execute()).toEqual([{ language: 'sw' }])
  })

  test('a row that cannot be opened stays, is counted, and does not block others', async () => {
    const storage = await engine.open()
    const before = await openCustomerFixture(storage, { keys: { current: first } })
    const [broken, ...whole] = [await before.create(), await before.create(), await before.create()]
    await storage.write(tx =>
      tx.updateTable('ussd_customers').set({ pin: 'v1.broken' }).where('id', '=', broken.id).execute(),
    )
    const after = await openCustomerFixture(storage, { keys: { current: second, old: [first] } })
    expect(await reseal(after)).toEqual({ resealed: 2, broken: 1 })
    for (const customer of whole) expect(await after.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
    const lost = await openCustomerFixture(storage, { keys: { current: second } })
    expect(await rowsByState(lost)).toMatchObject({ missing: 1 })
    await expect(lost.signIn(broken, '8305')).rejects.toMatchObject({ code: 'seal_broken' })
  })
})
