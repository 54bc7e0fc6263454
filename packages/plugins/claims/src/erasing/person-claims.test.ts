import { ussd } from '@sibyl/plugin-ussd'
import { sendUssd } from '@sibyl/plugin-ussd/testing'
import { expect, test } from 'vitest'
import { type ClaimsFixture, dids, openFixture, stoveClaim } from '../claims-fixture.test.helper.ts'
import { onEachEngine } from '../definitions/on-each-engine.test.helper.ts'
import type { ClaimDetails } from '../records/claim-records.ts'

const operator = { ORACLE_OPERATOR_TOKEN: 'operator-token-of-the-tests-01' }

const people = ({ oracle }: ClaimsFixture, method: string, person: string, rest = '') =>
  oracle.app.request(`/people/${encodeURIComponent(person)}${rest}`, {
    method,
    headers: { authorization: `Bearer ${operator.ORACLE_OPERATOR_TOKEN}` },
  })

const erase = async (fixture: ClaimsFixture, person: string) =>
  expect((await people(fixture, 'DELETE', person)).status).toBe(204)

const exported = async (fixture: ClaimsFixture, person: string) =>
  (await (await people(fixture, 'GET', person, '/export')).json()) as {
    claims?: ClaimDetails[]
    credentials?: { id: string; status: string }[]
  }

const read = async (fixture: ClaimsFixture, id: string) =>
  (await fixture.call('oracle', 'GET', `/v1/claims/${id}`)).body

test('reports of a phone are erased with its person, and can no longer be decided', async () => {
  const phoneNumber = '+260971234567'
  const env = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), USSD_PHONE_RATE: '0', ...operator }
  await using fixture = await openFixture({ plugins: [ussd()], env })
  const dial = await sendUssd(fixture.oracle.app, { phoneNumber })
  const menu = await dial.answer('2', '2', 'Mutale', 'm@example.org', '8305', '8305', '1')
  const sent = await menu.answer('3', 'Beaten by my neighbour Mwila', '1')
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(sent.text)?.[0] ?? sent.text
  const found = await fixture.oracle.app.request('/operator/people/find', {
    method: 'POST',
    headers: { authorization: `Bearer ${operator.ORACLE_OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ address: phoneNumber }),
  })
  const { did } = (await found.json()) as { did: string }
  expect((await exported(fixture, did)).claims).toMatchObject([{ data: { summary: 'Beaten by my neighbour Mwila' } }])
  await erase(fixture, did)
  expect(await read(fixture, id)).toMatchObject({
    data: {},
    state: 'rejected',
    submitter: expect.stringMatching(/^erased:/),
    transitions: [{ action: 'submit' }, { action: 'evaluate' }, { action: 'reject' }],
  })
  expect(JSON.stringify(await read(fixture, id))).not.toContain('Mwila')
  expect((await exported(fixture, did)).claims).toBeUndefined()
})

await onEachEngine('claims of a person who is erased', engine => {
  test('keep decision, checks, amounts and hashes; credentials keep proof and status', async () => {
    await using fixture = await openFixture({ env: { DATABASE_URL: await engine.emptyDatabase(), ...operator } })
    const protocol = await fixture.protocol(stoveClaim)
    const { id: collection } = await fixture.collection({ protocol, quota: { perAsset: 1 } })
    const asset = await fixture.asset(protocol)
    const hash = `sha256:${'ab'.repeat(32)}`
    const { id } = await fixture.claim({
      collection,
      asset,
      data: { hours: 5, fuel: 'charcoal of Ada Mwanza', note: 'Ada Mwanza was at home' },
      evidence: [{ hash, mediaType: 'image/jpeg', name: 'ada.jpg', url: 'https://ada.example/ada.jpg' }],
    })
    await fixture.call('oracle', 'POST', `/v1/claims/${id}/evaluate`)
    const before = await read(fixture, id)
    const credentialId = before.credential?.id ?? ''
    const credential = async () =>
      (await fixture.call<{ credential: object; erasedAt?: string }>('oracle', 'GET', `/credentials/${credentialId}`))
        .body
    const copy = (await credential()).credential
    expect(JSON.stringify([before, copy])).toContain('Ada Mwanza was at home')
    expect(await exported(fixture, dids.farm)).toMatchObject({ claims: [{ id }], credentials: [{ id: credentialId }] })

    await erase(fixture, dids.farm)
    const after = await read(fixture, id)
    expect(after).toMatchObject({
      state: 'approved',
      data: { hours: 5 },
      evidence: [{ hash, mediaType: 'image/jpeg' }],
      verdict: { decision: 'approve', reasons: [], checks: [{ id: 'used', passed: true }] },
      credential: { status: 'issued', id: credentialId },
    })
    const scrubbed = await credential()
    expect(scrubbed.erasedAt).toEqual(expect.any(String))
    expect(JSON.stringify([after, scrubbed])).not.toMatch(/Ada Mwanza|charcoal|ada\.jpg|example:farm/)
    expect(await exported(fixture, dids.farm)).toEqual({ sessions: [] })
    const verified = await fixture.call<{ verified: boolean }>('stranger', 'POST', '/credentials/verify', {
      credential: copy,
    })
    expect(verified.body, JSON.stringify(verified.body)).toMatchObject({ verified: true })
    const revoked = await fixture.call('oracle', 'POST', `/credentials/${credentialId}/revoke`, {
      reason: 'Broken meter',
    })
    expect(revoked.status).toBeLessThan(300)
    const again = await fixture.call<{ verified: boolean }>('stranger', 'POST', '/credentials/verify', {
      credential: copy,
    })
    expect(again.body.verified).toBe(false)
    const more = await fixture.call('oracle', 'POST', '/v1/claims', { collection, asset, data: { hours: 6 } })
    expect(more.body, 'the quota counts still').toMatchObject({ code: 'claim_quota_reached' })
  })

  test('by others keep the text of others, and collections keep an evaluator', async () => {
    await using fixture = await openFixture({ env: { DATABASE_URL: await engine.emptyDatabase(), ...operator } })
    const { id: collection } = await fixture.collection({
      submitters: 'anyone',
      evaluators: [dids.maker],
      evaluation: 'person',
      confirm: true,
    })
    const { id } = await fixture.claim({ collection, data: { note: 'mine' } })
    await fixture.call('maker', 'POST', `/v1/claims/${id}/evaluate`)
    await fixture.call('maker', 'POST', `/v1/claims/${id}/confirm`, { decision: 'reject', reason: 'I know this farm.' })
    const { id: open } = await fixture.claim({ collection, data: { note: 'mine too' } })
    await erase(fixture, dids.maker)
    const decided = await read(fixture, id)
    expect(decided).toMatchObject({ data: { note: 'mine' }, state: 'rejected', submitter: dids.farm })
    expect(JSON.stringify(decided)).not.toMatch(/example:maker|I know this farm/)
    expect((await fixture.call<object>('oracle', 'GET', `/v1/collections/${collection}`)).body).toMatchObject({
      evaluators: [fixture.oracle.app.identity.publicDid],
    })
    await fixture.call('oracle', 'POST', `/v1/claims/${open}/evaluate`)
    const confirmation = { decision: 'approve', reason: 'Seen.' }
    expect((await fixture.call('oracle', 'POST', `/v1/claims/${open}/confirm`, confirmation)).status).toBe(200)
  })
})
