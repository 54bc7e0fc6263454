import { phoneChannel, phoneTextLength } from '@sibyl/plugin/phones'
import { scriptedModel } from '@sibyl/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledLanguages } from '../languages/bundled-languages.ts'
import type { DefaultTexts } from '../languages/language.ts'
import { type FlowCall, type FlowFixture, openFlowFixture } from './flow-fixture.test.helper.ts'

/** An answer, the screen it leads to, and texts of that screen. */
type Step = readonly [answer: string, screen: string, words?: keyof DefaultTexts]

describe.each(bundledLanguages.map(language => [language.name, language] as const))('in %s', (_, { code, texts }) => {
  let fixture: FlowFixture
  const seen = new Set<string>()
  beforeAll(async () => {
    const model = scriptedModel(['It rains.'])
    fixture = await openFlowFixture({ offers: ['sms', 'claims', 'user-preferences'], model })
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const walk = async (call: FlowCall, ...steps: readonly Step[]): Promise<FlowCall> => {
    for (const [answer, screen, words] of steps) {
      const text = await call.answer(answer)
      seen.add(call.state.screen)
      expect(call.state.screen, text).toBe(screen)
      for (const piece of words === undefined ? [] : texts[words].split(/\{\w+\}/)) expect(text).toContain(piece)
      expect(phoneTextLength(text), text).toMatchObject({ encoding: 'gsm7' })
    }
    return call
  }
  const dial = (phoneNumber?: string): FlowCall => {
    const call = fixture.call(phoneNumber, code)
    seen.add(call.state.screen)
    return call
  }
  const customerIdIn = (text: string): string => /\d{9}/.exec(text)?.[0] ?? ''

  const account = async (phoneNumber: string): Promise<{ readonly id: string; readonly call: FlowCall }> => {
    const call = await walk(
      dial(phoneNumber),
      ['2', 'accountMenu', 'accountMenu'],
      ['2', 'enterName', 'enterName'],
      ["Ng'andwe *Mwila*", 'enterEmail', 'enterEmail'],
      ['chanda@example.org', 'choosePin', 'choosePin'],
      ['8305', 'repeatPin', 'repeatPin'],
      ['8305', 'accountCreated', 'accountCreated'],
    )
    return { id: customerIdIn(call.text), call }
  }

  test('a caller reads about the service', async () => {
    const call = dial()
    expect(call.text).toContain(texts.welcome.replace('{oracle}', 'Oracle'))
    await walk(
      call,
      ['1', 'knowMore', 'knowMore'],
      ['1', 'about'],
      ['0', 'knowMore', 'about'],
      ['2', 'pricing', 'noPriceText'],
      ['0', 'knowMore', 'pricing'],
      ['3', 'delivery', 'deliveryText'],
      ['0', 'knowMore', 'delivery'],
      ['0', 'preMenu'],
      ['*', 'preMenu'],
    )
    expect(call.ended).toBe(true)
  })

  test('a caller creates an account, with corrections of invalid answers', async () => {
    const { id, call } = await account('+260970000001')
    expect(id).toMatch(/^\d{9}$/)
    expect(call.state.customerId).toBe(id)
    await walk(call, ['1', 'myAccount', 'myAccount'], ['0', 'preMenu'], ['2', 'myAccount'])
    await walk(
      dial('+260970000002'),
      ['2', 'accountMenu'],
      ['2', 'enterName'],
      ['1', 'enterName', 'nameForm'],
      ['Chanda', 'enterEmail'],
      ['chanda@', 'enterEmail', 'emailForm'],
      ['1', 'choosePin'],
      ['12', 'choosePin', 'pinForm'],
      ['1234', 'choosePin', 'pinWeak'],
      ['8305', 'repeatPin'],
      ['8306', 'repeatPin', 'pinsDiffer'],
      ['0', 'choosePin', 'choosePin'],
      ['8305', 'repeatPin'],
      ['8305', 'accountCreated'],
    )
  })

  test('a customer signs in from another phone, reads the profile and signs out', async () => {
    const { id } = await account('+260970000003')
    const call = await walk(
      dial('+260970000004'),
      ['2', 'accountMenu', 'logIn'],
      ['1', 'enterCustomerId', 'enterCustomerId'],
      ['12', 'enterCustomerId', 'customerIdForm'],
      [`${id.slice(0, 3)} ${id.slice(3)}`, 'enterPin', 'enterPin'],
      ['1', 'enterPin', 'pinForm'],
      ['8305', 'myAccount', 'myAccount'],
      ['4', 'profile', 'profileText'],
    )
    for (const piece of [id, "Ng'andwe *Mwila*", '+260970000003', 'chanda@example.org']) {
      expect(call.text).toContain(piece)
    }
    await walk(call, ['0', 'myAccount', 'profile'], ['7', 'loggedOut', 'loggedOut'])
    expect(call.state).toMatchObject({ values: {}, secrets: {} })
    expect(call.state.customerId).toBeUndefined()
    await walk(call, ['1', 'preMenu'], ['2', 'accountMenu'])
  })

  test('a wrong PIN and an unknown customer get the same text, and five wrong ones lock', async () => {
    const { id } = await account('+260970000005')
    const tries = async (phoneNumber: string, customerId: string) => {
      const call = await walk(
        dial(phoneNumber),
        ['2', 'accountMenu'],
        ['1', 'enterCustomerId'],
        [customerId, 'enterPin'],
        ['0174', 'wrongLogin', 'wrongLogin'],
      )
      const shown = call.text
      for (let attempt = 2; attempt < 5; attempt += 1) {
        await walk(call, ['1', 'enterCustomerId'], [customerId, 'enterPin'], ['0174', 'wrongLogin'])
      }
      await walk(call, ['1', 'enterCustomerId'], [customerId, 'enterPin'], ['0174', 'lockedOut', 'locked'])
      await walk(call, ['1', 'forgotPin', 'enterIdForReset'])
      return [shown, call.text]
    }
    expect(await tries('+260970000006', id)).toEqual(await tries('+260970000007', '100000009'))
    const locked = await walk(
      dial('+260970000008'),
      ['2', 'accountMenu'],
      ['1', 'enterCustomerId'],
      [id, 'enterPin'],
      ['8305', 'lockedOut', 'locked'],
    )
    expect(locked.text).toMatch(/\b15\b/)
  })

  test('a forgotten PIN is changed after a code by SMS', async () => {
    const { id } = await account('+260970000009')
    const call = await walk(
      dial('+260970000010'),
      ['2', 'accountMenu'],
      ['1', 'enterCustomerId'],
      [id, 'enterPin'],
      ['0174', 'wrongLogin', 'forgotPin'],
      ['2', 'forgotPin', 'enterIdForReset'],
      ['7', 'forgotPin', 'customerIdForm'],
      [id, 'enterCode', 'enterCode'],
      ['abc', 'enterCode', 'codeForm'],
    )
    await expect.poll(() => fixture.sent.some(({ to }) => to === '+260970000009')).toBe(true)
    const sms = fixture.sent.findLast(({ to }) => to === '+260970000009')
    const sentCode = /\d{6}/.exec(sms?.text ?? '')?.[0] ?? ''
    const wrongCode = String((Number(sentCode) + 1) % 1_000_000).padStart(6, '0')
    await walk(
      call,
      [wrongCode, 'wrongCode', 'wrongCode'],
      ['1', 'enterCode'],
      [sentCode, 'chooseNewPin', 'choosePin'],
      ['8305', 'repeatNewPin', 'repeatPin'],
      ['8305', 'pinRefused', 'pinRefused'],
      ['1', 'chooseNewPin'],
      ['0174', 'repeatNewPin'],
      ['0174', 'pinChanged', 'pinChanged'],
      ['1', 'myAccount'],
    )
    expect(call.state.customerId).toBe(id)
  })

  test('a customer changes the PIN, after the old one', async () => {
    const { call } = await account('+260970000011')
    await walk(
      call,
      ['1', 'myAccount', 'changePin'],
      ['6', 'enterOldPin', 'enterOldPin'],
      ['0174', 'wrongPin', 'wrongPin'],
      ['1', 'enterOldPin'],
      ['8305', 'chooseNewPin'],
      ['0174', 'repeatNewPin'],
      ['0174', 'pinChanged'],
      ['1', 'myAccount'],
    )
  })

  test('a PIN that was changed elsewhere meanwhile cannot be changed with the old one', async () => {
    const { id, call } = await account('+260970000014')
    await walk(call, ['1', 'myAccount'], ['6', 'enterOldPin'], ['8305', 'chooseNewPin'])
    const elsewhere = await fixture.services.customers.changePin(id, '047193')
    await fixture.services.host.storage.write(elsewhere.write)
    await walk(call, ['0174', 'repeatNewPin'], ['0174', 'signInAgain', 'signInAgain'])
    expect(call.state.customerId).toBeUndefined()
    const login = { customerId: id, phoneNumber: '+260970000014' }
    expect(await fixture.services.customers.checkPin({ ...login, pin: '0174' })).toEqual({ kind: 'wrong' })
  })

  test('a PIN that the operator reset must be changed first', async () => {
    const { id, call: first } = await account('+260970000012')
    expect(first.ended).toBe(false)
    await fixture.services.host.storage.write(tx =>
      tx
        .updateTable('ussd_customers')
        .set({ pin_until: Date.now() + 60_000 })
        .where('id', '=', id)
        .execute(),
    )
    const call = await walk(
      dial('+260970000012'),
      ['2', 'accountMenu'],
      ['1', 'enterCustomerId'],
      [id, 'enterPin'],
      ['8305', 'choosePinAnew', 'pinWasReset'],
    )
    expect(call.state.customerId).toBeUndefined()
    await walk(call, ['0', 'preMenu'], ['2', 'accountMenu', 'logIn'])
  })

  test('a caller asks the oracle, and reads the answer again', async () => {
    const { call } = await account('+260970000013')
    await walk(
      call,
      ['1', 'myAccount', 'ask'],
      ['2', 'noLastAnswer', 'noLastAnswer'],
      ['0', 'myAccount'],
      ['1', 'enterQuestion', 'enterQuestion'],
      ['?', 'enterQuestion', 'questionForm'],
      ['Does it rain?', 'answer'],
    )
    expect(call.text).toMatch(/^It rains\.\n/)
    await walk(call, ['0', 'myAccount', 'lastAnswer'], ['2', 'lastAnswerText'])
    expect(call.text).toMatch(/^"Does it rain\?"\nIt rains\.\n/)
    await walk(call, ['0', 'myAccount'], ['1', 'enterQuestion'], ['And now?', 'answerFailed', 'answerFailed'])
  })

  test('a customer reports an activity as a claim', async () => {
    const { call } = await account('+260970000014')
    await walk(
      call,
      ['1', 'myAccount', 'report'],
      ['3', 'enterReport', 'enterReport'],
      ['ab', 'enterReport', 'reportForm'],
      ['Delivered 5 stoves', 'confirmReport', 'confirmReport'],
      ['2', 'myAccount'],
      ['3', 'enterReport'],
      ['Delivered 6 stoves', 'confirmReport'],
      ['1', 'reportSent', 'reportSent'],
    )
    expect(call.text).toContain(`claim-${fixture.claimed.length}`)
    expect(fixture.claimed.at(-1)).toMatchObject({
      actor: fixture.services.host.identity.pairwiseDid(phoneChannel, '+260970000014'),
      type: 'activity',
      summary: 'Delivered 6 stoves',
    })
    expect(fixture.sent.at(-1)).toMatchObject({
      to: '+260970000014',
      text: expect.stringContaining(`: claim-${fixture.claimed.length}. `),
    })
    await walk(call, ['0', 'myAccount'])
  })

  test('a caller chooses a language, which the phone and the user keep', async () => {
    const phoneNumber = '+260970000015'
    const { call } = await account(phoneNumber)
    const index = bundledLanguages.findIndex(one => one.code === code) + 1
    await walk(
      call,
      ['1', 'myAccount', 'language'],
      ['5', 'chooseLanguage', 'chooseLanguage'],
      [String(index), 'languageSet', 'languageSet'],
      ['1', 'myAccount', 'myAccount'],
    )
    expect(await fixture.services.phones.language(phoneNumber)).toBe(code)
    expect([...fixture.preferred.values()]).toContainEqual({ language: code })
    await walk(
      dial(phoneNumber),
      ['2', 'accountMenu'],
      ['3', 'chooseLanguage'],
      [String(index), 'languageSet', 'languageSet'],
      ['1', 'accountMenu', 'accountMenu'],
    )
  })

  test('signs out of an erased account', async () => {
    const { id, call } = await account('+260970000016')
    await fixture.services.host.storage.write(tx => tx.deleteFrom('ussd_customers').where('id', '=', id).execute())
    await walk(call, ['1', 'myAccount'], ['4', 'signInAgain', 'signInAgain'], ['0', 'accountMenu'])
    expect(call.state.customerId).toBeUndefined()
  })

  test('every screen was seen, except those about missing services', () => {
    const shown = Object.entries(fixture.flow.screens).flatMap(([name, { kind }]) => (kind === 'action' ? [] : [name]))
    expect(shown.filter(name => !seen.has(name)).toSorted()).toEqual([
      'answerActed',
      'answerInterrupted',
      'askOperator',
      'creditUsedUp',
      'oracleBusy',
      'oracleNotSetUp',
      'oracleUnavailable',
      'oracleUsedUp',
      'reportUnavailable',
    ])
  })
})
