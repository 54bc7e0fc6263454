import { createSigningKey } from '@sibyl/identity'
import { definePlugin, type OraclePlugin, provide } from '@sibyl/plugin'
import { personNotices, type ServiceOf, smsSender, userPreferences } from '@sibyl/protocol'
import { fakeClock } from '@sibyl/storage/testing'
import { readStream, type TestApp, testActor, testApp } from '@sibyl/testing'
import { sms } from '../sms.ts'
import { callSecret } from './start-provider.test.support.ts'

/** The operator's token in tests. */
export const operatorToken = 'operator-token-of-the-tests-01'

/** What another plugin gets of this one. */
export interface SeenServices {
  sender?: ServiceOf<typeof smsSender>
  notices?: ServiceOf<typeof personNotices.sms>
  people?: { export(did: string): Promise<unknown>; erase(did: string): Promise<void> }
  didOf?: (phone: string) => string
}

/** A plugin that uses SMS. */
export const smsUser = (seen: SeenServices): OraclePlugin =>
  definePlugin({
    name: 'sms-user',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'User of SMS', summary: 'Sends SMS.', whenToUse: ['a test does'] },
    requires: ['sms'],
    setup({ service, people, identity }) {
      Object.assign(seen, {
        sender: service(smsSender),
        notices: service(personNotices.sms),
        people,
        didOf: (phone: string) => identity.pairwiseDid('ussd', phone),
      })
      return {}
    },
  })

/** Preferences that a test writes. */
export const preferencesOf = (
  known: Readonly<Record<string, Awaited<ReturnType<ServiceOf<typeof userPreferences>['get']>>>>,
) =>
  definePlugin({
    name: 'user-preferences',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Preferences', summary: 'Keeps preferences.', whenToUse: ['a test does'] },
    setup: () => ({
      services: [provide(userPreferences, { get: async did => known[did] ?? {}, set: async () => {} })],
    }),
  })

type Options = Partial<Parameters<typeof testApp>[0]>

/** An oracle with SMS, what other plugins get of it, and a clock that a test moves. */
export const smsFixture = async ({
  env,
  plugins = [],
  start,
  ...options
}: Options & { readonly start?: number } = {}) => {
  const seen: Required<SeenServices> = {} as Required<SeenServices>
  const clock = fakeClock(start)
  const key = createSigningKey()
  const oracle: TestApp = await testApp({
    plugins: [...plugins, sms(), smsUser(seen)],
    clock,
    env: { SMS_PROVIDER: 'embedded:', ORACLE_OPERATOR_TOKEN: operatorToken, ORACLE_CONTROLLERS: key.did, ...env },
    ...options,
  })
  const controller = testActor(oracle.app, () => clock.now(), key)
  const operator = (path: string, init: RequestInit = {}) =>
    oracle.app.request(path, {
      ...init,
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    })
  const outbox = async (query = ''): Promise<OutboxMessage[]> =>
    ((await (await operator(`/sms/outbox${query}`)).json()) as { messages: OutboxMessage[] }).messages
  return {
    oracle,
    clock,
    /** Somebody whom the operator named in `ORACLE_CONTROLLERS`. */
    controller,
    /** What the controller says, and the answer to it. */
    chat: async (message: string, session: string) =>
      readStream(await controller.request('/chat', { json: { id: session, message } })),
    seen,
    operator,
    outbox,
    /** The states of what goes out, the newest first. */
    states: async () => (await outbox()).map(({ state }) => state),
    /** A phone writes, a second later, without a provider. */
    write: async (from: string, text: string, id: string = crypto.randomUUID()) => {
      clock.jump(1_000)
      return operator('/sms/inbound/embedded', { method: 'POST', body: JSON.stringify({ from, text, id }) })
    },
    /** A call of Africa's Talking's. */
    form: (path: string, fields: Record<string, string>, secret = callSecret) =>
      oracle.app.request(`${path}?secret=${secret}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
}

/** A message as `GET /sms/outbox` has it. */
export interface OutboxMessage {
  readonly id: string
  readonly to: string
  readonly purpose: string
  readonly text?: string
  readonly state: string
  readonly reason?: string
  readonly advice?: string
  readonly attempts: number
  readonly cost?: string
  readonly heldUntil?: string
}
