import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { bundledProviders } from '../providers/bundled-providers.ts'
import { ussd } from '../ussd.ts'
import type { PhoneCall, PhoneForm, PhoneRequest } from './phone-form.ts'
import { phoneForms, plainForm } from './phone-forms.ts'

const all = phoneForms.map(form => [form.name, form] as const)

const callOf = (form: PhoneForm, ...answers: string[]): PhoneCall => ({
  sessionId: `of-${form.name}`,
  phoneNumber: '+447700900001',
  serviceCode: '*1234#',
  answers,
})

const boot = () => testApp({ plugins: [ussd()], env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) } })

const sendTo = async (
  { app }: Awaited<ReturnType<typeof boot>>,
  { method, path, headers, body }: PhoneRequest,
): Promise<Response> => app.request(path, { method, headers, ...(body === undefined ? {} : { body }) })

test('every bundled provider has a form, with its title, its text and its limits', () => {
  const factsOf = ({
    name,
    title,
    textMode,
    limits,
  }: Pick<PhoneForm, 'name' | 'title' | 'limits'> & { textMode: string }) => ({
    ...{ name, title, textMode, limits },
  })
  expect(phoneForms.slice(1).map(factsOf)).toEqual(bundledProviders().map(factsOf))
})

test.each(all)('a phone dials, answers and exits in the form of %s', async (_, form) => {
  await using oracle = await boot()
  const shown: string[] = []
  for (const answers of [[], ['1'], ['1', '2'], ['1', '2', '*']]) {
    const response = await sendTo(oracle, form.request(callOf(form, ...answers)))
    const reply = form.read(await response.text())
    shown.push(`${reply?.kind} ${reply?.text.split('\n')[0]}`)
  }
  expect(shown).toEqual([
    expect.stringMatching(/^continue Welcome to /),
    'continue Know More',
    'continue This service has set no price. Your network may charge for the call.',
    'end Thank you. Goodbye.',
  ])
})

test.each(all.filter(([, form]) => form.end !== undefined))('%s reports that a call was released', async (_, form) => {
  await using oracle = await boot()
  await sendTo(oracle, form.request(callOf(form)))
  const active = async () => (await (await oracle.app.request('/api/ussd/sessions')).json()).count
  expect(await active()).toBe(1)
  const response = await sendTo(oracle, form.end!(callOf(form), 'release'))
  expect([response.status, await active()]).toEqual([200, 0])
})

test('the form of the specification sends the last answer alone, as USSD_TEXT_MODE=last expects it', () => {
  const form = plainForm('last')
  const textOf = (...answers: string[]) => JSON.parse(form.request(callOf(form, ...answers)).body ?? '').text
  expect([textOf(), textOf('1'), textOf('1', '2')]).toEqual(['', '1', '2'])
})

test.each(all)('%s reads no reply from other responses', (_, form) => {
  for (const body of ['', 'null', '[]', '{}', '<html>', '{"Message":1}', 'CONTINUE', '{"payload":null}', '{"']) {
    expect(form.read(body), body).toBeUndefined()
  }
})
