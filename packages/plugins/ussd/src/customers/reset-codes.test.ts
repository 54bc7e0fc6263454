import { expect, test } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { type CustomerDesk, openDesk, testPhone } from './customer-desk.test.helper.ts'

const minute = 60_000
const otherPhone = '+260970000002'

const ask = (desk: CustomerDesk, customerId: string, phoneNumber = testPhone) =>
  desk.customers.sendResetCode({ customerId, phoneNumber })

const use = (desk: CustomerDesk, customerId: string, code: string, phoneNumber = testPhone) =>
  desk.customers.checkResetCode({ customerId, code, phoneNumber })

/** The code of the last SMS. */
const lastCode = async (desk: CustomerDesk): Promise<string> => {
  await desk.runJobs()
  return /\b\d{6}\b/.exec(desk.sent.at(-1)?.text ?? '')?.[0] ?? ''
}

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

await onEachEngine('one-time codes', engine => {
  test('go to the own phone of the customer, in the language chosen there, and lead to a new PIN', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    await desk.storage.write(desk.phones.setLanguage(testPhone, 'sw'))
    expect(await ask(desk, customer.id, otherPhone)).toBe(true)
    const code = await lastCode(desk)
    expect(desk.sent).toMatchObject([
      { to: testPhone, text: expect.stringMatching(/^Msimbo wako ni \d{6}\./), sensitive: true },
    ])
    expect(await use(desk, customer.id, code, otherPhone)).toEqual({
      kind: 'must-change',
      customer,
      pinMark: expect.any(String),
    })
    expect(await use(desk, customer.id, code, otherPhone)).toEqual({ kind: 'wrong' })
    expect(await desk.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
  })

  test('a right one lifts the locks of account and phone', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    for (let attempt = 1; attempt <= 5; attempt++) await desk.signIn(customer, '0946')
    await ask(desk, customer.id)
    expect(await use(desk, customer.id, await lastCode(desk))).toMatchObject({ kind: 'must-change' })
    expect(await desk.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
  })

  test('a right one forgives no attempts that the phone made for other accounts', async () => {
    const desk = await openDesk(await engine.open())
    const own = await desk.create()
    const others = await Promise.all([1, 2, 3].map(() => desk.create(otherPhone)))
    await ask(desk, others[0]!.id)
    for (const other of [...others, others[0]!]) expect(await desk.signIn(other, '0946')).toEqual({ kind: 'wrong' })
    await ask(desk, own.id)
    expect(await use(desk, own.id, await lastCode(desk))).toMatchObject({ kind: 'must-change' })
    expect(await desk.signIn(others[1]!, '0946')).toEqual({ kind: 'locked', minutes: 15 })
    desk.clock.jump(60 * minute)
    const before = desk.sent.length
    for (const other of others) await ask(desk, other.id)
    await desk.runJobs()
    expect(desk.sent.length - before).toBe(2)
  })

  test('is good three times, also for tries at the same time', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    await ask(desk, customer.id)
    const code = await lastCode(desk)
    await Promise.all(Array.from({ length: 20 }, () => use(desk, customer.id, another(code))))
    expect(await use(desk, customer.id, code)).toEqual({ kind: 'wrong' })
    const [row] = await desk.storage.read.selectFrom('ussd_reset_codes').select('tries').execute()
    expect(row).toEqual({ tries: 3 })
    await ask(desk, customer.id)
    const next = await lastCode(desk)
    expect(await use(desk, customer.id, another(next))).toEqual({ kind: 'wrong' })
    expect(await use(desk, customer.id, next)).toMatchObject({ kind: 'must-change' })
  })

  test('is used up once, also by two at the same time', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    await ask(desk, customer.id)
    const code = await lastCode(desk)
    const verdicts = await Promise.all([1, 2, 3].map(() => use(desk, customer.id, code)))
    expect(verdicts.filter(verdict => verdict.kind === 'must-change')).toHaveLength(1)
  })

  test.each([10 * minute, -60 * minute])('is over when the clock has moved by %d ms', async ms => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    await ask(desk, customer.id)
    const code = await lastCode(desk)
    desk.clock.jump(ms)
    expect(await use(desk, customer.id, code)).toEqual({ kind: 'wrong' })
  })

  test('a stranger is answered the same, and nothing is sent', async () => {
    const desk = await openDesk(await engine.open())
    await desk.create()
    expect(await ask(desk, '100000009')).toBe(true)
    await desk.runJobs()
    expect(desk.sent).toEqual([])
    expect(await use(desk, '100000009', '000000')).toEqual({ kind: 'wrong' })
    expect(await desk.storage.read.selectFrom('ussd_reset_codes').select('tries').execute()).toEqual([{ tries: 1 }])
  })

  test('three are sent to an account, then one in an hour, then in two; nobody who asks learns which', async () => {
    const desk = await openDesk(await engine.open())
    const customer = await desk.create()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, phone) => ask(desk, customer.id, `+26097000010${phone}`)),
    )
    expect(answers).toEqual(Array(12).fill(true))
    await desk.runJobs()
    expect(desk.sent).toHaveLength(3)
    for (const [minutes, count] of [
      [59, 3],
      [1, 4],
      [119, 4],
      [1, 5],
    ] as const) {
      desk.clock.jump(minutes * minute)
      await ask(desk, customer.id, otherPhone)
      await desk.runJobs()
      expect(desk.sent).toHaveLength(count)
    }
  })

  test('three are sent at the wish of a phone, whomever to', async () => {
    const desk = await openDesk(await engine.open())
    const customers = await Promise.all([1, 2, 3, 4, 5].map(() => desk.create()))
    for (const { id } of customers) expect(await ask(desk, id, otherPhone)).toBe(true)
    await desk.runJobs()
    expect(desk.sent).toHaveLength(3)
  })

  test('there are none without the sms plugin', async () => {
    const desk = await openDesk(await engine.open(), { withSms: false })
    const customer = await desk.create()
    expect(await ask(desk, customer.id)).toBe(false)
    expect(await use(desk, customer.id, '000000')).toEqual({ kind: 'wrong' })
  })
})
