import { createSigningKey } from '@sibyl/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentialsContext, undefinedTermsContext } from './contexts/known-contexts.ts'
import {
  type CredentialsFixture,
  type IssuedRecord,
  openFixture,
  sampleRequest,
} from './testing/credentials-fixture.test.helper.ts'
import { otherLibrary } from './testing/digital-bazaar.test.helper.ts'

let fixture: CredentialsFixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** What a stranger finds: the DID document of the oracle and the status lists of a credential. */
const published = async ({ credential }: IssuedRecord): Promise<Map<string, object>> => {
  const document = (await fixture.call('GET', '/.well-known/did.json', undefined, null)).body
  const found = new Map<string, object>([[document.id, document]])
  for (const { statusListCredential: url } of credential.credentialStatus) {
    const answer = await fixture.call('GET', new URL(String(url)).pathname, undefined, null)
    found.set(String(url), answer.body)
  }
  return found
}

test('another library accepts issued credentials, and reads their states from the status lists', async () => {
  const issued = await fixture.issue({ validUntil: '2099-01-01T00:00:00Z' })
  const judge = async () => otherLibrary.verify(issued.credential, await published(issued))
  const change = (verb: string) => fixture.call('POST', `/credentials/${issued.id}/${verb}`, { reason: 'a reason' })
  expect(await judge()).toEqual({ verified: true, set: [], error: undefined })
  await change('suspend')
  expect(await judge()).toEqual({ verified: true, set: ['suspension'], error: undefined })
  await change('reinstate')
  expect(await judge()).toEqual({ verified: true, set: [], error: undefined })
  await change('revoke')
  expect(await judge()).toEqual({ verified: true, set: ['revocation'], error: undefined })
})

test('another library rejects what was altered', async () => {
  const issued = await fixture.issue()
  const documents = await published(issued)
  const { credential } = issued
  const altered = [
    { ...credential, credentialSubject: { ...sampleRequest.subject, meals: 33 } },
    { ...credential, proof: { ...credential.proof, created: '2026-01-01T00:00:00Z' } },
  ]
  for (const one of altered) {
    expect(await otherLibrary.verify(one, documents)).toMatchObject({ verified: false })
    expect(await fixture.verify(one)).toMatchObject({ verified: false })
  }
})

test.each(['eddsa-jcs-2022', 'eddsa-rdfc-2022'] as const)(
  'what another library issues with %s is accepted here, and refused once altered',
  async cryptosuite => {
    const key = createSigningKey()
    const credential = await otherLibrary.issue(
      {
        '@context': [credentialsContext, undefinedTermsContext],
        id: 'urn:uuid:5b0b3a5e-93d6-44f4-8b9f-35a1f7a5d0f1',
        type: ['VerifiableCredential', 'Certificate'],
        issuer: key.did,
        validFrom: '2026-01-01T00:00:00Z',
        credentialSubject: { id: 'did:web:somebody.example', größe: 1.5, grades: ['a', 'b'] },
      },
      key,
      cryptosuite,
    )
    expect(await fixture.verify(credential)).toEqual({ verified: true, faults: {} })
    const altered = {
      ...credential,
      credentialSubject: { id: 'did:web:somebody.example', größe: 1.6, grades: ['a', 'b'] },
    }
    expect(Object.keys((await fixture.verify(altered)).faults)).toEqual(['signature'])
  },
)

test('both libraries read the same lists', async () => {
  const { encodeList, readEncodedList } = await import('./status-lists/status-place.ts')
  for (const place of [0, 7, 8, 4711, 131_071]) {
    const encoded = await encodeList([place])
    expect(await otherLibrary.readPlace(encoded, place)).toBe(true)
    expect(await otherLibrary.readPlace(encoded, (place + 1) % 131_072)).toBe(false)
    expect(await readEncodedList(await otherLibrary.encodePlace(place), place)).toBe(true)
    expect(await readEncodedList(await otherLibrary.encodePlace(place), place ^ 1)).toBe(false)
  }
})
