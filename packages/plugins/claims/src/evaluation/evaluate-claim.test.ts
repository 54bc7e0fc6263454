import { definePlugin, OracleError, provide } from '@sibyl/plugin'
import { credentialIssuer } from '@sibyl/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClaimsFixture, dids, openFixture, stoveClaim } from '../claims-fixture.test.helper.ts'
import type { CollectionRecord } from '../records/collection-records.ts'

let fixture: ClaimsFixture
let protocol: string
let rules: CollectionRecord
beforeAll(async () => {
  fixture = await openFixture()
  protocol = await fixture.protocol(stoveClaim)
  rules = await fixture.collection({ protocol })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const submitted = async (hours = 3, collection = rules.id) =>
  fixture.claim({ collection, asset: await fixture.asset(protocol), data: { hours } })

const act = (id: string, action: string, json?: object, key: 'oracle' | 'farm' | 'maker' | 'stranger' = 'oracle') =>
  fixture.call(key, 'POST', `/v1/claims/${id}/${action}`, json)

const statusOf = async (credential = '') =>
  (await fixture.call<{ status: string }>('oracle', 'GET', `/credentials/${encodeURIComponent(credential)}`)).body
    .status

/** Issues credentials, but for its lack of a key. */
const failingCredentials = () =>
  definePlugin({
    name: 'credentials',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Credentials', summary: 'Credentials.', whenToUse: ['never'] },
    setup: () => ({
      services: [
        provide(credentialIssuer, {
          scrub: async () => {},
          prepare: async () => {
            throw new KeyMissing('There is no key.')
          },
          store: async ({ id }) => ({ id }),
          revoke: async () => {},
        }),
      ],
    }),
  })

class KeyMissing extends OracleError {
  readonly code = 'signing_key_missing'
  override readonly status = 503
}

describe('by rules', () => {
  test('a claim that meets all conditions is approved, becomes a credential and enters the graph', async () => {
    const { id, uri, asset } = await submitted()
    const { status, body } = await act(id, 'evaluate')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'approved',
      verdict: {
        decision: 'approve',
        method: 'rules',
        by: rules.controller,
        checks: [{ id: 'used', of: 'protocol', passed: true }],
      },
      decision: { by: rules.controller, overruled: false },
      credential: { status: 'issued' },
    })
    expect(body.transitions.every(({ why }) => why !== undefined && why.length > 0)).toBe(true)
    expect(body.transitions).toMatchObject([
      { position: 1, action: 'submit', to: 'submitted', by: dids.farm, protocol, protocolVersion: 1 },
      { position: 2, action: 'evaluate', from: 'submitted', to: 'evaluating', by: rules.controller },
      { position: 3, action: 'approve', from: 'evaluating', to: 'approved', why: 'All conditions are met.' },
    ])
    const credential = body.credential?.id ?? ''
    type Kept = { credential: object; status: string }
    const kept = await fixture.call<Kept>('oracle', 'GET', `/credentials/${encodeURIComponent(credential)}`)
    expect(JSON.stringify(kept.body)).toContain('"hours":3')
    expect(kept.body).toMatchObject({
      status: 'active',
      credential: {
        type: ['VerifiableCredential', 'ClaimCredential'],
        credentialSubject: { id: asset, claim: uri, claimData: { hours: 3 }, protocol, protocolVersion: 1 },
        evidence: [{ type: 'ClaimEvaluation', claim: uri, decidedBy: rules.controller, method: 'rules' }],
      },
    })
    expect(await fixture.edges(uri)).toEqual(
      expect.arrayContaining([
        { from: asset, relationship: 'produces', to: uri },
        { from: rules.controller, relationship: 'verifies', to: uri },
        { from: uri, relationship: 'becomes', to: credential },
      ]),
    )
  })

  test('one that does not is rejected with the reasons of the rubric', async () => {
    const { id } = await submitted(1)
    const { body } = await act(id, 'evaluate')
    expect(body).toMatchObject({ state: 'rejected', verdict: { decision: 'reject' } })
    expect(body.credential).toBeUndefined()
    expect(body.transitions.at(-1)).toMatchObject({ action: 'reject', why: 'The stove was used for too short.' })
  })

  test("a collection's conditions narrow those of the protocol", async () => {
    const conditions = [{ id: 'dry', path: '/fuel', operator: 'one-of', value: ['pellets'], reason: 'Pellets alone.' }]
    const narrow = await fixture.collection({ protocol, conditions })
    const { id } = await submitted(5, narrow.id)
    expect((await act(id, 'evaluate')).body).toMatchObject({
      state: 'rejected',
      verdict: { checks: [{ passed: true }, { id: 'dry', of: 'collection', passed: false, reason: 'Pellets alone.' }] },
    })
  })

  test('the version of the protocol that the asset followed is the one that counts', async () => {
    const own = await fixture.protocol(stoveClaim)
    const { id: collection } = await fixture.collection({ protocol: own })
    const claim = await fixture.claim({ collection, asset: await fixture.asset(own), data: { hours: 3 } })
    await fixture.newVersion(own, { ...stoveClaim, rubric: [{ ...stoveClaim.rubric[0]!, value: 100 }] })
    expect((await act(claim.id, 'evaluate')).body).toMatchObject({ state: 'approved', protocolVersion: 1 })
    const later = await fixture.claim({
      collection,
      asset: await fixture.asset(own, { version: 2 }),
      data: { hours: 3 },
    })
    expect((await act(later.id, 'evaluate')).body).toMatchObject({ state: 'rejected', protocolVersion: 2 })
  })

  test('the Oracle Twin that a collection names is in the graph as who verified', async () => {
    const verifier = await fixture.asset(undefined, { type: 'OracleEntity' })
    const { id: collection } = await fixture.collection({ protocol, verifier })
    const { id, uri } = await submitted(3, collection)
    await act(id, 'evaluate')
    expect(await fixture.edges(uri)).toContainEqual({ from: verifier, relationship: 'verifies', to: uri })
  })

  test('nothing is changed where the credential cannot be signed', async () => {
    await using unsigned = await openFixture({ credentials: failingCredentials() })
    const own = await unsigned.protocol(stoveClaim)
    const { id: collection } = await unsigned.collection({ protocol: own })
    const { id } = await unsigned.claim({ collection, asset: await unsigned.asset(own), data: { hours: 3 } })
    expect((await unsigned.call('oracle', 'POST', `/v1/claims/${id}/evaluate`)).body.code).toBe('signing_key_missing')
    const { body } = await unsigned.call('oracle', 'GET', `/v1/claims/${id}`)
    expect(body).toMatchObject({ state: 'submitted', transitions: [{ action: 'submit' }] })
  })

  test('a second evaluation is rejected', async () => {
    const { id } = await submitted()
    const [one, other] = await Promise.all([act(id, 'evaluate'), act(id, 'evaluate')])
    expect([one.status, other.status].toSorted()).toEqual([200, 409])
    expect((await act(id, 'evaluate')).body).toMatchObject({ code: 'claim_state_conflict' })
  })

  test('two concurrent evaluators decide once', async () => {
    const { id: collection } = await fixture.collection({ protocol, evaluators: [dids.maker, dids.stranger] })
    const { id } = await submitted(3, collection)
    const answers = await Promise.all((['maker', 'stranger'] as const).map(key => act(id, 'evaluate', undefined, key)))
    expect(answers.map(({ status, body }) => body.code ?? status).toSorted()).toEqual([200, 'claim_state_conflict'])
  })

  test('an entity that is out of use by then gets nothing without a person', async () => {
    const { id, asset } = await submitted()
    await fixture.deactivate(asset ?? '')
    const { body } = await act(id, 'evaluate')
    expect(body).toMatchObject({ state: 'evaluating', verdict: { decision: 'unsure', checks: [{ passed: true }] } })
    expect(body.verdict?.reasons).toContain('The entity was deactivated.')
    const short = await submitted(1)
    await fixture.deactivate(short.asset ?? '')
    expect((await act(short.id, 'evaluate')).body.state).toBe('rejected')
  })

  test.each(['farm', 'maker'] as const)('%s, who is not an evaluator, may not', async key => {
    const { id } = await submitted()
    const { status, body } = await act(id, 'evaluate', undefined, key)
    expect([status, body.code]).toEqual(key === 'farm' ? [403, 'claim_role_missing'] : [404, 'claim_not_found'])
  })

  test('without the credentials plugin a claim is approved without one, and reports it', async () => {
    await using bare = await openFixture({ credentials: 'none' })
    const own = await bare.protocol(stoveClaim)
    const { id: collection } = await bare.collection({ protocol: own })
    const { id } = await bare.claim({ collection, asset: await bare.asset(own), data: { hours: 3 } })
    const { body } = await bare.call('oracle', 'POST', `/v1/claims/${id}/evaluate`)
    expect(body).toMatchObject({ state: 'approved', credential: { status: 'missing' } })
    expect(body.transitions.at(-1)?.why).toContain('No credential was issued')
  })
})

describe('confirmed by a person', () => {
  let confirmed: CollectionRecord
  beforeAll(async () => {
    confirmed = await fixture.collection({ protocol, confirm: true, evaluators: [dids.maker] })
  })

  test('a verdict waits until an evaluator confirms it', async () => {
    const { id } = await submitted(3, confirmed.id)
    const { body } = await act(id, 'evaluate', undefined, 'maker')
    expect(body).toMatchObject({ state: 'evaluating', verdict: { decision: 'approve' } })
    expect(body.transitions.at(-1)).toMatchObject({ action: 'judge', from: 'evaluating', to: 'evaluating' })
    expect((await act(id, 'evaluate', undefined, 'maker')).body.code).toBe('claim_state_conflict')
    expect((await act(id, 'confirm', { decision: 'approve' }, 'farm')).body.code).toBe('claim_role_missing')
    const after = await act(id, 'confirm', { decision: 'approve' }, 'maker')
    expect(after.body).toMatchObject({ state: 'approved', decision: { by: dids.maker, overruled: false } })
  })

  test('a person who overrules it gives a reason, which is stored', async () => {
    const { id } = await submitted(3, confirmed.id)
    await act(id, 'evaluate', undefined, 'maker')
    expect((await act(id, 'confirm', { decision: 'reject' }, 'maker')).body.code).toBe('reason_missing')
    const reason = 'The meter was broken.'
    const { body } = await act(id, 'confirm', { decision: 'reject', reason }, 'maker')
    expect(body).toMatchObject({ state: 'rejected', decision: { overruled: true }, verdict: { decision: 'approve' } })
    expect(body.transitions.at(-1)).toMatchObject({ action: 'reject', why: reason, by: dids.maker })
  })

  test('a user evaluates if the collection requires it', async () => {
    const { id: collection } = await fixture.collection({ protocol, evaluation: 'person' })
    const { id } = await submitted(3, collection)
    expect((await act(id, 'evaluate')).body).toMatchObject({ state: 'evaluating', verdict: { decision: 'unsure' } })
    const { body } = await act(id, 'confirm', { decision: 'approve', reason: 'I was there.' })
    expect(body).toMatchObject({ state: 'approved', decision: { overruled: false } })
  })

  test('a claim without a verdict cannot be confirmed', async () => {
    const { id } = await submitted(3, confirmed.id)
    expect((await act(id, 'confirm', { decision: 'approve' }, 'maker')).body.code).toBe('claim_state_conflict')
  })
})

describe('a dispute', () => {
  const decided = async (hours: number, collection = rules.id) => {
    const claim = await submitted(hours, collection)
    await act(claim.id, 'evaluate')
    return claim
  }

  test('that falls revokes the credential', async () => {
    const { id } = await decided(3)
    const disputed = await act(id, 'dispute', { reason: 'The stove was sold.' }, 'farm')
    expect(disputed.body).toMatchObject({ state: 'disputed', credential: { status: 'issued' } })
    const { body } = await act(id, 'resolve', { resolution: 'invalidate', reason: 'It was sold.' })
    expect(body).toMatchObject({ state: 'invalidated', credential: { status: 'revoked' } })
    expect(await statusOf(body.credential?.id)).toBe('revoked')
    expect((await act(id, 'dispute', { reason: 'Once more.' }, 'farm')).body.code).toBe('claim_state_conflict')
  })

  test('that leaves the decision standing leaves its credential', async () => {
    const { id } = await decided(3)
    await act(id, 'dispute', { reason: 'The stove was sold.' }, 'farm')
    const { body } = await act(id, 'resolve', { resolution: 'uphold', reason: 'It was not.' })
    expect(body).toMatchObject({ state: 'upheld', credential: { status: 'issued' } })
    expect(await statusOf(body.credential?.id)).toBe('active')
  })

  test('against a rejection that falls makes room for the same claim again', async () => {
    const { id, asset, data } = await decided(1)
    const again = () => fixture.claim({ collection: rules.id, asset, data })
    expect((await again()).id).toBe(id)
    await act(id, 'dispute', { reason: 'It was measured wrongly.' }, 'farm')
    await act(id, 'resolve', { resolution: 'invalidate', reason: 'Indeed.' })
    expect((await again()).id).not.toBe(id)
  })

  test('is for those who have to do with the claim', async () => {
    const { id } = await decided(3)
    expect((await act(id, 'dispute', { reason: 'I do not like it.' }, 'stranger')).body.code).toBe('claim_not_found')
    expect((await act(id, 'dispute', { reason: 'no' }, 'farm')).body.code).toBe('input_invalid')
  })

  test('is ended by another party than the one that decided, if there is one', async () => {
    const { id: collection } = await fixture.collection({ protocol, evaluators: [dids.maker] })
    const claim = await submitted(3, collection)
    await act(claim.id, 'evaluate', undefined, 'maker')
    await act(claim.id, 'dispute', { reason: 'The stove was sold.' }, 'farm')
    const resolution = { resolution: 'uphold', reason: 'I was right.' }
    expect((await act(claim.id, 'resolve', resolution, 'maker')).body.code).toBe('claim_role_missing')
    expect((await act(claim.id, 'resolve', resolution, 'farm')).body.code).toBe('claim_role_missing')
    expect((await act(claim.id, 'resolve', resolution)).body.state).toBe('upheld')
  })
})
