import { phoneForms } from '@sibyl/plugin-ussd/phone'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'
import {
  ownPhoneViolations,
  phoneNumberForms,
  smsCallbackViolations,
  ussdCallbackViolations,
} from './party-forms.test.support.ts'

const phone = '+260971234567'
const forms = [
  phone,
  '00260971234567',
  '+260 97 123-4567',
  '+260 (0)97 123 4567',
  '＋260971234567',
  '+٢٦٠٩٧١٢٣٤٥٦٧',
  `\u202a${phone}\u202c`,
]
const operatorToken = 'operator-token-of-the-test-01'
const tokens = { ORACLE_OPERATOR_TOKEN: operatorToken, USSD_OPERATOR_TOKEN: operatorToken }
const note = { operator: 'Mutale', reason: 'a test of forms' }

const oracle = async () => {
  const { app } = await testApp({
    plugins: bundledPlugins(),
    env: { ...everythingOn(temporaryFolder()), SMS_PROVIDER: 'embedded:', ...tokens },
  })
  onTestFinished(() => app.close())
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' }
  const call = async (path: string, json?: object) =>
    app.request(path, { headers, ...(json && { method: 'POST', body: JSON.stringify(json) }) })
  return { app, call }
}

test('each form of a phone number in bodies is the same person', async () => {
  const { call } = await oracle()
  await call('/sms/inbound/embedded', { id: 'first', from: phone, text: 'STOP' })
  const json = async (path: string, body: object) => (await call(path, body)).json()
  const known = await json('/operator/people/find', { address: phone })
  expect(known.people).toHaveLength(1)
  for (const form of forms) {
    expect([form, await json('/operator/people/find', { address: form })]).toEqual([form, known])
    expect([form, (await json('/sms/thread', { phone: form })).messages.at(-1).text]).toEqual([form, 'STOP'])
    const exported = await json('/api/ussd/customers/exports', { phoneNumber: form, ...note })
    expect([form, exported.did]).toEqual([form, known.did])
    const asked = await call('/api/ussd/customers/unlocks', { phoneNumber: form, ...note })
    expect([form, asked.status]).toEqual([form, 202])
    const rule = { metric: 'turns_per_minute', comparison: 'above', threshold: 1 }
    const alert = await json('/operator/alerts', { name: `rule ${form.length}`, ...rule, target: { sms: form } })
    expect([form, alert.target]).toEqual([form, { channel: 'sms', shown: '+260•••567' }])
  }
  for (const invalid of ['0971234567', '260971234567', '+0971234567']) {
    expect([invalid, await json('/operator/people/find', { address: invalid })]).toEqual([
      invalid,
      expect.not.objectContaining({ did: expect.anything() }),
    ])
    for (const kind of ['exports', 'erasures', 'unlocks', 'resets']) {
      const { status } = await call(`/api/ussd/customers/${kind}`, { phoneNumber: invalid, ...note })
      expect([kind, invalid, status]).toEqual([kind, invalid, 400])
    }
  }
  const erasure = await json('/api/ussd/customers/erasures', { phoneNumber: forms.at(-1), ...note })
  const { confirmation } = erasure
  const path = `/api/ussd/customers/erasures/${erasure.id}/confirm`
  expect((await call(path, { confirmation, operator: note.operator })).status).toBe(200)
})

test('a phone that stops SMS in one form gets none in any other', async () => {
  const { call } = await oracle()
  for (const [place, from] of [...forms, '260971234567', '260 97 1234567'].entries()) {
    const sent = await call('/sms/inbound/embedded', { id: `stop-${place}`, from, text: 'STOP' })
    expect([from, sent.status]).toEqual([from, 200])
    const { messages } = await (await call('/sms/thread', { phone })).json()
    expect([from, messages.filter(({ text }: { text: string }) => text === 'STOP').length]).toEqual([from, place + 1])
  }
})

test('the form of the interface alone dials; the ones that providers send are the same phone', async () => {
  const { app, call } = await oracle()
  for (const form of forms.slice(1)) {
    const dial = { sessionId: 's', serviceCode: '*1234#', phoneNumber: form, text: '' }
    const reply = await app.request('/api/ussd', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(dial),
    })
    expect([form, await reply.text()]).toEqual([form, 'END Invalid input. Please try again.'])
  }
  for (const { name, request } of phoneForms.slice(1)) {
    for (const [place, phoneNumber] of [...forms, '260971234567'].entries()) {
      const sessionId = `${name}-${place}`
      const { path, ...init } = request({ sessionId, phoneNumber, serviceCode: '*1234#', answers: [] })
      await app.request(path, init)
      const { debugInfo } = await (await call(`/api/ussd/debug/${sessionId}`)).json()
      expect([name, phoneNumber, debugInfo?.context.phoneNumber]).toEqual([name, phoneNumber, phone])
    }
  }
})

const generated = phoneNumberForms(20_261_129, 40)

test.each([
  ['a linked phone and the phone of a task', ownPhoneViolations],
  ['the callbacks of SMS providers', smsCallbackViolations],
  ['the callbacks of USSD providers', ussdCallbackViolations],
])('each of many forms of a number is one person or refused at %s', async (_, violationsOf) => {
  expect(await violationsOf(generated)).toEqual([])
})
