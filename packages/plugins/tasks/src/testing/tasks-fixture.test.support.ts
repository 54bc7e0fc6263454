import type { OracleApp } from '@sibyl/core'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { definePlugin, type Host, type OraclePlugin, provide, ToolFailure } from '@sibyl/plugin'
import { personNotices, type ServiceOf, userPreferences } from '@sibyl/protocol'
import { fakeClock } from '@sibyl/storage/testing'
import { type TestActor, testActor, testApp } from '@sibyl/testing'
import { expect, vi } from 'vitest'
import { tasks } from '../tasks.ts'

const minute = 60_000

/** What the channels of a test took in. */
export interface Sent {
  readonly to: string
  readonly text: string
  readonly idempotencyKey: string
}

/** An SMS channel that keeps what it takes in; a number that ends in 9 opted out after it was chosen. */
const smsPlugin = (sent: Sent[]): OraclePlugin => {
  const notices: ServiceOf<typeof personNotices.sms> = {
    async addressOf({ to = '+260971234567' }) {
      if (!/^\+\d{8,15}$/.test(to)) throw new ToolFailure('That is no phone number. Write it like +260971234567.')
      return { to, shown: `${to.slice(0, 6)}•••${to.slice(-4)}` }
    },
    async send(notice) {
      if (notice.to.endsWith('9')) throw new ToolFailure('This number wants no messages.')
      if (!sent.some(({ idempotencyKey }) => idempotencyKey === notice.idempotencyKey)) sent.push(notice)
    },
  }
  return definePlugin({
    name: 'sms',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'SMS', summary: 'Keeps notices.', whenToUse: ['a test does'] },
    setup: () => ({ services: [provide(personNotices.sms, notices)] }),
  })
}

/** Everybody lives in Lusaka. */
const preferencesPlugin = (): OraclePlugin =>
  definePlugin({
    name: 'user-preferences',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Preferences', summary: 'Knows time zones.', whenToUse: ['a test does'] },
    setup: () => ({
      services: [provide(userPreferences, { get: async () => ({ timeZone: 'Africa/Lusaka' }), set: async () => {} })],
    }),
  })

/** Looks after people's records. */
const peoplePlugin = (seen: { people?: Host['people'] }): OraclePlugin =>
  definePlugin({
    name: 'reader',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Reader', summary: 'Reads records.', whenToUse: ['a test does'] },
    setup({ people }) {
      seen.people = people
      return {}
    },
  })

type Options = Omit<Parameters<typeof testApp>[0], 'clock'>

/** Where an oracle lives on after its end. */
export const home = () => ({
  clock: fakeClock(Date.parse('2026-11-22T12:00:00Z')),
  key: createSigningKey(),
  mnemonic: createMnemonic(12).reveal(),
})

/** A run as the routes tell it. */
export interface ReportedRun {
  readonly state: string
  readonly late: boolean
  readonly dueAt: string
  readonly attempts: number
  readonly text: string
  readonly code?: string
  readonly sent: readonly { readonly to: string; readonly fault?: string }[]
}

/** An oracle with tasks, a person, and a clock that a test moves. */
export const tasksFixture = async (
  { plugins = [], env, ...options }: Partial<Options> = {},
  { clock, key, mnemonic }: ReturnType<typeof home> = home(),
) => {
  const sent: Sent[] = []
  const seen: { people?: Host['people'] } = {}
  const { app }: { readonly app: OracleApp } = await testApp({
    plugins: [tasks(), smsPlugin(sent), preferencesPlugin(), peoplePlugin(seen), ...plugins],
    clock,
    env: { ORACLE_MNEMONIC: mnemonic, ...env },
    ...options,
  })
  const actor = testActor(app, () => clock.now(), key)
  const json = async (path: string, as: TestActor = actor) => (await as.request(path)).json()
  const runs = async (id: string): Promise<readonly ReportedRun[]> => (await json(`/tasks/${id}/runs`)).runs
  return {
    app,
    actor,
    clock,
    sent,
    people: () => seen.people!,
    json,
    runs,
    other: () => testActor(app, () => clock.now()),
    /** Creates a task over HTTP; gives its id. */
    create: async (input: object, as: TestActor = actor): Promise<string> => {
      const answer = await as.request('/tasks', { json: input })
      const body = await answer.json()
      expect([answer.status, body.detail]).toEqual([201, undefined])
      return body.id
    },
    /** Lets time pass, with one look of the jobs at its end. */
    pass: async (ms: number) => {
      clock.jump(ms - minute - 1)
      await clock.advance(minute + 1)
    },
    /** Waits until the latest run of a task is as wanted. */
    latest: (id: string, wanted: object) =>
      vi.waitFor(async () => expect((await runs(id))[0]).toMatchObject(wanted), { interval: 5, timeout: 60_000 }),
    /** The texts of a session. */
    told: async (session: string): Promise<readonly string[]> => {
      const answer = await actor.request(`/sessions/${session}`)
      if (answer.status === 404) return []
      const { messages } = (await answer.json()) as { messages: { role: string; parts: { text?: string }[] }[] }
      return messages.map(({ role, parts }) => `${role}: ${parts.map(part => part.text ?? '').join('')}`)
    },
    [Symbol.asyncDispose]: () => app.close(),
  }
}
