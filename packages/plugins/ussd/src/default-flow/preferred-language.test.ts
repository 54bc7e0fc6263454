import type { OracleAppOptions } from '@sibyl/core'
import { definePlugin } from '@sibyl/plugin'
import { phoneChannel } from '@sibyl/plugin/phones'
import { userPreferences } from '@sibyl/plugin-user-preferences'
import { userPreferences as preferencesToken, type ServiceOf } from '@sibyl/protocol'
import { scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { sendUssd } from '../testing/send-ussd.ts'
import { ussd } from '../ussd.ts'

const phoneNumber = '+260971234567'

/** Boots an oracle with phones and preferences, and reads what is stored of the phone's user. */
const boot = async (options: Partial<OracleAppOptions> = {}) => {
  let kept: ServiceOf<typeof preferencesToken> | undefined
  let did = ''
  const styles = definePlugin({
    name: 'looks',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Looks', summary: 'Looks.', whenToUse: ['a test does'] },
    requires: ['user-preferences'],
    setup(host) {
      kept = host.service(preferencesToken)
      did = host.identity.pairwiseDid(phoneChannel, phoneNumber)
      return {}
    },
  })
  const env = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) }
  const oracle = await testApp({ plugins: [ussd(), userPreferences(), styles], ...options, env })
  const created = await (await sendUssd(oracle.app)).answer('2', '2', 'Chanda', '1', '8305', '8305')
  return { oracle, did, kept: kept!, id: /\d{9}/.exec(created.text)![0], account: await created.answer('1') }
}

test('a language requested in a question applies immediately, and from the dial on', async () => {
  const { oracle, did, kept, id, account } = await boot()
  await using _oracle = oracle
  expect(account.text).toContain('My account')
  const asked = await account.answer('1', 'Answer me in Kiswahili')
  expect(asked.text).toContain('You prefer: language Swahili.')
  expect(await kept.get(did)).toEqual({ language: 'sw' })
  expect((await asked.answer('0')).text).toContain('Akaunti yangu')
  expect((await sendUssd(oracle.app)).text).toContain('Karibu')

  await kept.set(did, { language: 'fr-CA' })
  expect((await (await sendUssd(oracle.app)).answer('2', '1', id, '8305')).text).toContain('Mon compte')
})

test('the model answers in the language chosen on the phone', async () => {
  const model = scriptedModel(['Ndiyo.'])
  const { oracle, did, kept, account } = await boot({ model })
  await using _oracle = oracle
  const chosen = await account.answer('4', '2', '1')
  expect(await kept.get(did)).toEqual({ language: 'sw' })
  expect((await chosen.answer('1', 'Mvua itanyesha?')).text).toContain('Ndiyo.')
  const texts = model.calls[0]!.prompt.flatMap(({ role, content }) => (role === 'user' ? content : []))
  expect(texts.map(part => (part.type === 'text' ? part.text : '')).join()).toContain('{"language":"Swahili"}')
})
