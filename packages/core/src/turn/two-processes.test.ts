import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { Clock } from '@sibyl/plugin'
import type { Turns } from '@sibyl/plugin/host'
import { recordedLogger } from '@sibyl/plugin/testing'
import { sharePostgres } from '@sibyl/storage/testing'
import {
  readStream,
  type ScriptedStep,
  scriptedModel,
  streamReader,
  type TestActor,
  testActor,
  testApp,
} from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { codeOf, pay, questionsOf } from '../testing/approval-questions.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { till } from '../testing/till.ts'

const postgres = await sharePostgres()
/** One oracle, whose two processes each test starts again for a user of its own. */
const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', ORACLE_MNEMONIC: createMnemonic(12).reveal() }

afterAll(() => postgres?.stop())

const never = new Promise<never>(() => {})

/** Starts two oracles on one database, with one user of both. */
const pair = async (one: readonly ScriptedStep[], two: readonly ScriptedStep[] = []) => {
  const key = createSigningKey()
  const boot = async (steps: readonly ScriptedStep[]) => {
    const { parts, payments } = till()
    const model = scriptedModel(steps)
    const ready = Promise.withResolvers<Turns>()
    const later = samplePlugin('later', {
      setup: host => {
        ready.resolve(host.turns)
        return {}
      },
    })
    const oracle = await testApp({ plugins: [officePlugin(parts), later], model, env })
    return { oracle, payments, model, turns: await ready.promise, actor: testActor(oracle.app, Date.now, key) }
  }
  const apps = [await boot(one), await boot(two)] as const
  return {
    one: apps[0],
    two: apps[1],
    [Symbol.asyncDispose]: async () => {
      await Promise.all(apps.map(({ oracle }) => oracle.app.close()))
    },
  }
}

const sendText = (actor: TestActor, text: string, id = text) =>
  actor.request('/chat', { json: { id: 's1', message: { id, role: 'user', parts: [{ type: 'text', text }] } } })

describe.skipIf(postgres === undefined)('two processes on one PostgreSQL', () => {
  test('a process whose clock is behind reports it, and plugins have the time of the database', async () => {
    const ready = Promise.withResolvers<Clock>()
    const reading = samplePlugin('reading', {
      setup: ({ clock }) => {
        ready.resolve(clock)
        return {}
      },
    })
    const log = recordedLogger()
    const clock = { now: () => Date.now() - 300_000 }
    const oracle = await testApp({ plugins: [reading], model: scriptedModel([]), env, clock, logger: log })
    const actor = testActor(oracle.app)
    expect((await sendText(actor, 'hi')).status).toBe(401)
    const health = await actor.request('/health')
    expect([health.status, (await health.json()).clock]).toEqual([
      503,
      expect.stringMatching(/ (299|300|301) s behind /),
    ])
    expect(JSON.stringify(log.lines)).toContain('differs from that of the database')
    expect(Math.abs((await ready.promise).now() - Date.now())).toBeLessThan(60_000)
    await oracle.app.close()
  })

  test('a turn of one is followed on the other, from the start and from any event', async () => {
    const gate = Promise.withResolvers<void>()
    await using app = await pair([['one ', { wait: gate.promise }, 'two']])
    const first = await streamReader(sendText(app.one.actor, 'hi'))
    const { eventId } = await first.until('text-delta')
    const whole = await streamReader(app.two.actor.request('/chat/s1/stream'))
    const rest = await streamReader(app.two.actor.request('/chat/s1/stream', { headers: { 'last-event-id': eventId } }))
    await whole.until('text-delta')
    gate.resolve()
    const all = await first.rest()
    expect((await whole.rest()).events).toEqual(all.events)
    const after = all.events.findIndex(event => event.eventId === eventId) + 1
    expect((await rest.rest()).events).toEqual(all.events.slice(after))
    const late = await readStream(
      await app.two.actor.request('/chat/s1/stream', { headers: { 'last-event-id': eventId } }),
    )
    expect(late.events).toEqual(all.events.slice(after))
  })

  test('a post of the other waits for the end of a turn, and is stored once per key', async () => {
    const gate = Promise.withResolvers<void>()
    await using app = await pair([['one', { wait: gate.promise }]])
    const reader = await streamReader(sendText(app.one.actor, 'hi'))
    await reader.until('text-delta')
    const news = { did: app.one.actor.did, session: 's1', text: 'news', dedupeKey: 'run/1' }
    const posting = Promise.all([app.two, app.one, app.two].map(({ turns }) => turns.post(news)))
    await app.two.turns.post({ ...news, session: 's2' })
    gate.resolve()
    await Promise.all([reader.rest(), posting])
    const [, reported] = (await app.two.turns.transcripts(news.did)).toSorted(
      (a, b) => a.messages.length - b.messages.length,
    )
    expect(reported?.messages.map(({ text }) => text)).toEqual(['hi', 'one', 'news'])
    const rolesAfter = async (id: string) => {
      const { messages } = await (await app.two.actor.request(`/sessions/s1?after=${id}`)).json()
      return messages.map(({ role }: { role: string }) => role)
    }
    expect([await rolesAfter('hi'), await rolesAfter('nobody')]).toEqual([
      ['assistant', 'assistant'],
      ['user', 'assistant', 'assistant'],
    ])
  })

  test('stop on the other ends it with one abort', async () => {
    await using app = await pair([['one ', { wait: never }]])
    const reader = await streamReader(sendText(app.one.actor, 'hi'))
    await reader.until('text-delta')
    const stopped = await app.two.actor.request('/chat/s1/stop', { method: 'POST' })
    expect(await stopped.json()).toEqual({ stopped: true })
    const { last, done } = await reader.rest()
    expect([last?.type, done]).toEqual(['abort', true])
  })

  test('the same message to both, many times at once, is one turn', async () => {
    await using app = await pair(['hello'], ['hello'])
    const actors = [app.one.actor, app.two.actor]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => sendText(actors[index % 2]!, 'hi', 'm1').then(readStream)),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(app.one.model.calls.length + app.two.model.calls.length).toBe(1)
  })

  test('a session is busy for both while it has a reader on either', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const steps = ['one ', { wait: first.promise }, 'two ', { wait: second.promise }, 'three ', { wait: never }]
    await using app = await pair([steps, 'four'], ['five'])
    const reader = await streamReader(sendText(app.one.actor, 'hi'))
    await reader.until('text-delta')
    expect(await codeOf(await sendText(app.two.actor, 'there'))).toEqual([409, 'turn_running'])
    const elsewhere = await streamReader(app.two.actor.request('/chat/s1/stream'))
    const hears = (word: string) => elsewhere.until(({ delta }) => delta === word)
    await hears('one ')
    first.resolve()
    await hears('two ')
    second.resolve()
    await hears('three ')
    await reader.leave()
    expect(await codeOf(await sendText(app.one.actor, 'here'))).toEqual([409, 'turn_running'])
    await elsewhere.leave()
    const status = async () => (await sendText(app.two.actor, 'there', `there-${crypto.randomUUID()}`)).status
    await expect.poll(status, { interval: 300 }).toBe(200)
    const { messages } = await (await app.one.actor.request('/sessions/s1')).json()
    expect(messages[1]).toMatchObject({ role: 'assistant', metadata: { outcome: 'stopped' } })
  })

  test('a question of one is answered on the other, exactly once', async () => {
    await using app = await pair([pay(5), 'paid'], ['paid'])
    const [question] = questionsOf(await readStream(await sendText(app.one.actor, 'pay')))
    const path = `/chat/s1/approvals/${question?.approvalId}`
    const answers = await Promise.all(
      [app.two.actor, app.one.actor, app.two.actor, app.one.actor].map(actor =>
        actor.request(path, { json: { decision: 'once' } }).then(readStream),
      ),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.text).toBe('paid')
    expect(app.one.payments.length + app.two.payments.length).toBe(1)
  })

  test('a question can be answered on the other before its turn has ended', async () => {
    await using app = await pair([pay(5)], ['paid'])
    const reader = await streamReader(sendText(app.one.actor, 'pay'))
    const { approvalId } = await reader.until('tool-approval-request')
    const answer = await app.two.actor.request(`/chat/s1/approvals/${approvalId}`, { json: { decision: 'once' } })
    expect((await readStream(answer)).text).toBe('paid')
    expect(app.two.payments.length).toBe(1)
  })

  test('the other rejects a used invocation, and one of concurrent copies is accepted', async () => {
    await using app = await pair(['one', 'one'], ['two', 'two'])
    const token = await app.one.actor.token()
    const send = (actor: TestActor, target: typeof app.one) =>
      target.oracle.app.request('/chat', {
        method: 'POST',
        body: JSON.stringify({ id: `s-${actor.did.slice(-4)}`, message: 'hi' }),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(app.one.actor, index % 2 === 0 ? app.one : app.two)),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    expect(answers.filter(({ status }) => status === 401).length).toBe(19)
    for (const answer of answers) if (answer.status === 200) await readStream(answer)
  })

  test('a session continues on the other with all its messages and loaded capabilities', async () => {
    const load = { tool: 'load_capability', input: { names: ['desk'] } }
    await using app = await pair([load, 'first'], ['second'])
    await readStream(await sendText(app.one.actor, 'hi'))
    await readStream(await sendText(app.two.actor, 'and'))
    expect(JSON.stringify(app.two.model.calls[0]?.prompt)).toContain('first')
  })

  test('deleting a session on the other ends the turn and leaves nothing behind', async () => {
    await using app = await pair([['one ', { wait: never }]])
    const reader = await streamReader(sendText(app.one.actor, 'hi'))
    await reader.until('text-delta')
    expect((await app.two.actor.request('/sessions/s1', { method: 'DELETE' })).status).toBe(204)
    expect((await reader.rest()).last?.type).toBe('abort')
    expect(await (await app.one.actor.request('/sessions')).json()).toEqual({ sessions: [] })
  })

  test('NUL is accepted in a text, and removed from the output of a model', async () => {
    await using app = await pair([[{ tool: 'pay', input: { amount: 1 }, id: 'x\0' }], 'fi\0ne'])
    const answer = await readStream(await sendText(app.one.actor, 'a\0b', 'm1'))
    expect([answer.last?.type, questionsOf(answer).length]).toEqual(['finish', 1])
    expect((await readStream(await sendText(app.one.actor, 'on', 'm2'))).text).toBe('fine')
  })
})
