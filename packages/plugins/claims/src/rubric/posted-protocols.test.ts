import { definePlugin } from '@sibyl/plugin'
import { claimChecks, type JsonValue } from '@sibyl/protocol'
import { expect, test } from 'vitest'
import { openFixture } from '../claims-fixture.test.helper.ts'

const broken = { properties: { hours: 'date' }, rubric: [{ id: 'used', path: 'hours', operator: 'bigger' }], more: 1 }

/** Takes the check away, as if protocols had been posted before the plugin was there. */
const unchecked = definePlugin<never>({
  name: 'unchecked',
  version: '1.0.0',
  core: '^0.1.0',
  manifest: { title: 'Unchecked', summary: 'Lets any claim pass.', whenToUse: ['never'] },
  requires: ['entities', 'claims'],
  setup(host) {
    host.service(claimChecks).use(() => [])
    return {}
  },
})

test('a Protocol with an invalid claim is rejected, with every problem and its path', async () => {
  await using fixture = await openFixture()
  const post = (claim: JsonValue, more: object = {}) =>
    fixture.call('oracle', 'POST', '/v1/entities', { type: 'Protocol', properties: {}, claim, ...more })
  const { status, body } = await post(broken, { properties: { a: 'whole' } })
  expect([status, body.code]).toEqual([422, 'entity_invalid'])
  expect(body.issues?.map(({ path, code }) => `${path} ${code}`)).toEqual([
    '/properties/a unknown_type',
    '/claim/more unknown_member',
    '/claim/properties/hours unknown_type',
    '/claim/rubric/0/path value_invalid',
    '/claim/rubric/0/operator value_invalid',
    '/claim/rubric/0/reason wrong_type',
  ])
  expect((await post('anything')).body.issues).toMatchObject([{ path: '/claim', code: 'wrong_type' }])
  const own = await fixture.protocol()
  const changed = await fixture.call('oracle', 'PATCH', `/v1/entities/${own}`, { claim: broken }, { 'if-match': '"1"' })
  expect(changed.status).toBe(422)
  expect((await fixture.call('oracle', 'GET', `/v1/entities/${own}`)).body).toMatchObject({ version: 1 })
})

test('one that was posted before is reported by collections, and by claims about its entities', async () => {
  await using fixture = await openFixture({ plugins: [unchecked] })
  const own = await fixture.protocol({ properties: {} })
  const { id: collection } = await fixture.collection({ protocol: own, evaluation: 'person' })
  await fixture.newVersion(own, { rubric: 'none' })
  const again = await fixture.call('oracle', 'POST', '/v1/collections', { title: 'Stoves', protocol: own })
  expect(again.body.issues).toMatchObject([{ path: '/protocol/claim/rubric', code: 'wrong_type' }])
  const asset = await fixture.asset(own, { version: 2 })
  const { body } = await fixture.call('farm', 'POST', '/v1/claims', { collection, asset, data: { hours: 3 } })
  expect(body.issues).toMatchObject([{ path: '/asset', code: 'unreadable_protocol' }])
})
