import { phoneChannel, phoneTextLength } from '@sibyl/plugin/phones'
import { scriptedModel } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { bundledLanguages } from '../languages/bundled-languages.ts'
import { type FlowCall, type FlowFixture, openFlowFixture } from './flow-fixture.test.helper.ts'

const never = new Promise<never>(() => {})

const lines = (text: string) => text.split('\n')

/** Creates an account and stops at its menu. */
const signedIn = async (fixture: FlowFixture): Promise<FlowCall> => {
  const call = fixture.call()
  await call.answer('2', '2', 'Chanda', '1', '8305', '8305', '1')
  return call
}

test('the first screens have the lines of the interface', async () => {
  await using fixture = await openFlowFixture({ config: { name: 'Field Oracle' } })
  const call = fixture.call()
  expect(lines(call.text)).toEqual(['Welcome to Field Oracle', '1. Know More', '2. Account Menu', '*. Exit'])
  expect(lines(await call.answer('1'))).toEqual([
    'Know More',
    '1. About this service',
    '2. Pricing',
    '3. Delivery',
    '0. Back',
    '*. Exit',
  ])
})

test('the operator sets the texts, with braces and in any language', async () => {
  const config = { name: 'Оракул {name} of a very, very long name', description: 'For {farmers}.', price: '1 credit' }
  await using fixture = await openFlowFixture({
    config,
    flow: { delivery: { en: 'On Tuesdays.', sw: 'Jumanne.' }, contact: '+260 211 123456' },
  })
  const call = fixture.call(undefined, 'sw')
  expect(lines(call.text)[0]).toBe('Karibu Оракул name of a very, very…')
  expect(phoneTextLength(call.text).length).toBeLessThanOrEqual(80)
  expect(lines(await call.answer('1', '1'))[0]).toBe('For farmers.')
  expect(lines(await call.answer('0', '2'))[0]).toBe('Bei: 1 credit. Mtandao wako unaweza kutoza ada ya simu.')
  expect(lines(await call.answer('0', '3'))[0]).toBe('Jumanne.')
  await call.answer('0', '0', '2', '1', '100000009', '0174', '2')
  expect(lines(call.text)[0]).toBe('Kuwekewa PIN upya, wasiliana na: +260 211 123456')
})

test('a language is one file of texts', async () => {
  const [english] = bundledLanguages
  const nyanja = {
    ...english,
    code: 'ny',
    name: 'Nyanja',
    texts: { ...english.texts, welcome: 'Takulandirani {oracle}' },
  }
  await using fixture = await openFlowFixture({ flow: { languages: [...bundledLanguages, nyanja] } })
  expect(lines(fixture.call(undefined, 'ny').text)[0]).toBe('Takulandirani Oracle')
  const call = fixture.call()
  expect(await call.answer('2', '3')).toContain('4. Nyanja')
  expect(await call.answer('4', '0')).toContain('Takulandirani Oracle')
})

test('without other plugins their functions are not offered', async () => {
  await using fixture = await openFlowFixture({ model: scriptedModel(['Yes.']) })
  const call = await signedIn(fixture)
  expect(call.text).not.toContain('Report')
  const id = call.state.customerId ?? ''
  const other = fixture.call('+260977777777')
  expect(await other.answer('2', '1', id, '0174', '2')).toContain('Please ask the operator')
  expect(await call.answer('4', '2')).toContain('Lugha yako sasa ni Kiswahili.')
  expect(await fixture.services.phones.language('+260971234567')).toBe('sw')
})

test('the preferred language of the user applies after the sign-in', async () => {
  await using fixture = await openFlowFixture({ offers: ['user-preferences'] })
  const id = (await signedIn(fixture)).state.customerId ?? ''
  fixture.preferred.set(fixture.services.host.identity.pairwiseDid(phoneChannel, '+260971234567'), { language: 'fr' })
  const call = fixture.call()
  expect(await call.answer('2', '1', id, '8305')).toContain('Mon compte')
  expect(await fixture.services.phones.language('+260971234567')).toBe('fr')
})

test('unavailable preferences do not prevent the sign-in', async () => {
  await using fixture = await openFlowFixture({ offers: ['user-preferences'] })
  const id = (await signedIn(fixture)).state.customerId ?? ''
  fixture.preferred.get = () => {
    throw new Error('away')
  }
  const call = fixture.call()
  expect(await call.answer('2', '1', id, '8305')).toContain('My account')
  expect(await call.answer('4', '2')).toContain('Lugha yako sasa ni Kiswahili.')
  expect(await fixture.services.phones.language('+260971234567')).toBe('sw')
})

describe('an unanswered question has a reason', () => {
  const asked = async (options: Parameters<typeof openFlowFixture>[0]) => {
    await using fixture = await openFlowFixture(options)
    const call = await signedIn(fixture)
    await call.answer('1', 'Does it rain?')
    return call.state.screen
  }

  test('without a signing key', async () => {
    expect(await asked({ env: { ORACLE_MNEMONIC: '' } })).toBe('oracleNotSetUp')
  })

  test('without a model', async () => {
    expect(await asked({ env: { NODE_ENV: 'production' } })).toBe('oracleNotSetUp')
  })

  test('while the previous one is being answered', async () => {
    const model = scriptedModel([[{ wait: never }, 'Late.']])
    await using fixture = await openFlowFixture({ model })
    const call = await signedIn(fixture)
    const { customerId } = call.state
    const first = fixture.services.questions.ask({
      phoneNumber: '+260971234567',
      customerId,
      question: 'First?',
      idempotencyKey: 'first',
    })
    await expect.poll(() => model.calls.length).toBe(1)
    expect(await call.answer('1', 'Second?')).toContain('still on your last question')
    expect(await call.answer('0')).toContain('My account')
    await fixture[Symbol.asyncDispose]()
    expect(await first).toEqual({ kind: 'interrupted' })
  })
})

test('a claim is rejected without a signing key', async () => {
  await using fixture = await openFlowFixture({ offers: ['claims'], env: { ORACLE_MNEMONIC: '' } })
  const call = await signedIn(fixture)
  await call.answer('3', 'Delivered 5 stoves', '1')
  expect(call.state.screen).toBe('reportUnavailable')
  expect(fixture.claimed).toEqual([])
})

test('input typed ahead does not pass a PIN', async () => {
  await using fixture = await openFlowFixture()
  const id = (await signedIn(fixture)).state.customerId ?? ''
  const call = fixture.call('+260977777777')
  await call.answer(`2*1*${id}*8305`)
  expect(call.state).toMatchObject({ screen: 'enterCustomerId', secrets: {} })
  expect(call.state.customerId).toBeUndefined()
})
