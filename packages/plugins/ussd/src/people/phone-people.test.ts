import { randomBytes } from 'node:crypto'
import { resealTables } from '@sibyl/plugin/sealing'
import { expect, test } from 'vitest'
import { openCustomerFixture, testPhone } from '../customers/customer-fixture.test.helper.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { createPhonePeople } from './phone-people.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const identity = { did: 'did:key:oracle', pairwiseDid: (_: string, phone: string) => `did:key:of${phone.slice(-4)}` }
const never = new AbortController().signal
const other = '+260977000002'

await onEachEngine('the people of phones', engine => {
  test('phones that an earlier version stored are found by DID, and under the next key as well', async () => {
    const storage = await engine.open()
    // The fixture stores no owner, as earlier versions did not.
    const before = await openCustomerFixture(storage, { keys: { current: first } })
    await before.create()
    await storage.write(before.phones.setLanguage(other, 'fr'))
    const people = createPhonePeople(storage, before.vault, identity)
    const found = (from = people) => Promise.all(['did:key:of4567', 'did:key:of0002'].map(did => from.phoneOf(did)))
    expect(await found()).toEqual([undefined, undefined])
    await createPhonePeople(storage, before.vault, { ...identity, did: undefined }).noteStored(never)
    expect(await found()).toEqual([undefined, undefined])
    for (let twice = 0; twice < 2; twice += 1) await people.noteStored(never)
    expect(await found()).toEqual([testPhone, other])
    expect(await people.channels.of(['did:key:of4567', 'did:key:unknown'])).toEqual(
      new Map([['did:key:of4567', ['+26097•••4567']]]),
    )
    for (const form of [testPhone, ' +260 97 123-4567', '00260971234567', '+260 (97) 123.4567']) {
      expect(await people.channels.find(form)).toEqual(['did:key:of4567'])
    }
    for (const unknown of ['+260977999999', '4567', '']) expect(await people.channels.find(unknown)).toEqual([])
    expect(JSON.stringify(await storage.read.selectFrom('ussd_people').select('phone').execute())).not.toContain(
      '26097',
    )

    const fixture = await openCustomerFixture(storage, { keys: { current: second, old: [first] } })
    await resealTables(storage, fixture.tables, never)
    const { vault } = await openCustomerFixture(storage, { keys: { current: second } })
    expect(await found(createPhonePeople(storage, vault, identity))).toEqual([testPhone, other])
    const erase = await people.records.erase(testPhone)
    await storage.write(tx => erase(tx))
    await people.noteStored(never)
    expect(await found(createPhonePeople(storage, vault, identity))).toEqual([undefined, other])
  })
})
