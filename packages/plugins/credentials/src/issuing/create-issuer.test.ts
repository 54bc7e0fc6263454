import { createSigningKey } from '@sibyl/identity'
import type { entityDirectory, ServiceOf } from '@sibyl/protocol'
import { expect, test } from 'vitest'
import type { CredentialsStorage } from '../definitions/credentials-tables.ts'
import { onEachEngine } from '../definitions/on-each-engine.test.helper.ts'
import { createStatusPlaces } from '../status-lists/status-places.ts'
import { createCredentialStore } from '../storage/credential-store.ts'
import type { CredentialRequest } from './check-request.ts'
import { createIssuer } from './create-issuer.ts'

const key = createSigningKey()
const publicDid = 'did:web:oracle.example'
const request: CredentialRequest = {
  type: 'CleanCookingCredential',
  subject: { id: `${publicDid}:entities:stove`, meals: 32 },
  idempotencyKey: 'claim 7',
  issuedBy: 'did:web:evaluator.example',
}

/** The issuer as claims use it, with a directory that notes what it is told. */
const fixture = (storage: CredentialsStorage) => {
  let now = Date.parse('2026-11-21T00:00:00Z')
  const entered: object[] = []
  const directory: Pick<ServiceOf<typeof entityDirectory>, 'addCredential' | 'removeCredential'> = {
    addCredential: async entry => void entered.push(entry),
    removeCredential: async entry => void entered.push({ removed: entry }),
  }
  const store = createCredentialStore(storage)
  const clock = { now: () => now }
  const open = () =>
    createIssuer({
      identity: { publicDid },
      signer: {
        verificationMethod: () => `${publicDid}#${key.did.slice(8)}`,
        ready: async () => ({
          verificationMethod: `${publicDid}#${key.did.slice(8)}`,
          sign: bytes => key.sign(bytes),
        }),
        publicUrl: () => 'https://oracle.example',
      },
      clock,
      places: createStatusPlaces(storage, clock, () => undefined),
      store,
      directory,
    })
  const pass = (ms: number) => {
    now += ms
  }
  return { open, store, entered, pass }
}

await onEachEngine('the issuer that other plugins use', engine => {
  test('stores with what it follows from, and enters at the entity; what fails leaves nothing', async () => {
    const storage = await engine.open()
    const { open, store, entered } = fixture(storage)
    const issuer = open()
    const prepared = await issuer.prepare(request)
    expect(prepared.document).toMatchObject({ id: prepared.id, issuer: publicDid, credentialSubject: request.subject })
    const failing = storage.write(async tx => {
      await issuer.store(prepared, tx)
      throw new Error('the claim could not be approved')
    })
    await expect(failing).rejects.toThrow('the claim')
    expect(await store.find(prepared.id)).toBeUndefined()
    entered.length = 0
    expect(await storage.write(tx => issuer.store(prepared, tx))).toEqual({ id: prepared.id })
    expect(await store.find(prepared.id)).toMatchObject({ status: 'active', issuedBy: request.issuedBy })
    expect(entered).toEqual([
      {
        did: request.subject.id,
        id: prepared.id,
        type: request.type,
        issuer: publicDid,
        by: request.issuedBy,
      },
    ])
  })

  test('two requests of one key are one credential, in one process or two, before and after it is stored', async () => {
    const storage = await engine.open()
    const { open, entered } = fixture(storage)
    const [one, other] = [open(), open()]
    const both = await Promise.all([one.prepare(request), other.prepare(request)])
    const ids = await Promise.all([
      storage.write(tx => one.store(both[0], tx)),
      storage.write(tx => other.store(both[1], tx)),
    ])
    expect(ids[0]).toEqual(ids[1])
    const again = await other.prepare(request)
    expect(again.id).toBe(ids[0]?.id)
    expect(await storage.write(tx => other.store(again, tx))).toEqual(ids[0])
    expect(new Set(entered.map(entry => JSON.stringify(entry))).size).toBe(1)
    await expect(one.prepare({ ...request, type: 'OtherCredential' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
    const { count } = await storage.read
      .selectFrom('credentials_entries')
      .select(it => it.fn.countAll<number>().as('count'))
      .where('credential_id', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })

  test('a credential that was prepared elsewhere, or too long ago, is not stored', async () => {
    const storage = await engine.open()
    const { open, pass } = fixture(storage)
    const issuer = open()
    const prepared = await issuer.prepare(request)
    await expect(storage.write(tx => open().store(prepared, tx))).rejects.toMatchObject({
      code: 'credential_not_prepared',
    })
    pass(25 * 3_600_000)
    await createStatusPlaces(storage, { now: () => Date.parse('2026-11-22T01:00:00Z') }, () => undefined).release()
    await expect(storage.write(tx => issuer.store(prepared, tx))).rejects.toMatchObject({
      code: 'credential_not_prepared',
    })
  })

  test('revoking takes the entry out of the entity, once', async () => {
    const storage = await engine.open()
    const { open, store, entered } = fixture(storage)
    const issuer = open()
    const prepared = await issuer.prepare(request)
    await storage.write(tx => issuer.store(prepared, tx))
    entered.length = 0
    for (let times = 0; times < 2; times += 1) {
      await storage.write(tx => issuer.revoke(prepared.id, 'did:web:evaluator.example', 'disputed', tx))
    }
    expect(entered).toEqual([
      { removed: { did: request.subject.id, id: prepared.id, by: 'did:web:evaluator.example' } },
    ])
    expect(await store.changes(prepared.id)).toHaveLength(1)
    const marks = await storage.read.selectFrom('credentials_marks').selectAll().execute()
    expect(marks).toMatchObject([{ purpose: 'revocation' }])
  })
})
