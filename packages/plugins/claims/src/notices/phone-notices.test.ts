import { definePlugin } from '@sibyl/plugin'
import { sms } from '@sibyl/plugin-sms'
import { ussd } from '@sibyl/plugin-ussd'
import { sendUssd } from '@sibyl/plugin-ussd/testing'
import { claimSubmission, type ServiceOf } from '@sibyl/protocol'
import { expect, test } from 'vitest'
import { openFixture } from '../claims-fixture.test.helper.ts'
import { noticeText } from './phone-notices.ts'

const operatorToken = 'operator-token-of-the-tests-01'

const openPhoneFixture = async () => {
  const seen: { claims?: ServiceOf<typeof claimSubmission> } = {}
  const reporter = definePlugin({
    name: 'reporter',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Reporter', summary: 'Reports.', whenToUse: ['never'] },
    requires: ['claims'],
    setup({ service }) {
      seen.claims = service(claimSubmission)
      return {}
    },
  })
  const fixture = await openFixture({
    plugins: [ussd(), sms(), reporter],
    env: {
      PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
      SMS_PROVIDER: 'embedded:',
      ORACLE_OPERATOR_TOKEN: operatorToken,
    },
  })
  const texts = async (): Promise<string[]> => {
    const headers = { authorization: `Bearer ${operatorToken}` }
    const answer = await fixture.oracle.app.request('/sms/outbox', { headers })
    const { messages } = (await answer.json()) as { messages: { text: string }[] }
    return messages.map(({ text }) => text)
  }
  const step = async (id: string, action: string, json?: object, key: 'oracle' | 'maker' = 'oracle') => {
    const { status } = await fixture.call(key, 'POST', `/v1/claims/${id}/${action}`, json)
    return status
  }
  return {
    fixture,
    texts,
    step,
    submit: seen.claims!.submit,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

test('a person who reports by USSD gets the reference by SMS, and one notice per transition', async () => {
  await using open = await openPhoneFixture()
  const dial = await sendUssd(open.fixture.oracle.app, { phoneNumber: '+260971234567' })
  const menu = await dial.answer('2', '2', 'Mutale', 'm@example.org', '8305', '8305', '1')
  const sent = await menu.answer('3', 'Delivered 5 stoves to Mwila and told her how to clean them', '1')
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(sent.text)?.[0] ?? sent.text
  await sent.repeat()
  expect(await open.texts()).toEqual([expect.stringContaining(`Reference: ${id}.`)])
  expect(await open.step(id, 'evaluate')).toBe(200)
  expect(await open.step(id, 'confirm', { decision: 'approve', reason: 'So it is.' })).toBe(200)
  await expect.poll(async () => (await open.texts()).length).toBe(2)
  expect(await open.step(id, 'confirm', { decision: 'approve', reason: 'So it is.' })).toBe(409)
  expect(await open.step(id, 'dispute', { reason: 'Nobody was there.' })).toBe(200)
  await expect.poll(async () => (await open.texts()).length).toBe(3)
  expect(await open.step(id, 'resolve', { resolution: 'uphold', reason: 'She was.' })).toBe(200)
  await expect.poll(async () => (await open.texts()).length).toBe(4)
  expect((await open.texts()).toSorted()).toEqual([
    `The decision on your report "Delivered 5 stoves to Mwila and told ..." is disputed and will be reviewed. ${id}`,
    `The decision on your report "Delivered 5 stoves to Mwila and told ..." stands. ${id}`,
    expect.stringMatching(`^We have your report. Reference: ${id}.`),
    `Your report "Delivered 5 stoves to Mwila and told ..." was approved. ${id}`,
  ])
})

test('a claimant without a known phone gets no notice, and nothing fails', async () => {
  await using open = await openPhoneFixture()
  const report = { actor: 'did:key:z6Mk', type: 'activity', summary: 'Delivered 5 stoves' }
  const { claimId } = await open.submit({ ...report, channel: 'sms', idempotencyKey: 'one' })
  expect(await open.step(claimId, 'evaluate')).toBe(200)
  expect(await open.step(claimId, 'confirm', { decision: 'reject', reason: 'No.' })).toBe(200)
  expect(await open.texts()).toEqual([])
})

test('a notice is in the language of the person, and never longer than one', () => {
  const claim = { id: '01938f6a-7c1e-7b7a-9c55-3f1d1f1f7a55', summary: 'x '.repeat(500) }
  for (const language of [undefined, 'en', 'fr-CA', 'sw', 'constructor', 'zu'])
    for (const action of ['approve', 'reject', 'dispute', 'uphold', 'invalidate'] as const)
      expect(noticeText(action, language, claim).length).toBeLessThanOrEqual(160)
  expect(noticeText('approve', 'sw', claim)).toMatch(/^Ripoti yako "x x .*" imekubaliwa\. 0193/)
  expect(noticeText('approve', 'xx', { id: 'a' })).toBe('Your report was approved. a')
})
