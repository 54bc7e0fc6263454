import { expect, test } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { openCustomerFixture, testPhone } from './customer-fixture.test.helper.ts'
import { isCustomerId } from './customer-id.ts'

const otherPhone = '+260970000002'

await onEachEngine('customers', engine => {
  test('a new customer exists once the transaction commits', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const { customer, write } = await fixture.customers.draft({ name: 'Chanda', pin: '8305', phoneNumber: testPhone })
    expect(isCustomerId(customer.id)).toBe(true)
    expect(await fixture.customers.find(customer.id)).toBeUndefined()
    await fixture.storage.write(tx => write(tx))
    expect(await fixture.customers.find(customer.id)).toEqual({ ...customer, createdAt: fixture.clock.now() })
    await fixture.storage.write(tx => write(tx))
    expect(await fixture.storage.read.selectFrom('ussd_customers').selectAll().execute()).toHaveLength(1)
  })

  test('the right PIN signs in from any phone', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    expect(await fixture.signIn(customer, '8305')).toEqual({ kind: 'right', customer, pinMark: expect.any(String) })
    expect(await fixture.signIn(customer, '8305', otherPhone)).toEqual({
      kind: 'right',
      customer,
      pinMark: expect.any(String),
    })
  })

  test('a wrong PIN and an unknown customer get the same verdicts, including locks', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const verdicts = async (id: string, phone: (attempt: number) => string) => {
      const given: unknown[] = []
      for (let attempt = 1; attempt <= 7; attempt++) given.push(await fixture.signIn({ id }, '8306', phone(attempt)))
      return given
    }
    const known = await verdicts(customer.id, attempt => `+2609700001${attempt}`)
    const unknown = await verdicts('100000009', attempt => `+2609700002${attempt}`)
    expect(known).toEqual(unknown)
    expect(known.slice(0, 4)).toEqual(Array(4).fill({ kind: 'wrong' }))
    expect(known.slice(4)).toEqual(Array(3).fill({ kind: 'locked', minutes: 15 }))
    expect(await fixture.signIn({ id: 'no id at all \u202e' }, '', otherPhone)).toEqual({ kind: 'wrong' })
  })

  test('rejects weak PINs, including those of the own phone number, and the current PIN', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const draft = (pin: string) => fixture.customers.draft({ name: 'Chanda', pin, phoneNumber: testPhone })
    for (const pin of ['1234', '4567', '12', 'abcd']) {
      await expect(draft(pin)).rejects.toMatchObject({ code: 'pin_weak', status: 400 })
    }
    const customer = await fixture.create()
    const change = (pin: string) => fixture.customers.changePin(customer.id, pin)
    for (const pin of ['1111', testPhone.slice(-4), customer.id.slice(0, 4), '8305']) {
      const error = await change(pin).catch((thrown: Error) => thrown)
      expect(error).toMatchObject({ code: 'pin_weak' })
      expect(String(error)).not.toContain(pin)
    }
  })

  test('a changed PIN replaces the old one', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const { write } = await fixture.customers.changePin(customer.id, '0946')
    expect(await fixture.signIn(customer, '8305')).toMatchObject({ kind: 'right' })
    await fixture.storage.write(tx => write(tx))
    expect(await fixture.signIn(customer, '8305')).toEqual({ kind: 'wrong' })
    expect(await fixture.signIn(customer, '0946')).toMatchObject({ kind: 'right' })
    await expect(fixture.customers.changePin('100000009', '0946')).rejects.toMatchObject({ code: 'customer_not_found' })
  })

  test('a PIN that was verified before another change gives no right to change it again', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const customer = await fixture.create()
    const thief = await fixture.signIn(customer, '8305')
    if (thief.kind !== 'right') throw new Error(thief.kind)
    const early = await fixture.customers.changePin(customer.id, '0629', thief.pinMark)
    const owner = await fixture.customers.changePin(customer.id, '0946', thief.pinMark)
    await fixture.storage.write(owner.write)
    await expect(fixture.customers.changePin(customer.id, '0629', thief.pinMark)).rejects.toMatchObject({
      code: 'pin_outdated',
    })
    await expect(fixture.storage.write(early.write)).rejects.toMatchObject({ code: 'pin_outdated' })
    expect(await fixture.signIn(customer, '0946')).toMatchObject({ kind: 'right' })
  })

  test('an ID is assigned once', async () => {
    const ids = ['123456782', '123456782', '234567891', '345678908', '345678908']
    const fixture = await openCustomerFixture(await engine.open(), { drawId: () => ids.shift() ?? '456789015' })
    expect((await fixture.create()).id).toBe('123456782')
    expect((await fixture.create()).id).toBe('234567891')
    const draft = () => fixture.customers.draft({ name: 'Chanda', pin: '8305', phoneNumber: testPhone })
    const [first, second] = [await draft(), await draft()]
    expect(first.customer.id).toBe(second.customer.id)
    await fixture.storage.write(tx => first.write(tx))
    await expect(fixture.storage.write(tx => second.write(tx))).rejects.toMatchObject({ code: 'customer_id_taken' })
    expect((await draft()).customer.id).toBe('456789015')
  })

  test('an ID that begins with the PIN is drawn again', async () => {
    const ids = ['830567898', '234567891']
    const fixture = await openCustomerFixture(await engine.open(), { drawId: () => ids.shift() ?? '' })
    expect((await fixture.create()).id).toBe('234567891')
  })

  test('a PIN, a profile or a whole row that is moved to another customer cannot be opened', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    const [victim, thief] = [await fixture.create(), await fixture.create(otherPhone)]
    const rows = await fixture.storage.read.selectFrom('ussd_customers').selectAll().execute()
    const [mine, theirs] = [thief, victim].map(({ id }) => rows.find(row => row.id === id)!)
    const put = (values: object) =>
      fixture.storage.write(tx => tx.updateTable('ussd_customers').set(values).where('id', '=', victim.id).execute())
    await put({ pin: mine!.pin })
    await expect(fixture.signIn(victim, '8305')).rejects.toMatchObject({ code: 'seal_broken' })
    await put({ pin: theirs!.pin, profile: mine!.profile })
    await expect(fixture.signIn(victim, '8305')).rejects.toMatchObject({ code: 'seal_broken' })
    const { id: _id, ...everything } = mine!
    await put(everything)
    await expect(fixture.signIn(victim, '8305')).rejects.toMatchObject({ code: 'seal_broken' })
    await expect(fixture.customers.find(victim.id)).rejects.toMatchObject({ code: 'seal_broken' })
    await put({ ...theirs })
    expect(await fixture.signIn(victim, '8305')).toMatchObject({ kind: 'right' })
  })

  test('equal PINs have different sealed texts', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    for (let count = 0; count < 20; count++) await fixture.create()
    const rows = await fixture.storage.read.selectFrom('ussd_customers').select('pin').execute()
    expect(new Set(rows.map(row => row.pin)).size).toBe(20)
  })

  test('a phone has the language that was chosen last', async () => {
    const fixture = await openCustomerFixture(await engine.open())
    expect(await fixture.phones.language(testPhone)).toBeUndefined()
    for (const language of ['sw', 'fr']) await fixture.storage.write(fixture.phones.setLanguage(testPhone, language))
    expect(await fixture.phones.language(testPhone)).toBe('fr')
    expect(await fixture.phones.language(otherPhone)).toBeUndefined()
  })
})
