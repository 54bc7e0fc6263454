import { expect, test } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { type CustomerFixture, openCustomerFixture, testPhone } from './customer-fixture.test.helper.ts'

const minute = 60_000
const otherPhone = '+260970000002'

const ask = (fixture: CustomerFixture, customerId: string, phoneNumber = testPhone) =>
  fixture.customers.sendResetCode({ customerId, phoneNumber })

const use = (fixture: CustomerFixture, customerId: string, code: string, phoneNumber = testPhone) =>
  fixture.customers.checkResetCode({ customerId, code, phoneNumber })

/** Returns the code in the last SMS. */
const lastCode = async (fixture: CustomerFixture): Promise<string> => {
  await fixture.runJobs()
  return /\b\d{6}\b/.exec(fixture.sent.at(-1)?.text ?? '')?.[0] ?? ''
}

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

await onEachEngine('one-time codes', engine => {
  test("are sent to the customer's own phone, in its language, and lead to a new PIN", async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    await fixture.storage.write(fixture.phones.setLanguage(testPhone, 'sw'))
    expect(await ask(fixture, customer.id, otherPhone)).toBe(true)
    const code = await lastCode(fixture)
    expect(fixture.sent).toMatchObject([
      { to: testPhone, text: expect.stringMatching(/^Msimbo wako ni \d{6}\./), sensitive: true },
    ])
    expect(await use(fixture, customer.id, code, otherPhone)).toEqual({
      kind: 'must-change',
      customer,
      pinMark: expect.any(String),
    })
    expect(await use(fixture, customer.id, code, otherPhone)).toEqual({ kind: 'wrong' })
    expect(await fixture.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
  })

  test('a right one lifts the locks of account and phone', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    for (let attempt = 1; attempt <= 5; attempt++) await fixture.signIn(customer, '0946')
    await ask(fixture, customer.id)
    expect(await use(fixture, customer.id, await lastCode(fixture))).toMatchObject({ kind: 'must-change' })
    expect(await fixture.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
  })

  test('a right one clears no attempts of the phone for other accounts', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const own = await fixture.create()
    const others = await Promise.all([1, 2, 3].map(() => fixture.create(otherPhone)))
    await ask(fixture, others[0]!.id)
    for (const other of [...others, others[0]!]) expect(await fixture.signIn(other, '0946')).toEqual({ kind: 'wrong' })
    await ask(fixture, own.id)
    expect(await use(fixture, own.id, await lastCode(fixture))).toMatchObject({ kind: 'must-change' })
    expect(await fixture.signIn(others[1]!, '0946')).toEqual({ kind: 'locked', minutes: 15 })
    fixture.clock.jump(60 * minute)
    const before = fixture.sent.length
    for (const other of others) await ask(fixture, other.id)
    await fixture.runJobs()
    expect(fixture.sent.length - before).toBe(2)
  })

  test('is valid three times, also for concurrent attempts', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    await ask(fixture, customer.id)
    const code = await lastCode(fixture)
    await Promise.all(Array.from({ length: 20 }, () => use(fixture, customer.id, another(code))))
    expect(await use(fixture, customer.id, code)).toEqual({ kind: 'wrong' })
    const [row] = await fixture.storage.read.selectFrom('ussd_reset_codes').select('tries').execute()
    expect(row).toEqual({ tries: 3 })
    await ask(fixture, customer.id)
    const next = await lastCode(fixture)
    expect(await use(fixture, customer.id, another(next))).toEqual({ kind: 'wrong' })
    expect(await use(fixture, customer.id, next)).toMatchObject({ kind: 'must-change' })
  })

  test('is used up once, also by two concurrent attempts', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    await ask(fixture, customer.id)
    const code = await lastCode(fixture)
    const verdicts = await Promise.all([1, 2, 3].map(() => use(fixture, customer.id, code)))
    expect(verdicts.filter(verdict => verdict.kind === 'must-change')).toHaveLength(1)
  })

  test.each([10 * minute, -60 * minute])('has expired when the clock has moved by %d ms', async ms => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    await ask(fixture, customer.id)
    const code = await lastCode(fixture)
    fixture.clock.jump(ms)
    expect(await use(fixture, customer.id, code)).toEqual({ kind: 'wrong' })
  })

  test('an unknown customer gets the same response, and nothing is sent', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    await fixture.create()
    expect(await ask(fixture, '100000009')).toBe(true)
    await fixture.runJobs()
    expect(fixture.sent).toEqual([])
    expect(await use(fixture, '100000009', '000000')).toEqual({ kind: 'wrong' })
    expect(await fixture.storage.read.selectFrom('ussd_reset_codes').select('tries').execute()).toEqual([{ tries: 1 }])
  })

  test('three are sent to an account, then one per hour, then one in two; the caller cannot see which', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, phone) => ask(fixture, customer.id, `+26097000010${phone}`)),
    )
    expect(answers).toEqual(Array(12).fill(true))
    await fixture.runJobs()
    expect(fixture.sent).toHaveLength(3)
    for (const [minutes, count] of [
      [59, 3],
      [1, 4],
      [119, 4],
      [1, 5],
    ] as const) {
      fixture.clock.jump(minutes * minute)
      await ask(fixture, customer.id, otherPhone)
      await fixture.runJobs()
      expect(fixture.sent).toHaveLength(count)
    }
  })

  test('three are sent at the request of a phone, to any customers', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customers = await Promise.all([1, 2, 3, 4, 5].map(() => fixture.create()))
    for (const { id } of customers) expect(await ask(fixture, id, otherPhone)).toBe(true)
    await fixture.runJobs()
    expect(fixture.sent).toHaveLength(3)
  })

  test('are unavailable without the sms plugin', async () => {
    const fixture = await openCustomerFixture(await engine.open(), { withSms: false })
    const customer = await fixture.create()
    expect(await ask(fixture, customer.id)).toBe(false)
    expect(await use(fixture, customer.id, '000000')).toEqual({ kind: 'wrong' })
  })
})
