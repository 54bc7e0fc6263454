import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { definePlugin, didKeyDocument, type Host } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import type { DidDocument } from '@sibyl/protocol'
import { sharePostgres } from '@sibyl/storage/testing'
import { testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const postgres = await sharePostgres()
const folder = temporaryFolder()
let files = 0
const engines = [
  { name: 'sqlite', emptyDatabase: async () => `${folder.databaseUrl}${++files}` },
  ...(postgres ? [{ name: 'postgres', emptyDatabase: () => postgres.createDatabase() }] : []),
]

afterAll(async () => {
  folder[Symbol.dispose]()
  await postgres?.stop()
})

/** Boots an oracle on a database, with the identity of its plugins. */
const boot = async (url: string, mnemonic: string, now: number, PUBLIC_URL = 'https://oracle.example.org') => {
  const identity = Promise.withResolvers<Host['identity']>()
  const probe = definePlugin({
    name: 'probe',
    version: '1.0.0',
    core: '^0.1.0',
    manifest: { title: 'Probe', summary: 'Looks at the host.', whenToUse: ['never'] },
    setup(host) {
      identity.resolve(host.identity)
      return {}
    },
  })
  const env = { DATABASE_URL: url, ORACLE_MNEMONIC: mnemonic, PUBLIC_URL }
  const logger = recordedLogger()
  const oracle = await testApp({ plugins: [probe], env, logger, clock: { now: () => now } })
  const document = async () => (await (await oracle.app.request('/.well-known/did.json')).json()) as DidDocument
  return {
    identity: await identity.promise,
    document,
    publicChanges: () => logger.lines.filter(({ message }) => message.includes('public DID changed')),
    changes: () => logger.lines.filter(({ message }) => message.includes('identity changed')),
    close: () => oracle.app.close(),
  }
}

const words = () => createMnemonic(12).reveal()
const method = (did: string) => `did:web:oracle.example.org#${did.slice('did:key:'.length)}`

describe.each(engines)('the keys of an oracle on $name', engine => {
  test('a new mnemonic retires the previous key, which still verifies its signatures', async () => {
    const url = await engine.emptyDatabase()
    const [first, second] = [words(), words()]
    const before = await boot(url, first, 1_000)
    const old = before.identity.did!
    expect(before.identity.verificationMethod).toBe(method(old))
    expect(await before.identity.keys()).toEqual([{ did: old, since: 1_000 }])
    expect(before.changes()).toEqual([])
    await before.close()

    const after = await boot(url, second, 2_000)
    const current = after.identity.did!
    expect(await after.identity.keys()).toEqual([
      { did: old, since: 1_000, until: 2_000 },
      { did: current, since: 2_000 },
    ])
    const document = await after.document()
    expect(document.verificationMethod?.map(({ id }) => id)).toEqual([method(current), method(old)])
    expect(document).toMatchObject({
      alsoKnownAs: [current],
      authentication: [method(current)],
      capabilityInvocation: [method(current)],
      assertionMethod: [method(current), method(old)],
    })
    expect(await after.identity.document()).toEqual(document)
    await after.close()

    const changed = `the identity changed from ${old} to ${current}`
    expect(after.changes()).toMatchObject([{ level: 'warn', message: expect.stringContaining(changed) }])

    const again = await boot(url, second, 2_500)
    expect(again.changes()).toEqual([])
    await again.close()

    const back = await boot(url, first, 3_000)
    expect(back.changes()[0]?.message).toContain(`the identity changed from ${current} to ${old}`)
    expect(await back.identity.keys()).toEqual([
      { did: old, since: 1_000 },
      { did: current, since: 2_000, until: 3_000 },
    ])
    await back.close()
  })

  test('a new public DID is a warning that names what becomes of credentials, and no key', async () => {
    const url = await engine.emptyDatabase()
    const mnemonic = words()
    const before = await boot(url, mnemonic, 1_000)
    expect(before.publicChanges()).toEqual([])
    await before.close()
    const after = await boot(url, mnemonic, 2_000, 'https://moved.example.org')
    const text = 'the public DID changed from did:web:oracle.example.org to did:web:moved.example.org; credentials'
    expect(after.publicChanges()).toMatchObject([{ level: 'warn', message: expect.stringContaining(text) }])
    expect(after.changes()).toEqual([])
    expect(await after.identity.keys()).toHaveLength(1)
    await after.close()
    const again = await boot(url, mnemonic, 3_000, 'https://moved.example.org')
    expect(again.publicChanges()).toEqual([])
    await again.close()
  })

  test('without a mnemonic all keys are listed, and none can sign', async () => {
    const url = await engine.emptyDatabase()
    const before = await boot(url, words(), 1_000)
    const old = before.identity.did!
    await before.close()
    const after = await boot(url, '', 2_000)
    expect(after.identity.verificationMethod).toBeUndefined()
    expect(await after.identity.keys()).toEqual([{ did: old, since: 1_000 }])
    const document = await after.document()
    expect(document.assertionMethod).toEqual([method(old)])
    expect(document).not.toHaveProperty('authentication')
    expect(document).not.toHaveProperty('capabilityInvocation')
    await after.close()
  })

  test.skipIf(engine.name === 'sqlite')('processes that start concurrently record each key once', async () => {
    const url = await engine.emptyDatabase()
    const [one, other] = [words(), words()]
    const oracles = await Promise.all([one, one, other].map(mnemonic => boot(url, mnemonic, 1_000)))
    const keys = await oracles[0]!.identity.keys()
    expect(keys.map(({ did }) => did)).toEqual([...new Set(oracles.map(({ identity }) => identity.did))].toSorted())
    expect(keys.filter(({ until }) => until === undefined)).toHaveLength(1)
    for (const { identity, document } of oracles) {
      expect((await document()).authentication).toEqual([identity.verificationMethod])
    }
    await Promise.all(oracles.map(oracle => oracle.close()))
  })
})

test('the document of a did:key is complete', () => {
  const { did } = createSigningKey()
  const key = did.slice('did:key:'.length)
  expect(didKeyDocument(did)).toMatchObject({
    id: did,
    verificationMethod: [{ id: `${did}#${key}`, type: 'Multikey', controller: did, publicKeyMultibase: key }],
    assertionMethod: [`${did}#${key}`],
  })
  expect(didKeyDocument('did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc')).toBeUndefined()
  expect(didKeyDocument(`${did}0`)).toBeUndefined()
})
