import { expect, test } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { type CustomerFixture, openCustomerFixture, testPhone } from './customer-fixture.test.helper.ts'
import { lockMs, pinRule } from './lockout.ts'

const minute = 60_000
const hour = 60 * minute
const phoneOf = (number: number) => `+26097${String(number).padStart(7, '0')}`
const wasCompared = (verdict: { kind: string }) => verdict.kind !== 'locked'

/** Returns the highest number of accepted attempts. */
const readMaxAttempts = async ({ storage }: CustomerFixture): Promise<number> => {
  const rows = await storage.read.selectFrom('ussd_attempts').select('attempts').execute()
  return Math.max(...rows.map(row => row.attempts))
}

test('five wrong ones lock for a quarter of an hour, each further one for twice as long, a day at most', () => {
  const minutes = Array.from({ length: 15 }, (_, failures) => lockMs(pinRule, failures) / minute)
  expect(minutes).toEqual([0, 0, 0, 0, 0, 15, 30, 60, 120, 240, 480, 960, 1440, 1440, 1440])
  expect(lockMs(pinRule, 1_000_000)).toBe(24 * hour)
})

await onEachEngine('lockout', engine => {
  test('locks the account for every phone, and ends after its duration', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(await fixture.signIn(customer, '0946', phoneOf(attempt))).toEqual({ kind: 'wrong' })
    }
    expect(await fixture.signIn(customer, '0946', phoneOf(5))).toEqual({ kind: 'locked', minutes: 15 })
    expect(await fixture.signIn(customer, '8305', phoneOf(6))).toEqual({ kind: 'locked', minutes: 15 })
    fixture.clock.jump(14 * minute + 1)
    expect(await fixture.signIn(customer, '8305', phoneOf(6))).toEqual({ kind: 'locked', minutes: 1 })
    fixture.clock.jump(minute)
    expect(await fixture.signIn(customer, '8305', phoneOf(6))).toMatchObject({ kind: 'right' })
    expect(await fixture.signIn(customer, '0946', phoneOf(6))).toEqual({ kind: 'wrong' })
  })

  test('a right PIN clears the attempts for its account, and none of the phone for others', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const own = await fixture.create()
    const others = await Promise.all(Array.from({ length: 6 }, () => fixture.create('+260970000002')))
    const guesses: string[] = []
    for (const other of others) {
      expect(await fixture.signIn(own, '8305')).not.toMatchObject({ kind: 'wrong' })
      guesses.push((await fixture.signIn(other, '0946')).kind)
    }
    expect(guesses).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'locked', 'locked'])
    expect(await fixture.signIn(own, '8305')).toEqual({ kind: 'locked', minutes: 15 })
    expect(await fixture.signIn(own, '8305', phoneOf(1))).toMatchObject({ kind: 'right' })
    expect(await fixture.signIn(others[0]!, '8305', phoneOf(1))).toMatchObject({ kind: 'right' })

    fixture.clock.jump(15 * minute)
    for (let visit = 1; visit <= 3; visit++) expect(await fixture.signIn(own, '8305')).toMatchObject({ kind: 'right' })
    expect(await fixture.signIn(others[5]!, '0946')).toEqual({ kind: 'locked', minutes: 30 })
  })

  test('the right PIN clears own mistakes, any number of times', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const own = await fixture.create()
    for (let visit = 1; visit <= 4; visit++) {
      for (let wrong = 1; wrong <= 4; wrong++) expect(await fixture.signIn(own, '0946')).toEqual({ kind: 'wrong' })
      expect(await fixture.signIn(own, '8305')).toMatchObject({ kind: 'right' })
    }
  })

  test('a phone that is unlocked as a whole may try every account again', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customers = await Promise.all(Array.from({ length: 6 }, () => fixture.create('+260970000002')))
    for (const customer of customers.slice(0, 5)) await fixture.signIn(customer, '0946')
    const phone = [{ purpose: 'pin-phone', value: testPhone }] as const
    expect(await fixture.lockout.leftMs(pinRule, phone)).toBe(15 * minute)
    await fixture.storage.write(tx => fixture.lockout.unlock(tx, phone))
    expect(await fixture.lockout.leftMs(pinRule, phone)).toBe(0)
    for (const customer of customers.slice(0, 4))
      expect(await fixture.signIn(customer, '0946')).toEqual({ kind: 'wrong' })
    expect(await fixture.signIn(customers[5]!, '8305')).toMatchObject({ kind: 'right' })
    expect(await fixture.signIn(customers[4]!, '0946')).toEqual({ kind: 'locked', minutes: 15 })
  })

  test('attempts of a phone that were counted without an account still lock it', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const own = await fixture.create()
    const phone = [{ purpose: 'pin-phone', value: testPhone }] as const
    for (let attempt = 1; attempt <= 4; attempt++) await fixture.lockout.reserve(pinRule, phone)
    expect(await fixture.signIn(own, '8305')).toMatchObject({ kind: 'right' })
    expect(await fixture.signIn(own, '0946')).toEqual({ kind: 'locked', minutes: 15 })
  })

  test('each wrong one after the first lock doubles the lock', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    for (let attempt = 1; attempt <= 5; attempt++) await fixture.signIn(customer, '0946', phoneOf(attempt))
    const locks: number[] = []
    for (let attempt = 6; attempt <= 14; attempt++) {
      fixture.clock.jump(24 * hour)
      const verdict = await fixture.signIn(customer, '0946', phoneOf(attempt))
      locks.push(verdict.kind === 'locked' ? verdict.minutes : 0)
    }
    expect(locks).toEqual([30, 60, 120, 240, 480, 960, 1440, 1440, 1440])
  })

  test('20 concurrent guesses from as many phones count as five, like 20 sequential ones', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fixture.signIn(customer, '0946', phoneOf(index))),
    )
    expect(verdicts.filter(wasCompared)).toHaveLength(4)
    expect(await fixture.signIn(customer, '8305', phoneOf(999))).toEqual({ kind: 'locked', minutes: 15 })
    expect(await readMaxAttempts(fixture)).toBe(5)
  })

  test('guesses on every account from one phone lock the phone', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const verdicts = await Promise.all(
      Array.from({ length: 30 }, (_, index) => fixture.signIn({ id: String(100_000_000 + index) }, '0946')),
    )
    expect(verdicts.filter(wasCompared)).toHaveLength(4)
  })

  test('is lifted and deleted for a phone with more accounts than one statement can hold', {
    tags: 'long',
  }, async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const accounts = Array.from({ length: 70_000 }, (_, index) => String(100_000_000 + index))
    const last = { id: accounts.at(-1)! }
    for (let attempt = 1; attempt <= 5; attempt++) await fixture.signIn(last, '0946', phoneOf(attempt))
    const subjects = accounts.map(value => ({ purpose: 'pin-account', value }) as const)
    await fixture.storage.write(tx => fixture.lockout.unlock(tx, subjects))
    expect(await fixture.signIn(last, '0946', phoneOf(6))).toEqual({ kind: 'wrong' })
    await fixture.storage.write(tx => fixture.lockout.forget(tx, subjects))
    const rows = await fixture.storage.read.selectFrom('ussd_attempts').select('subject').execute()
    expect(rows).toHaveLength(12)
  })

  test('attempts of a locked phone or account leave no trace', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    for (let attempt = 1; attempt <= 5; attempt++) await fixture.signIn({ id: '123456782' }, '0946')
    const rows = () =>
      fixture.storage.read
        .selectFrom('ussd_attempts')
        .select(['subject', 'attempts'])
        .where('attempts', '>', 0)
        .orderBy('subject')
        .execute()
    const before = await rows()
    for (let other = 0; other < 10; other++) {
      expect((await fixture.signIn({ id: `99999999${other}` }, '0946')).kind).toBe('locked')
      expect((await fixture.signIn({ id: '123456782' }, '0946', phoneOf(other))).kind).toBe('locked')
    }
    expect(await rows()).toEqual(before)
  })

  test('a right PIN clears earlier attempts, and no later ones', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const subjects = [{ purpose: 'pin-account' as const, value: '123456782' }]
    const reserve = async () => {
      const reservation = await fixture.lockout.reserve(pinRule, subjects)
      if (reservation.kind === 'locked') throw new Error('locked')
      return reservation
    }
    const [, right, ...later] = [await reserve(), await reserve(), await reserve(), await reserve(), await reserve()]
    expect(await fixture.lockout.leftMs(pinRule, subjects)).toBe(15 * minute)
    await fixture.storage.write(tx => right!.forgive(tx))
    expect(await fixture.lockout.leftMs(pinRule, subjects)).toBe(0)
    await reserve()
    await reserve()
    expect(await fixture.lockout.leftMs(pinRule, subjects)).toBe(15 * minute)
    await fixture.storage.write(tx => later[0]!.forgive(tx))
    await fixture.storage.write(tx => right!.forgive(tx))
    expect(await fixture.lockout.leftMs(pinRule, subjects)).toBe(0)
  })

  test('guesses during an hour, each from another phone, are seven', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    for (let second = 0; second < 3600; second += 90) {
      await fixture.signIn(customer, '0946', phoneOf(second))
      fixture.clock.jump(90_000)
    }
    expect(await readMaxAttempts(fixture)).toBe(7)
  })

  test('a lock survives a restart', async () => {
    const url = await engine.emptyDatabase()
    const storage = await engine.open({ url })
    const fixture = await openCustomerFixture(storage)
    const customer = await fixture.create()
    for (let attempt = 1; attempt <= 5; attempt++) await fixture.signIn(customer, '0946')
    await storage.close()
    const after = await openCustomerFixture(await engine.open({ url }), { clock: fixture.clock })
    expect(await after.signIn(customer, '8305', phoneOf(1))).toEqual({ kind: 'locked', minutes: 15 })
  })

  test('a clock set back neither ends a lock nor extends it', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    fixture.clock.jump(365 * 24 * hour)
    for (let attempt = 1; attempt <= 5; attempt++) await fixture.signIn(customer, '0946')
    fixture.clock.jump(-365 * 24 * hour)
    expect(await fixture.signIn(customer, '8305')).toEqual({ kind: 'locked', minutes: 15 })
    fixture.clock.jump(15 * minute)
    expect(await fixture.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
  })

  test('a clock that repeatedly jumps ahead allows one guess each time, and never a fresh start', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    for (let attempt = 1; attempt <= 5; attempt++) await fixture.signIn(customer, '0946', phoneOf(attempt))
    for (let jump = 1; jump <= 5; jump++) {
      fixture.clock.jump(25 * hour)
      await Promise.all(
        Array.from({ length: 4 }, (_, index) => fixture.signIn(customer, '0946', phoneOf(jump * 100 + index))),
      )
      fixture.clock.jump(-25 * hour)
      await Promise.all(
        Array.from({ length: 4 }, (_, index) => fixture.signIn(customer, '0946', phoneOf(jump * 200 + index))),
      )
    }
    expect(await readMaxAttempts(fixture)).toBe(10)
  })

  if (engine.name === 'sqlite') return

  test('two processes on one database allow no more than one', async () => {
    const url = await engine.emptyDatabase()
    const offices = [
      await openCustomerFixture(await engine.open({ url })),
      await openCustomerFixture(await engine.open({ url })),
    ]
    const customer = await offices[0]!.create()
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => offices[index % 2]!.signIn(customer, '0946', phoneOf(index))),
    )
    expect(verdicts.filter(wasCompared)).toHaveLength(4)
    expect(await readMaxAttempts(offices[1]!)).toBe(5)
  })
})
