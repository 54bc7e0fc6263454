import { createSigningKey } from '@sibyl/identity'
import { checkPlugin, testActor } from '@sibyl/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentials } from './credentials.ts'
import {
  type CredentialsFixture,
  officeKey,
  openFixture,
  sampleRequest,
} from './testing/credentials-fixture.test.helper.ts'

describe('keeps the rules of all plugins:', () => {
  const samples = {
    subject: 'did:web:stoves.example:7',
    id: 'urn:uuid:0199d8a2-7c2e-7d4b-9c40-51b1f7a3a2d4',
    credential: 'urn:uuid:0199d8a2-7c2e-7d4b-9c40-51b1f7a3a2d4',
    did: 'did:web:stoves.example:7',
  }
  for (const check of checkPlugin(() => credentials(), { samples })) test(check.name, check.run)
})

const partner = { key: 'partner-key-0123456789', did: 'did:web:partner.example' }
const reader = 'reader-key-0123456789'
const named = { key: 'named-key-0123456789', did: 'did:web:named.example' }
const controller = createSigningKey()

let fixture: CredentialsFixture
beforeAll(async () => {
  const keys = [
    `fixture:${officeKey}`,
    `partner:${partner.key}:read+write:${partner.did}`,
    `reader:${reader}:read`,
    `named:${named.key}:credentials/issue:${named.did}`,
  ]
  fixture = await openFixture({ env: { ENTITIES_API_KEYS: keys.join(','), ORACLE_CONTROLLERS: controller.did } })
})
afterAll(() => fixture[Symbol.asyncDispose]())

test('a credential is issued under the did:web of the oracle, and is good', async () => {
  const validUntil = '2099-01-01T00:00:00+02:00'
  const { status, headers, body } = await fixture.call('POST', '/credentials/issue', { ...sampleRequest, validUntil })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`/credentials/${body.id}`)
  const { publicDid, did } = fixture.oracle.app.identity
  const method = `${publicDid}#${did?.slice('did:key:'.length)}`
  expect(body.credential).toMatchObject({
    '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/undefined-terms/v2'],
    id: body.id,
    type: ['VerifiableCredential', 'CleanCookingCredential'],
    issuer: publicDid,
    validUntil: '2098-12-31T22:00:00Z',
    credentialSubject: sampleRequest.subject,
    evidence: sampleRequest.evidence,
    proof: { type: 'DataIntegrityProof', cryptosuite: 'eddsa-jcs-2022', verificationMethod: method },
  })
  expect(await fixture.verify(body.credential)).toEqual({ verified: true, faults: {} })
  expect(await fixture.verify(body)).toEqual({ verified: true, faults: {} })
  const read = await fixture.call('GET', `/credentials/${body.id}`)
  expect(read).toMatchObject({ status: 200, body: { ...body, changes: [] } })
})

describe('rights to sign:', () => {
  const issueAs = (key: string | null) => fixture.call('POST', '/credentials/issue', sampleRequest, key)
  const asActor = async (key = createSigningKey(), path = '/credentials/issue', json: unknown = sampleRequest) => {
    const answer = await testActor(fixture.oracle.app, Date.now, key).request(path, { json })
    return { status: answer.status, body: await answer.json() }
  }

  test('not another caller, whatever abilities they sign for themselves', async () => {
    expect(await issueAs(null)).toMatchObject({ status: 401 })
    expect(await asActor()).toMatchObject({ status: 403, body: { code: 'issuer_not_allowed' } })
    const { id } = await fixture.issue()
    expect(await asActor(undefined, `/credentials/${id}/revoke`, { reason: 'spite' })).toMatchObject({ status: 403 })
  })

  test('a key that only reads, or that acts as another party, is rejected', async () => {
    expect(await issueAs(reader)).toMatchObject({ status: 403, body: { code: 'issuer_not_allowed' } })
    expect(await issueAs(partner.key)).toMatchObject({ status: 403, body: { code: 'issuer_not_allowed' } })
  })

  test('a key that was given the right by name, a controller, and the oracle itself', async () => {
    expect(await issueAs(named.key)).toMatchObject({ status: 201, body: { issuedBy: named.did } })
    expect(await asActor(controller)).toMatchObject({ status: 201, body: { issuedBy: controller.did } })
    const { publicDid } = fixture.oracle.app.identity
    expect(await issueAs(officeKey)).toMatchObject({ status: 201, body: { issuedBy: publicDid } })
  })

  test('without a signing key nothing is issued, and issued credentials can still be read', async () => {
    await using mute = await openFixture({ env: { ORACLE_MNEMONIC: '' } })
    const { status, body } = await mute.call('POST', '/credentials/issue', sampleRequest)
    expect([status, body.code]).toEqual([503, 'signing_key_missing'])
    expect(await mute.call('GET', '/credentials')).toMatchObject({ status: 200, body: { credentials: [] } })
  })
})

test('with delegated access, an ability that a controller gave is enough, and one of his own is not', async () => {
  const env = { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did }
  await using delegated = await openFixture({ env })
  const stranger = testActor(delegated.oracle.app)
  expect((await stranger.request('/credentials/issue', { json: sampleRequest })).status).toBe(403)
  const own = testActor(delegated.oracle.app, Date.now, controller)
  expect((await own.request('/credentials/issue', { json: sampleRequest })).status).toBe(201)
})

test('the same Idempotency-Key gives the same credential, also at the same time; another body is rejected', async () => {
  const headers = { 'idempotency-key': 'order-7' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => fixture.call('POST', '/credentials/issue', sampleRequest, officeKey, headers)),
  )
  expect(new Set(answers.map(({ body }) => JSON.stringify(body.credential))).size).toBe(1)
  const other = { ...sampleRequest, subject: { id: 'did:web:other.example' } }
  const refused = await fixture.call('POST', '/credentials/issue', other, officeKey, headers)
  expect([refused.status, refused.body.code]).toEqual([422, 'idempotency_key_reused'])
})

test.each([
  [{ type: 'clean cooking' }, '/type'],
  [{ type: 'VerifiableCredential' }, '/type'],
  [{ subject: { id: sampleRequest.subject.id, '@type': 'x' } }, '/subject/@type'],
  [{ subject: { id: sampleRequest.subject.id, a: [{ '@context': 'https://evil.example' }] } }, '/subject/a/0/@context'],
  [{ subject: { id: sampleRequest.subject.id, a: '\ud800' } }, '/subject/a'],
  [{ validFrom: '2026-01-02T00:00:00Z', validUntil: '2026-01-01T00:00:00Z' }, '/validUntil'],
  [{ validUntil: '2026-01-01T00:00:00Z' }, '/validUntil'],
  [{ validFrom: '9999-12-31T23:59:59-01:00' }, '/validFrom'],
  [{ validFrom: '0000-01-01T00:00:00+01:00' }, '/validFrom'],
  [{ validUntil: '9999-12-31T23:59:59-01:00' }, '/validUntil'],
])('rejects an invalid request with its path: %j', async (part, path) => {
  const { status, body } = await fixture.call('POST', '/credentials/issue', { ...sampleRequest, ...part })
  expect([status, body.code, body.issues?.[0].path]).toEqual([422, 'credential_invalid', path])
})

test('text that no database keeps is rejected', async () => {
  const { id } = await fixture.issue()
  const suspended = await fixture.call('POST', `/credentials/${id}/suspend`, { reason: 'a\0b' })
  expect([suspended.status, suspended.body.code]).toEqual([400, 'input_invalid'])
  const listed = await fixture.call('GET', '/credentials?type=%00')
  expect([listed.status, listed.body.code]).toEqual([400, 'input_invalid'])
})

test('suspended, reinstated, revoked: each applies immediately, and the last is permanent', async () => {
  const { id, credential } = await fixture.issue()
  const change = (verb: string) => fixture.call('POST', `/credentials/${id}/${verb}`, { reason: `to ${verb}` })
  expect((await change('suspend')).body.status).toBe('suspended')
  expect(await fixture.verify(credential)).toEqual({ verified: false, faults: { status: 'it is suspended' } })
  expect((await change('suspend')).body.changes).toHaveLength(1)
  expect((await change('reinstate')).body.status).toBe('active')
  expect(await fixture.verify(credential)).toMatchObject({ verified: true })
  expect((await change('revoke')).body.status).toBe('revoked')
  expect(await fixture.verify(credential)).toEqual({ verified: false, faults: { status: 'it was revoked' } })
  for (const verb of ['reinstate', 'suspend']) expect((await change(verb)).body.code).toBe('credential_revoked')
  const { body } = await change('revoke')
  expect(body.changes.map(({ kind, reason }: Record<string, string>) => [kind, reason])).toEqual([
    ['suspended', 'to suspend'],
    ['reinstated', 'to reinstate'],
    ['revoked', 'to revoke'],
  ])
  const unknown = '/credentials/urn:uuid:0199d8a2-7c2e-7d4b-9c40-51b1f7a3a2d4/revoke'
  expect((await fixture.call('POST', unknown, { reason: 'x' })).body.code).toBe('credential_not_found')
})

test('only the parties of a credential can read it, and others cannot tell that it exists', async () => {
  const holder = testActor(fixture.oracle.app)
  const { id } = await fixture.issue({ subject: { id: holder.did } })
  expect((await holder.request(`/credentials/${id}`)).status).toBe(200)
  expect((await testActor(fixture.oracle.app).request(`/credentials/${id}`)).status).toBe(404)
  expect((await fixture.call('GET', `/credentials/${id}`, undefined, partner.key)).status).toBe(404)
  expect((await fixture.call('GET', `/credentials/${id}`, undefined, reader)).status).toBe(200)
  expect((await holder.request('/credentials')).status).toBe(403)
  const list = await (await holder.request(`/credentials?subject=${holder.did}`)).json()
  expect(list).toMatchObject({ credentials: [{ id, subject: holder.did, status: 'active' }] })
})

test('the list has pages, the newest first, and a cursor belongs to its query', async () => {
  const subject = `did:web:pages.example`
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.unshift((await fixture.issue({ subject: { id: subject, count } })).id)
  const seen: string[] = []
  let next: string | undefined
  do {
    const cursor = next === undefined ? '' : `&cursor=${next}`
    const { body } = await fixture.call('GET', `/credentials?subject=${subject}&limit=2${cursor}`)
    seen.push(...body.credentials.map((one: { id: string }) => one.id))
    next = body.next
    if (next) {
      const other = await fixture.call('GET', `/credentials?limit=2&cursor=${next}`)
      expect([other.status, other.body.code]).toEqual([400, 'cursor_invalid'])
    }
  } while (next)
  expect(seen).toEqual(ids.toSorted().reverse())
})

describe('in a conversation', () => {
  const ask = async (who: CredentialsFixture['oracle']['actor'], text: string) => {
    const { readStream } = await import('@sibyl/testing')
    return readStream(await who.request('/chat', { json: { id: 'talk', message: text } }))
  }

  test('another caller gets neither a signature nor a question', async () => {
    const { text, events } = await ask(
      testActor(fixture.oracle.app),
      'Issue a clean cooking credential to did:web:a.example',
    )
    expect(text).toContain('The caller may not issue')
    expect(events.some(({ type }) => type === 'tool-approval-request')).toBe(false)
    const { body } = await fixture.call('GET', '/credentials?subject=did:web:a.example')
    expect(body.credentials).toEqual([])
  })

  test('a controller is asked, and then it is issued, verified and revoked', async () => {
    const { readStream } = await import('@sibyl/testing')
    const actor = testActor(fixture.oracle.app, Date.now, controller)
    const approve = async (text: string) => {
      const asked = await ask(actor, text)
      const question = asked.events.find(({ type }) => type === 'tool-approval-request') as Record<string, string>
      const before = await fixture.call('GET', '/credentials?subject=did:web:b.example')
      const path = `/chat/talk/approvals/${question.approvalId}`
      const done = await readStream(await actor.request(path, { json: { decision: 'once' } }))
      return { reason: question.reason, text: done.text, before: before.body.credentials.length }
    }
    const issued = await approve('Issue a clean cooking credential to did:web:b.example')
    expect(issued.before).toBe(0)
    expect(issued.reason).toBe(
      'Sign and issue a CleanCookingCredential to did:web:b.example.\n\ntype: "clean cooking"\nsubject: "did:web:b.example"',
    )
    const id = /urn:uuid:[0-9a-f-]+/.exec(issued.text)?.[0]
    expect(issued.text).toBe(`Issued CleanCookingCredential to did:web:b.example: ${id}, valid without an end date.`)
    expect((await ask(actor, `Verify the credential ${id}`)).text).toBe('The credential is valid.')
    const revoked = await approve(`Revoke the credential ${id} because the stove was sold`)
    expect(revoked.text).toBe(`The credential ${id} is revoked.`)
    expect((await ask(actor, `Is the credential ${id} valid?`)).text).toContain('status: it was revoked')
  })

  test('any caller resolves DIDs', async () => {
    const { publicDid, did } = fixture.oracle.app.identity
    const { text } = await ask(testActor(fixture.oracle.app), `Resolve ${publicDid}`)
    expect(text).toContain(`${publicDid} was resolved. Keys: ${did?.slice('did:key:'.length)}.`)
  })
})
