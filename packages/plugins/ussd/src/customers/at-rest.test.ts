import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from '@sibyl/plugin/storage'
import { expect, test } from 'vitest'
import { standingAlone, withoutIds } from '../canaries.test.helper.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { openCustomerFixture, testPhone } from './customer-fixture.test.helper.ts'

/** Returns the content of all tables as text. */
const everything = async (storage: Awaited<ReturnType<typeof openCustomerFixture>>['storage']): Promise<string> => {
  const { rows } = await (storage.engine === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(storage.read)
    : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(storage.read))
  const tables = await Promise.all(rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(storage.read)))
  return JSON.stringify(tables.map(table => table.rows))
}

await onEachEngine('what is kept of customers', engine => {
  test('contains no PIN, code, phone number, name or email in plain text, in any table or file', async () => {
    const url = await engine.emptyDatabase()
    const storage = await engine.open({ url })
    const fixture = await openCustomerFixture(storage, { drawId: () => '123456782' })
    const { customers } = fixture
    const { customer, write } = await customers.draft({
      name: 'Chanda Mwansabombwe',
      email: 'chanda@example.org',
      pin: '830549',
      phoneNumber: testPhone,
    })
    await storage.write(tx => write(tx))
    await storage.write(fixture.phones.setLanguage(testPhone, 'sw'))
    await fixture.signIn(customer, '830549')
    await fixture.signIn(customer, '617283')
    const change = await customers.changePin(customer.id, '046129')
    await storage.write(tx => change.write(tx))
    await customers.sendResetCode({ customerId: customer.id, phoneNumber: '+260970000002' })
    await fixture.runJobs()
    const code = /\d{6}/.exec(fixture.sent[0]?.text ?? '')?.[0] ?? ''
    const note = { operator: 'Mutale Banda', reason: 'Chanda forgot the PIN' }
    const asked = await fixture.actions.request('reset', { customerId: customer.id }, note)
    const reset = await fixture.actions.confirm('reset', asked.id, { ...asked, operator: 'Mutale Banda' })
    const secrets = [
      ...['830549', '617283', '046129', testPhone.slice(1), '260970000002', 'Chanda', 'Mwansabombwe', 'chanda@'],
      ...['Mutale', 'forgot', asked.confirmation],
    ]
    // Random values, which a time or an ID may contain as well.
    const drawn = [code, reset?.pin ?? '']
    expect([...secrets, ...drawn].every(secret => secret.length >= 6)).toBe(true)
    const rows = withoutIds(await everything(storage))
    expect(rows).toContain(customer.id)
    for (const secret of secrets) expect(rows).not.toContain(secret)
    for (const digits of drawn) expect(rows).not.toMatch(standingAlone(digits))
    if (engine.name !== 'sqlite') return
    const path = url.slice('file:'.length)
    const files = readdirSync(dirname(path)).map(name => join(dirname(path), name))
    const bytes = files.filter(file => file.startsWith(path)).map(file => readFileSync(file, 'latin1'))
    const text = withoutIds(bytes.join(''))
    expect(text).toContain(customer.id)
    for (const secret of secrets) expect(text).not.toContain(secret)
    for (const digits of drawn) expect(text).not.toMatch(standingAlone(digits))
  })
})
