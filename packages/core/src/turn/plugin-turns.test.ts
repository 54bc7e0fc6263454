import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Actor, Host, StartedTurn, TurnRequest } from '@sibyl/plugin'
import type { Turns } from '@sibyl/plugin/host'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { till } from '../testing/till.ts'

const never = new Promise<never>(() => {})

const phone: Actor = { did: 'did:key:z6MkphoneUser', via: 'ussd', scopes: ['chat/send'] }

const oracleWith = async (steps: readonly ScriptedStep[], env: Readonly<Record<string, string>> = {}) => {
  const ready = Promise.withResolvers<Turns>()
  const channel = samplePlugin('channel', {
    setup: (host: Host) => {
      ready.resolve(host.turns)
      return {}
    },
  })
  const { parts, payments } = till()
  const model = scriptedModel(steps)
  const oracle = await testApp({ plugins: [channel, officePlugin(parts)], model, env })
  const turns = await ready.promise
  const run = async (request: Partial<TurnRequest> = {}) =>
    turns.run({
      actor: phone,
      session: 's1',
      text: 'hi',
      channel: 'ussd',
      whenBusy: 'queue',
      approvals: 'deny',
      ...request,
    })
  return { oracle, turns, run, payments, model, [Symbol.asyncDispose]: () => oracle.app.close() }
}

const started = (result: Awaited<ReturnType<Turns['run']>>): StartedTurn => {
  if ('refused' in result) throw new Error(`refused: ${result.refused.code}`)
  return result
}

const typesOf = async (turn: StartedTurn): Promise<string[]> => {
  const types: string[] = []
  for await (const { event } of turn.events) types.push(event.type)
  return types
}

describe('a turn started by a plugin', () => {
  test('returns its events and its end', async () => {
    await using app = await oracleWith(['hello there'])
    const turn = started(await app.run())
    const types = await typesOf(turn)
    expect([types[0], types.at(-1)]).toEqual(['start', 'finish'])
    expect(await turn.finished).toMatchObject({ turnId: turn.turnId, outcome: 'done', text: 'hello there' })
    expect((await turn.finished).usage.outputTokens).toBeGreaterThan(0)
  })

  test('may have a note of the oracle for this turn only', async () => {
    await using app = await oracleWith(['one', 'two'])
    await started(await app.run({ note: 'It is Monday.' })).finished
    await started(await app.run()).finished
    const notes = app.model.calls.map(({ prompt }) => JSON.stringify(prompt).includes('It is Monday.'))
    expect(notes).toEqual([true, false])
  })

  test('requires an actor that may send messages, and so does a decision', async () => {
    await using app = await oracleWith([])
    for (const scopes of [[], ['tasks/write'], ['chat/personal']]) {
      const actor: Actor = { ...phone, scopes }
      expect(await app.run({ actor })).toMatchObject({ refused: { status: 403, code: 'scope_missing' } })
      const decided = await app.turns.decide(actor, 'approval', 'deny')
      expect(decided).toMatchObject({ refused: { status: 403, code: 'scope_missing' } })
    }
    expect(app.model.calls).toEqual([])
  })

  test('can be followed by its id while it runs and after its end, by its owner alone', async () => {
    await using app = await oracleWith(['hello there'])
    const turn = started(await app.run())
    const during = await app.turns.follow(phone.did, turn.turnId)
    expect((await during?.finished)?.text).toBe('hello there')
    await turn.finished
    const after = await app.turns.follow(phone.did, turn.turnId)
    expect((await typesOf(after!)).at(-1)).toBe('finish')
    expect(await after!.finished).toMatchObject({ turnId: turn.turnId, outcome: 'done', text: 'hello there' })
    expect(await app.turns.follow('did:key:z6Mkstranger', turn.turnId)).toBeUndefined()
    expect(await app.turns.follow(phone.did, 'turn_none')).toBeUndefined()
  })

  test('ends without a reader of its events', async () => {
    await using app = await oracleWith(['hello'])
    expect((await started(await app.run()).finished).text).toBe('hello')
  })

  test('is the same turn for the same dedupe key, also after its end', async () => {
    await using app = await oracleWith(['hello'])
    const turns = await Promise.all([1, 2, 3].map(async () => started(await app.run({ dedupeKey: 'k/1' }))))
    const ends = await Promise.all(turns.map(turn => turn.finished))
    const late = started(await app.run({ dedupeKey: 'k/1' }))
    expect(new Set([...turns, late].map(({ turnId }) => turnId)).size).toBe(1)
    for (const end of [...ends, await late.finished]) expect(end).toMatchObject({ outcome: 'done', text: 'hello' })
    expect(app.model.calls.length).toBe(1)
  })

  test('waits for the previous one, or is rejected', async () => {
    const gate = Promise.withResolvers<void>()
    await using app = await oracleWith([['one', { wait: gate.promise }], 'two'])
    const first = started(await app.run())
    const refused = await app.run({ whenBusy: 'refuse' })
    expect(refused).toMatchObject({ refused: { status: 409, code: 'turn_running' } })
    const second = app.run()
    gate.resolve()
    expect((await first.finished).text).toBe('one')
    expect((await started(await second).finished).text).toBe('two')
  })

  test('ends by its own time limit, its signal, or stop; another user cannot stop it', async () => {
    await using app = await oracleWith([
      ['a', { wait: never }],
      ['b', { wait: never }],
      ['c', { wait: never }],
    ])
    const late = started(await app.run({ timeLimitMs: 20 }))
    expect(await late.finished).toMatchObject({ outcome: 'failed', code: 'turn_time_limit', text: 'a' })
    const controller = new AbortController()
    const aborted = started(await app.run({ signal: controller.signal }))
    controller.abort()
    expect(await aborted.finished).toMatchObject({ outcome: 'stopped' })
    const stopped = started(await app.run())
    expect(await app.turns.stop({ ...phone, did: 'did:key:z6Mkother' }, stopped.turnId)).toBe(false)
    expect(await app.turns.stop(phone, stopped.turnId)).toBe(true)
    expect(await stopped.finished).toMatchObject({ outcome: 'stopped' })
    expect(await app.turns.stop(phone, stopped.turnId)).toBe(false)
  })

  test('that was aborted before it began ends immediately', async () => {
    await using app = await oracleWith([['a', { wait: never }]])
    const turn = started(await app.run({ signal: AbortSignal.abort() }))
    expect(await turn.finished).toMatchObject({ outcome: 'stopped' })
  })

  test('without a user to ask answers that one is needed', async () => {
    await using app = await oracleWith([{ tool: 'pay', input: { amount: 5 } }, 'could not pay'])
    const turn = started(await app.run({ approvals: 'deny' }))
    expect(await typesOf(turn)).not.toContain('tool-approval-request')
    expect(await turn.finished).toMatchObject({ outcome: 'done', text: 'could not pay' })
    expect(JSON.stringify(app.model.calls[1]?.prompt)).toContain('requires the approval of a user')
    expect(app.payments).toEqual([])
  })

  test('with a user to ask waits, and the plugin passes the decision on', async () => {
    await using app = await oracleWith([{ tool: 'pay', input: { amount: 5 } }, 'paid'])
    const turn = started(await app.run({ approvals: 'ask' }))
    let approvalId = ''
    for await (const { event } of turn.events) {
      if (event.type === 'tool-approval-request') approvalId = String(event.approvalId)
    }
    expect(await turn.finished).toMatchObject({ outcome: 'awaiting-approval' })
    const stranger = { ...phone, did: 'did:key:z6Mkother' }
    expect(await app.turns.decide(stranger, approvalId, 'once')).toMatchObject({ refused: { status: 404 } })
    const decided = await app.turns.decide(phone, approvalId, 'once')
    if ('refused' in decided) throw new Error(decided.refused.code)
    expect(decided.waiting).toEqual([])
    expect(await decided.turn?.finished).toMatchObject({ turnId: decided.turnId, outcome: 'done', text: 'paid' })
    expect(app.payments.length).toBe(1)
  })

  test('is exported, and erased with its whole session', async () => {
    await using app = await oracleWith(['one', 'two', ['a', { wait: never }], 'other'])
    await started(await app.run({ text: 'first' })).finished
    await started(await app.run({ text: 'second', session: 's2' })).finished
    const running = started(await app.run({ text: 'third', session: 's2' }))
    const other = { ...phone, did: 'did:key:z6Mkother' }
    await started(await app.run({ actor: other, text: 'mine' })).finished
    const reported = await app.turns.transcripts(phone.did)
    expect(reported.map(({ session }) => session).toSorted()).toEqual(['s1', 's2'])
    const first = reported.find(({ session }) => session === 's1')
    expect(first?.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'first'],
      ['assistant', 'one'],
    ])
    expect(await app.turns.forget(phone.did)).toBe(2)
    expect(await running.finished).toMatchObject({ outcome: 'stopped' })
    expect(await app.turns.transcripts(phone.did)).toEqual([])
    expect(await app.turns.forget(phone.did)).toBe(0)
    expect((await app.turns.transcripts(other.did)).length).toBe(1)
  })

  test('many sessions are erased without emptying the log of the database for each', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sibyl-erased-')), 'sibyl.db')
    const sessions = Array.from({ length: 24 }, (_, index) => `s${index}`)
    await using app = await oracleWith(sessions, { DATABASE_URL: pathToFileURL(file).href })
    for (const session of sessions) await started(await app.run({ session })).finished
    let [emptied, bytes, isWatched] = [0, 1, true]
    const watch = () => {
      const { size } = statSync(`${file}-wal`)
      if (size === 0 && bytes > 0) emptied += 1
      bytes = size
      if (isWatched) setImmediate(watch)
    }
    watch()
    expect(await app.turns.forget(phone.did)).toBe(sessions.length)
    isWatched = false
    expect(emptied).toBeLessThan(sessions.length / 2)
  })

  test('is rejected once the oracle closes', async () => {
    const app = await oracleWith([])
    await app.oracle.app.close()
    expect(await app.run()).toMatchObject({ refused: { status: 503, code: 'shutting_down' } })
  })
})
