import { definePlugin } from '@sibyl/plugin'
import { ussd } from '@sibyl/plugin-ussd'
import { sendUssd, type UssdDialogue } from '@sibyl/plugin-ussd/testing'
import { claimSubmission, type ServiceOf } from '@sibyl/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClaimsFixture, openFixture, stoveClaim } from '../claims-fixture.test.helper.ts'
import { type ClaimRegister, claimRegister } from '../records/claim-register.ts'
import type { CollectionRecord } from '../records/collection-records.ts'

/** Opens an oracle to which phones and other plugins report. */
const openPhoneFixture = async (env: Record<string, string> = {}) => {
  let service: ServiceOf<typeof claimSubmission> | undefined
  let register: ClaimRegister | undefined
  const other = definePlugin({
    name: 'reporter',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Reporter', summary: 'Reports.', whenToUse: ['never'] },
    uses: ['claims'],
    setup(host) {
      service = host.optionalService(claimSubmission)
      register = host.optionalService(claimRegister)
      return {}
    },
  })
  const settings = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), USSD_PHONE_RATE: '0', ...env }
  const fixture = await openFixture({ plugins: [ussd(), other], env: settings })
  return {
    fixture,
    submit: (claim: Parameters<ServiceOf<typeof claimSubmission>['submit']>[0]) => service!.submit(claim),
    list: (request: Parameters<ClaimRegister['list']>[0]) => register!.list(request),
  }
}

/** A caller with a new account, at its menu. */
const signedIn = async (fixture: ClaimsFixture, phoneNumber: string): Promise<UssdDialogue> => {
  const dial = await sendUssd(fixture.oracle.app, { phoneNumber })
  return dial.answer('2', '2', 'Mutale', 'm@example.org', '8305', '8305', '1')
}

const report = { actor: 'did:key:z6Mk', type: 'activity', summary: 'Delivered 5 stoves', idempotencyKey: 'one' }

test('a report by phone becomes a claim of its reporter, and a person judges it', async () => {
  const { fixture } = await openPhoneFixture()
  await using _ = fixture
  const menu = await signedIn(fixture, '+260971234567')
  expect(menu.lines).toContain('3. Report an activity')
  const sent = await menu.answer('3', 'Delivered 5 stoves to Mwila', '1')
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(sent.text)?.[0] ?? sent.text
  expect((await sent.repeat()).text).toBe(sent.text)
  const { body } = await fixture.call('oracle', 'GET', `/v1/claims/${id}`)
  expect(body).toMatchObject({
    collection: 'reports',
    type: 'activity',
    data: { summary: 'Delivered 5 stoves to Mwila' },
    channel: 'ussd',
    submitter: expect.stringMatching(/^did:key:z6Mk/),
    state: 'submitted',
  })
  expect(JSON.stringify(body)).not.toContain('260971234567')
  expect((await fixture.call<CollectionRecord>('oracle', 'GET', '/v1/collections/reports')).body).toMatchObject({
    title: 'Reports',
    taken: 1,
    evaluation: 'person',
  })
  await fixture.call('oracle', 'POST', `/v1/claims/${id}/evaluate`)
  const confirmation = { decision: 'approve', reason: 'Mwila says so.' }
  const decided = await fixture.call('oracle', 'POST', `/v1/claims/${id}/confirm`, confirmation)
  expect(decided.body).toMatchObject({ state: 'approved', credential: { status: 'issued' } })
})

test('the same report twice is one claim; the same words again are another', async () => {
  const { fixture, submit } = await openPhoneFixture()
  await using _ = fixture
  const ids = await Promise.all([submit(report), submit(report), submit({ ...report, idempotencyKey: 'two' })])
  expect(new Set(ids.map(({ claimId }) => claimId)).size).toBe(2)
  expect((await submit(report)).claimId).toBe(ids[0].claimId)
  await expect(submit({ ...report, summary: 'Something else' })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
  expect((await submit({ ...report, actor: 'did:key:z6Mo' })).claimId).not.toBe(ids[0].claimId)
})

test('other plugins read what a person may see, and no more', async () => {
  const { fixture, submit, list } = await openPhoneFixture()
  await using _ = fixture
  const first = await submit(report)
  const second = await submit({ ...report, actor: 'did:key:z6Mo', idempotencyKey: 'two' })
  const ids = async (request: Parameters<typeof list>[0]) => (await list(request)).map(({ id }) => id)
  expect(await ids({ did: report.actor })).toEqual([first.claimId])
  expect(await ids({ did: 'did:key:z6Mp' })).toEqual([])
  const oracle = fixture.oracle.app.identity.publicDid
  expect(await ids({ did: oracle, collection: 'reports' })).toEqual([second.claimId, first.claimId])
  expect(await ids({ did: oracle, limit: 1 })).toEqual([second.claimId])
  expect(await ids({ did: oracle, collection: 'elsewhere' })).toEqual([])
  expect((await list({ did: report.actor }))[0]).toMatchObject({
    data: { summary: report.summary },
    state: 'submitted',
  })
})

describe('a report is rejected', () => {
  let open: Awaited<ReturnType<typeof openPhoneFixture>>
  beforeAll(async () => {
    open = await openPhoneFixture()
  })
  afterAll(() => open.fixture[Symbol.asyncDispose]())

  test.each([
    ['that is empty', { summary: '  ' }],
    ['that is too long', { summary: 'x'.repeat(1_001) }],
    ['of a type that is none', { type: 'a b' }],
    ['about an entity that is not there', { asset: 'did:example:none' }],
  ])('%s', async (_, wrong) => {
    await expect(open.submit({ ...report, ...wrong })).rejects.toMatchObject({ code: 'claim_invalid' })
  })
})

test('another collection may take reports, also about an entity, as its rules say', async () => {
  const { fixture, submit } = await openPhoneFixture({ CLAIMS_REPORTS_COLLECTION: 'field' })
  await using _ = fixture
  await expect(submit(report)).rejects.toMatchObject({
    code: 'claim_invalid',
    issues: [{ path: '/collection', code: 'unknown_collection' }],
  })
  const { fixture: other, submit: submitThere } = await openPhoneFixture()
  await using __ = other
  const asset = await other.asset()
  const { claimId } = await submitThere({ ...report, asset, channel: 'sms' })
  const { body } = await other.call('oracle', 'GET', `/v1/claims/${claimId}`)
  expect(body).toMatchObject({ asset, channel: 'sms', submitter: report.actor })
  const governed = await other.asset(await other.protocol(stoveClaim))
  await expect(submitThere({ ...report, asset: governed, idempotencyKey: 'three' })).rejects.toMatchObject({
    issues: [{ path: '/data/summary' }, { path: '/data/hours' }],
  })
})
