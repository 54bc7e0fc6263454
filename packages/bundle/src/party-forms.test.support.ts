import { hash } from 'node:crypto'
import { createSigningKey } from '@sibyl/identity'
import { phoneForms } from '@sibyl/plugin-ussd/phone'
import { delegatedActor, testActor, testApp } from '@sibyl/testing'
import { everythingOn, unreachable } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'
import { bundledPlugins } from './bundled-plugins.ts'

const operatorToken = 'operator-token-of-the-test-01'
const secret = 'secret-of-the-provider-0123456789'

/** The phone whose forms are tried. */
export const spelledPhone = '+260971234567'

const zeros = ['0', '０', '٠', '۰', '०', '০', '၀']
const separators = ['', '', ' ', '-', '.', '/', '\u00a0', '\u202f', '\u2011', '\u2013', '\u200b', '\u2060']
const wrappers = [
  ['', ''],
  ['\u202a', '\u202c'],
  ['\u2068', '\u2069'],
  [' ', ' '],
  ['\ufeff', ''],
] as const

/**
 * Returns forms of the phone: digits of many scripts, separators that people and programs write, and marks that no one sees.
 * The same seed gives the same ones.
 */
export const phoneNumberForms = (seed: number, count: number): readonly string[] => {
  let drawn = 0
  const pick = <Item>(items: readonly Item[]): Item => {
    drawn += 1
    return items[hash('sha256', `${seed} ${drawn}`, 'buffer').readUInt32BE() % items.length]!
  }
  return Array.from({ length: count }, () => {
    const zero = pick(zeros).codePointAt(0)!
    const digits = (text: string) => [...text].map(digit => String.fromCodePoint(zero + Number(digit))).join('')
    const [before, after] = pick(wrappers)
    const start = pick([pick(['+', '＋', '﹢']), digits('00')]) + pick(['', '', '\u200e'])
    const trunk = pick(['', '', `${pick(separators)}(${digits('0')})`])
    const groups = pick([['971234567'], ['97', '1234567'], ['97', '123', '4567'], ['9', '71', '23', '45', '67']])
    const rest = groups.map(group => pick(separators) + digits(group)).join('')
    return `${before}${start}${digits('260')}${trunk}${rest}${after}`
  })
}

type App = Awaited<ReturnType<typeof testApp>>['app']

const asOperator = (app: App) => async (path: string, json?: object) =>
  app.request(path, {
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    ...(json && { method: 'POST', body: JSON.stringify(json) }),
  })

/** Callbacks of SMS providers: the settings, and the request in which a phone sends a text. */
const smsCallbacks: Readonly<
  Record<string, { readonly env: Record<string, string>; request(from: string, id: string): [string, RequestInit] }>
> = {
  kannel: {
    env: { KANNEL_BASE_URL: unreachable, KANNEL_USERNAME: 'sibyl', KANNEL_PASSWORD: 'kannel-password' },
    request: (from, id) => [
      `/sms/inbound/kannel?${new URLSearchParams({ secret, id, from, text: 'STOP', charset: 'UTF-8' })}`,
      {},
    ],
  },
  infobip: {
    env: { INFOBIP_BASE_URL: unreachable, INFOBIP_API_KEY: 'ib-key-0123456789', SMS_FROM: 'Sibyl' },
    request: (from, id) => [
      `/sms/inbound/infobip?secret=${secret}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ results: [{ messageId: id, from, text: 'STOP' }] }),
      },
    ],
  },
  africastalking: {
    env: { AFRICASTALKING_USERNAME: 'field', AFRICASTALKING_API_KEY: 'at-key-0123456789', SMS_FROM: '20880' },
    request: (from, id) => [
      `/sms/inbound/africastalking?secret=${secret}`,
      { method: 'POST', body: new URLSearchParams({ from, id, text: 'STOP', date: '2026-11-29 10:00:00' }) },
    ],
  },
}

/** Tries at most 40 forms, which a thread shows on one page, at the callbacks of each SMS provider. Returns those that another person, or no one, sent. */
export const smsCallbackViolations = async (forms: readonly string[]): Promise<string[]> => {
  const violations: string[] = []
  for (const [name, { env, request }] of Object.entries(smsCallbacks)) {
    await using oracle = await testApp({
      plugins: bundledPlugins().filter(plugin => plugin.name === 'sms'),
      env: { ...env, SMS_PROVIDER: name, SMS_INBOUND_SECRET: secret, ORACLE_OPERATOR_TOKEN: operatorToken },
    })
    let known = 0
    for (const [place, from] of forms.entries()) {
      const [path, init] = request(from, `message-${place}`)
      const { status } = await oracle.app.request(path, init)
      const { messages } = await (await asOperator(oracle.app)('/sms/thread', { phone: spelledPhone })).json()
      const received = messages.filter(({ text }: { text: string }) => text === 'STOP').length
      const isRefused = status >= 400 && received === known
      if (!isRefused && (status !== 200 || received !== known + 1))
        violations.push(`${name} ${JSON.stringify(from)} ${status}`)
      known = received
    }
  }
  return violations
}

/** Tries forms at the callbacks of each USSD provider. Returns those that another person dialed. */
export const ussdCallbackViolations = async (forms: readonly string[]): Promise<string[]> => {
  await using oracle = await testApp({
    plugins: bundledPlugins().filter(plugin => plugin.name === 'ussd'),
    env: { USSD_OPERATOR_TOKEN: operatorToken, ORACLE_OPERATOR_TOKEN: operatorToken },
  })
  const violations: string[] = []
  for (const { name, request } of phoneForms.slice(1)) {
    for (const [place, phoneNumber] of forms.entries()) {
      const sessionId = `${name}-${place}`
      const { path, ...init } = request({ sessionId, phoneNumber, serviceCode: '*1234#', answers: [] })
      await oracle.app.request(path, init)
      const { debugInfo } = await (await asOperator(oracle.app)(`/api/ussd/debug/${sessionId}`)).json()
      const found = debugInfo?.context.phoneNumber
      if (found !== undefined && found !== spelledPhone)
        violations.push(`${name} ${JSON.stringify(phoneNumber)} ${found}`)
    }
  }
  return violations
}

/** Links the phone, and tries its forms where a person names a phone. Returns those that are not that phone. */
export const ownPhoneViolations = async (forms: readonly string[]): Promise<string[]> => {
  const key = createSigningKey()
  await using oracle = await testApp({
    plugins: bundledPlugins().filter(({ name }) => ['sms', 'tasks'].includes(name)),
    env: { SMS_PROVIDER: 'embedded:', ORACLE_OPERATOR_TOKEN: operatorToken, ORACLE_CONTROLLERS: key.did },
  })
  const person = testActor(oracle.app, Date.now, key)
  const code = async () => {
    const { messages } = await (await asOperator(oracle.app)('/sms/outbox')).json()
    return /\d{6}/.exec(messages[0]?.text ?? '')?.[0]
  }
  const first = forms[0]!
  await person.request('/sms/phones', { json: { to: first } })
  await person.request('/sms/phones/confirm', { json: { to: forms[1], code: await code() } })
  const planned = async (to: string) => {
    const task = { what: 'Water', remind: true, when: { inMinutes: 60 }, deliver: { sms: to } }
    const response = await person.request('/tasks/preview', { json: task })
    return { status: response.status, to: (await response.json()).deliver?.[0]?.to }
  }
  const shown = (await planned(spelledPhone)).to
  const violations: string[] = []
  for (const to of forms) {
    const named = JSON.stringify(to)
    const asked = await person.request('/sms/phones', { json: { to } })
    const { linked } = await asked.json()
    if (asked.status !== 400 && linked !== true) violations.push(`/sms/phones ${named} ${asked.status}`)
    const plan = await planned(to)
    if (plan.status !== 400 && plan.to !== shown) violations.push(`/tasks/preview ${named} ${plan.status}`)
  }
  const { phones } = await (await person.request('/sms/phones')).json()
  if (phones.length !== 1) violations.push(`${phones.length} phones are linked`)
  return violations
}

const publicUrl = 'http://farm.example:4810'

/** The DID of an oracle, and forms of it that URLs allow. */
export const spelledDid = 'did:web:farm.example%3A4810'
export const didForms = ['%3A4810', '%3a4810', ':4810'].flatMap(port =>
  ['farm.example', 'FARM.example', 'farm.example.', '%66arm.example'].map(host => `did:web:${host}${port}`),
)

/** An oracle with all plugins at that DID, and an operator to whom a controller delegated. */
export const spelledOracle = async (folder: string, url = publicUrl, env: Readonly<Record<string, string>> = {}) => {
  const controller = createSigningKey()
  const { app } = await testApp({
    plugins: bundledPlugins(),
    adapters: bundledAdapters(),
    env: {
      ...everythingOn(folder),
      PUBLIC_URL: url,
      ORACLE_ACCESS: 'delegated',
      ORACLE_CONTROLLERS: controller.did,
      ...env,
    },
  })
  return { app, operator: await delegatedActor(app, { key: controller }, { abilities: ['operator/*', '*'] }) }
}

/** Tries the forms of the oracle's DID where an operator names a person. Returns those that are taken for another party. */
export const didViolations = async ({ operator }: Pick<Awaited<ReturnType<typeof spelledOracle>>, 'operator'>) => {
  const violations: string[] = []
  for (const did of didForms) {
    for (const [path, json] of [
      ['/api-keys?as=operator', { name: 'x', did }],
      ['/oauth/codes', { did, scopes: ['chat/send'] }],
      ['/credits/grants', { did, amount: '1', reason: 'test' }],
    ] as const) {
      const { status } = await operator.request(path, { json })
      const expected = did !== spelledDid ? 400 : path === '/credits/grants' ? 201 : 403
      if (status !== expected) violations.push(`${path} ${did} ${status}`)
    }
  }
  return violations
}
