import { ussd } from '@sibyl/plugin-ussd'
import { sendUssd } from '@sibyl/plugin-ussd/testing'
import type { ClaimDetails } from '@sibyl/protocol'
import { expect, test } from 'vitest'
import { type ClaimsDesk, dids, openDesk, stoveClaim } from '../claims-desk.test.helper.ts'
import { onEachEngine } from '../definitions/on-each-engine.test.helper.ts'

const operator = { ORACLE_OPERATOR_TOKEN: 'operator-token-of-the-tests-01' }

const people = ({ oracle }: ClaimsDesk, method: string, person: string, rest = '') =>
  oracle.app.request(`/people/${encodeURIComponent(person)}${rest}`, {
    method,
    headers: { authorization: `Bearer ${operator.ORACLE_OPERATOR_TOKEN}` },
  })

const erase = async (desk: ClaimsDesk, person: string) =>
  expect((await people(desk, 'DELETE', person)).status).toBe(204)

const exported = async (desk: ClaimsDesk, person: string) =>
  (await (await people(desk, 'GET', person, '/export')).json()) as {
    claims?: ClaimDetails[]
    credentials?: { id: string; status: string }[]
  }

const read = async (desk: ClaimsDesk, id: string) => (await desk.call('oracle', 'GET', `/v1/claims/${id}`)).body

test('reports of a phone are erased with its person, and can no longer be decided', async () => {
  const phoneNumber = '+260971234567'
  const env = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), USSD_PHONE_RATE: '0', ...operator }
  await using desk = await openDesk({ plugins: [ussd()], env })
  const dial = await sendUssd(desk.oracle.app, { phoneNumber })
  const menu = await dial.answer('2', '2', 'Mutale', 'm@example.org', '8305', '8305', '1')
  const sent = await menu.answer('3', 'Beaten by my neighbour Mwila', '1')
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(sent.text)?.[0] ?? sent.text
  expect((await exported(desk, phoneNumber)).claims).toMatchObject([
    { data: { summary: 'Beaten by my neighbour Mwila' } },
  ])
  await erase(desk, phoneNumber)
  expect(await read(desk, id)).toMatchObject({
    data: {},
    state: 'rejected',
    submitter: expect.stringMatching(/^erased:/),
    transitions: [{ action: 'submit' }, { action: 'evaluate' }, { action: 'reject' }],
  })
  expect(JSON.stringify(await read(desk, id))).not.toContain('Mwila')
  expect((await exported(desk, phoneNumber)).claims).toBeUndefined()
})

await onEachEngine('claims of a person who is erased', engine => {
  test('keep decision, checks, amounts and hashes; credentials keep proof and status', async () => {
    await using desk = await openDesk({ env: { DATABASE_URL: await engine.emptyDatabase(), ...operator } })
    const protocol = await desk.protocol(stoveClaim)
    const { id: collection } = await desk.collection({ protocol, quota: { perAsset: 1 } })
    const asset = await desk.asset(protocol)
    const hash = `sha256:${'ab'.repeat(32)}`
    const { id } = await desk.claim({
      collection,
      asset,
      data: { hours: 5, fuel: 'charcoal of Ada', note: 'Ada was at home' },
      evidence: [{ hash, mediaType: 'image/jpeg', name: 'ada.jpg', url: 'https://ada.example/ada.jpg' }],
    })
    await desk.call('oracle', 'POST', `/v1/claims/${id}/evaluate`)
    const before = await read(desk, id)
    const credentialId = before.credential?.id ?? ''
    const credential = async () =>
      (await desk.call<{ credential: object; erasedAt?: string }>('oracle', 'GET', `/credentials/${credentialId}`)).body
    const copy = (await credential()).credential
    expect(JSON.stringify([before, copy])).toContain('Ada was at home')
    expect(await exported(desk, dids.farm)).toMatchObject({ claims: [{ id }], credentials: [{ id: credentialId }] })

    await erase(desk, dids.farm)
    const after = await read(desk, id)
    expect(after).toMatchObject({
      state: 'approved',
      data: { hours: 5 },
      evidence: [{ hash, mediaType: 'image/jpeg' }],
      verdict: { decision: 'approve', reasons: [], checks: [{ id: 'used', passed: true }] },
      credential: { status: 'issued', id: credentialId },
    })
    const scrubbed = await credential()
    expect(scrubbed.erasedAt).toEqual(expect.any(String))
    expect(JSON.stringify([after, scrubbed])).not.toMatch(/Ada|charcoal|ada\.jpg|example:farm/)
    expect(await exported(desk, dids.farm)).toEqual({ sessions: [] })
    const verified = await desk.call<{ verified: boolean }>('stranger', 'POST', '/credentials/verify', {
      credential: copy,
    })
    expect(verified.body, JSON.stringify(verified.body)).toMatchObject({ verified: true })
    const revoked = await desk.call('oracle', 'POST', `/credentials/${credentialId}/revoke`, { reason: 'Broken meter' })
    expect(revoked.status).toBeLessThan(300)
    const again = await desk.call<{ verified: boolean }>('stranger', 'POST', '/credentials/verify', {
      credential: copy,
    })
    expect(again.body.verified).toBe(false)
    const more = await desk.call('oracle', 'POST', '/v1/claims', { collection, asset, data: { hours: 6 } })
    expect(more.body, 'the quota counts still').toMatchObject({ code: 'claim_quota_reached' })
  })

  test('by others keep the text of others, and collections keep an evaluator', async () => {
    await using desk = await openDesk({ env: { DATABASE_URL: await engine.emptyDatabase(), ...operator } })
    const { id: collection } = await desk.collection({
      submitters: 'anyone',
      evaluators: [dids.maker],
      evaluation: 'person',
      confirm: true,
    })
    const { id } = await desk.claim({ collection, data: { note: 'mine' } })
    await desk.call('maker', 'POST', `/v1/claims/${id}/evaluate`)
    await desk.call('maker', 'POST', `/v1/claims/${id}/confirm`, { decision: 'reject', reason: 'I know this farm.' })
    const { id: open } = await desk.claim({ collection, data: { note: 'mine too' } })
    await erase(desk, dids.maker)
    const decided = await read(desk, id)
    expect(decided).toMatchObject({ data: { note: 'mine' }, state: 'rejected', submitter: dids.farm })
    expect(JSON.stringify(decided)).not.toMatch(/example:maker|I know this farm/)
    expect((await desk.call<object>('oracle', 'GET', `/v1/collections/${collection}`)).body).toMatchObject({
      evaluators: [desk.oracle.app.identity.publicDid],
    })
    await desk.call('oracle', 'POST', `/v1/claims/${open}/evaluate`)
    const confirmation = { decision: 'approve', reason: 'Seen.' }
    expect((await desk.call('oracle', 'POST', `/v1/claims/${open}/confirm`, confirmation)).status).toBe(200)
  })
})
