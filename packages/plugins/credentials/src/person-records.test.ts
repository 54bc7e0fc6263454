import { toJson } from '@sibyl/plugin/storage'
import { expect, test } from 'vitest'
import type { CredentialsStorage } from './definitions/credentials-tables.ts'
import { onEachEngine } from './definitions/on-each-engine.test.helper.ts'
import { personRecords } from './person-records.ts'

const ada = 'did:key:ada'
const ben = 'did:key:ben'
const stove = 'did:web:oracle.example:stove'

/** Credentials about somebody, under ids that begin with a name. */
const fill = async (storage: CredentialsStorage, name: string, subject: string, count: number, issuedBy = ben) => {
  const row = (number: number) => ({
    id: `urn:uuid:${name}-${String(number).padStart(4, '0')}`,
    key: `${name}-${number}`,
    request_hash: '',
    type: 'Training',
    subject,
    status: 'active' as const,
    document: toJson({ id: 'urn:uuid:1', credentialSubject: { id: subject, name: 'Ada Lovelace' }, proof: {} }),
    issued_by: issuedBy,
    issued_at: 1,
    list: 'one',
    place: 1,
  })
  await storage.write(async tx => {
    for (let number = 0; number < count; number += 1) {
      const one = row(number)
      await tx.insertInto('credentials_credentials').values(one).execute()
      const change = { credential_id: one.id, number: 1, kind: 'suspended' as const, by: issuedBy, at: 1 }
      await tx
        .insertInto('credentials_changes')
        .values({ ...change, reason: 'Ada Lovelace moved' })
        .execute()
    }
  })
}

await onEachEngine('credentials about a person with many', engine => {
  test('are emptied, also where an erasure was ended in the middle before; those of others stay', async () => {
    const storage = await engine.open()
    await fill(storage, 'mine', ada, 120)
    await fill(storage, 'stove', stove, 60, ada)
    await fill(storage, 'other', ben, 2)
    let writes = 0
    const write: CredentialsStorage['write'] = async (work, options) => {
      writes += 1
      if (writes > 2) throw new Error('ended')
      return storage.write(work, options)
    }
    const { engine: name, read } = storage
    const records = (on: CredentialsStorage) =>
      personRecords({
        storage: on,
        store: undefined as never,
        directory: { controlledBy: async () => [stove] },
        clock: { now: () => 5 },
      })
    await expect(records({ engine: name, read, write } as CredentialsStorage).erase(ada)).rejects.toThrow('ended')
    await records(storage).erase(ada)
    const credentials = await read.selectFrom('credentials_credentials').selectAll().execute()
    const changes = await read.selectFrom('credentials_changes').selectAll().execute()
    const ofBen = credentials.filter(({ subject }) => subject === ben)
    expect(ofBen.map(({ document }) => document.credentialSubject)).toEqual(
      Array.from({ length: 2 }, () => ({ id: ben, name: 'Ada Lovelace' })),
    )
    const others = credentials.filter(({ subject }) => subject !== ben)
    expect(others).toHaveLength(180)
    expect(others.every(({ erased_at }) => Number(erased_at) === 5)).toBe(true)
    expect(others.some(row => JSON.stringify(row).match(/Lovelace|key:ada/))).toBe(false)
    const reasons = changes.filter(({ credential_id }) => !credential_id.includes('other'))
    expect(reasons.some(row => JSON.stringify(row).match(/Lovelace|key:ada/))).toBe(false)
  })
})
