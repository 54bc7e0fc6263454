import { createHash } from 'node:crypto'
import { verifySignature } from '@sibyl/plugin'
import canonicalize from 'canonicalize'
import { expect, test } from 'vitest'
import { ada, bootEntities, keys } from '../writing/entity-routes.test.helper.ts'

/** Verifies a chain as the decision page tells a stranger to. */
const verifiedByStranger = (links: readonly Record<string, unknown>[], methods: readonly string[]): boolean => {
  let [version, previousHash] = [0, '']
  return links.every(({ hash, signature, signer, ...facts }) => {
    const bytes = createHash('sha256')
      .update(canonicalize(facts) ?? '')
      .digest()
    const isNext = facts.version === version + 1 && facts.previousHash === previousHash
    version += 1
    previousHash = String(hash)
    const signed = Buffer.from(String(signature).slice(1), 'base64url')
    return (
      isNext &&
      bytes.toString('hex') === hash &&
      methods.includes(String(signer).slice('did:key:'.length)) &&
      verifySignature(String(signer), bytes, signed)
    )
  })
}

test('the history names the author of each change, and any reader can verify it with the DID document only', async () => {
  await using oracle = await bootEntities()
  const { did } = (await oracle.create({ type: 'Device', properties: { a: 1, ä: 'ß' } }, keys.ada)).body
  const other = (await oracle.create({ type: 'Device' }, keys.ben)).body.did
  await oracle.patch(did, 1, { properties: { a: 2 } }, keys.ada)
  await oracle.relate(did, 'partOf', [other], keys.ada)
  await oracle.unrelate(did, 'partOf', other, keys.ada)
  await oracle.deactivate(did, 4, keys.ada)
  const { events } = await oracle.history(did)
  expect(events).toMatchObject([
    { version: 5, kind: 'deactivated', by: ada, change: {} },
    { version: 4, kind: 'unrelated', change: { relationships: { partOf: [other] } } },
    { version: 3, kind: 'related', change: { relationships: { partOf: [other] } } },
    { version: 2, kind: 'updated', change: { properties: { a: 2 } } },
    { version: 1, kind: 'created', change: { type: 'Device', controller: ada, properties: { a: 1, ä: 'ß' } } },
  ])
  const proof = await oracle.proof(did)
  expect(proof).toMatchObject({ did, verified: true })
  const document = await (await oracle.app.request('/.well-known/did.json')).json()
  const methods = document.verificationMethod.map((method: { publicKeyMultibase: string }) => method.publicKeyMultibase)
  expect(verifiedByStranger(proof.links, methods)).toBe(true)
  for (const [index, link] of proof.links.entries()) {
    const altered = proof.links.with(index, { ...link, by: 'did:web:mallory.example' })
    expect(verifiedByStranger(altered, methods)).toBe(false)
  }
})

test('long histories come in pages', async () => {
  await using oracle = await bootEntities()
  const { did } = (await oracle.create({ type: 'Device' })).body
  for (let version = 1; version < 7; version++) await oracle.patch(did, version, { properties: { version } })
  const path = `/v1/entities/${encodeURIComponent(did)}`
  const page = async (rest: string) => (await oracle.send('GET', `${path}/${rest}`)).body
  const versions = (list: readonly { readonly version: number }[]) => list.map(({ version }) => version)
  const first = await page('history?limit=3')
  expect([versions(first.events), first.next]).toEqual([[7, 6, 5], 5])
  const second = await page('history?limit=4&before=5')
  expect([versions(second.events), second.next]).toEqual([[4, 3, 2, 1], undefined])
  const links = await page('proof?limit=3')
  expect([versions(links.links), links.verified, links.next]).toEqual([[1, 2, 3], true, 3])
  const rest = await page('proof?limit=4&after=3')
  expect([versions(rest.links), rest.verified, rest.next]).toEqual([[4, 5, 6, 7], true, undefined])
  expect((await oracle.send('GET', `${path}/history?limit=0`)).status).toBe(400)
  expect((await oracle.send('GET', '/v1/entities/did:web:x/proof')).body.code).toBe('entity_not_found')
  expect((await oracle.send('GET', `${path}/history`, { key: keys.ben })).body.code).toBe('scope_missing')
})

test('a page of large changes ends early, and pages together have all of them', async () => {
  await using oracle = await bootEntities()
  const { did } = (await oracle.create({ type: 'Device' })).body
  const text = 'x'.repeat(90_000)
  for (let version = 1; version < 20; version++) await oracle.patch(did, version, { properties: { version, text } })
  const path = `/v1/entities/${encodeURIComponent(did)}`
  const all = async (what: string, list: string, next: (body: { readonly next: number }) => string) => {
    const [versions, longest] = [[] as number[], { characters: 0 }]
    for (let rest = ''; ; ) {
      const { body } = await oracle.send('GET', `${path}/${what}?limit=200${rest}`)
      versions.push(...body[list].map(({ version }: { readonly version: number }) => version))
      longest.characters = Math.max(longest.characters, JSON.stringify(body).length)
      if (what === 'proof') expect(body.verified).toBe(true)
      if (body.next === undefined) return { versions, ...longest }
      rest = next(body)
    }
  }
  const history = await all('history', 'events', body => `&before=${body.next}`)
  expect(history.versions).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index))
  expect(history.characters).toBeLessThan(700_000)
  const proof = await all('proof', 'links', body => `&after=${body.next}`)
  expect(proof.versions).toEqual(history.versions.toReversed())
  expect(proof.characters).toBeLessThan(700_000)
})

test('reads of the past have their own limits, by address', async () => {
  await using oracle = await bootEntities({
    env: { ENTITIES_HISTORY_PER_MINUTE: '2', DID_RESOLUTION_PER_MINUTE: '1', RATE_LIMIT_PER_MINUTE: '100' },
  })
  const { did } = (await oracle.create({ type: 'Device' })).body
  const path = `/v1/entities/${encodeURIComponent(did)}`
  const statuses = async (...paths: readonly string[]) => {
    const all: number[] = []
    for (const one of paths) {
      const request = new Request(`http://localhost${one}`, { headers: { authorization: `Bearer ${keys.oracle}` } })
      all.push((await oracle.app.fetch(request, { clientAddress: '192.0.2.1' })).status)
    }
    return all
  }
  expect(await statuses(`${path}/history`, `${path}/proof`, `${path}/proof`, path)).toEqual([200, 200, 429, 200])
  expect(await statuses(`/1.0/identifiers/${did}?versionId=1`, `/1.0/identifiers/${did}`)).toEqual([200, 429])
})
