/** @module-tag long */
import { createMnemonic } from '@sibyl/identity'
import { defineTool, type Tool } from '@sibyl/plugin'
import { type BreakableWay, breakableWay, sharePostgres } from '@sibyl/storage/testing'
import { readStream, type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { pay, questionsOf } from '../testing/approval-questions.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { till } from '../testing/till.ts'

const postgres = await sharePostgres()
/** One oracle, which each test starts again for a user of its own. */
const databaseUrl = (await postgres?.createDatabase()) ?? ''
const mnemonic = createMnemonic(12).reveal()
const ways: BreakableWay[] = []

afterEach(async () => {
  for (const way of ways.splice(0)) await way.stop()
})
afterAll(() => postgres?.stop())

/**
 * Starts an oracle whose connection to the database can be cut at a commit; `text` is in a statement of its
 * transaction.
 */
const oracleBehind = async (steps: readonly ScriptedStep[]) => {
  const way = await breakableWay(databaseUrl)
  ways.push(way)
  const ran: string[] = []
  const append = defineTool({
    description: 'Writes a line.',
    input: z.object({ line: z.string() }),
    effect: 'write',
    execute: async ({ line }) => {
      ran.push(line)
      return 'written'
    },
  }) as Tool
  const { parts, payments } = till()
  const model = scriptedModel(steps)
  const plugin = officePlugin({ ...parts, tools: { ...parts.tools, append } })
  const oracle = await testApp({ plugins: [plugin], model, env: { DATABASE_URL: way.url, ORACLE_MNEMONIC: mnemonic } })
  const send = (id: string) =>
    oracle.actor.request('/chat', {
      json: { id: 's1', message: { id, role: 'user', parts: [{ type: 'text', text: id }] } },
    })
  const roles = async () => {
    const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
    return messages.map(({ role }: { role: string }) => role)
  }
  return { way, oracle, model, ran, payments, say: send, roles, [Symbol.asyncDispose]: () => oracle.app.close() }
}

const begin = 'insert into "core_turns"'
const end = '"ended_at" ='
const intend = 'insert into "core_tool_calls"'
const decide = 'update "core_approvals" set "state"'

const unavailable = async (response: Response) => {
  expect([response.status, (await response.json()).code]).toEqual([503, 'storage_unavailable'])
  expect(response.headers.get('retry-after')).toBe('2')
}

describe.skipIf(postgres === undefined)('a connection that breaks at a commit', () => {
  test.each([
    ['the beginning of a turn', begin],
    ['its end', end],
    ['the record of a tool call', intend],
  ])('the response to %s is lost: no effect is visible', async (_, text) => {
    await using behind = await oracleBehind([{ tool: 'append', input: { line: 'one' } }, 'done'])
    behind.way.cutNextCommit({ lose: 'answer' }, text)
    const stream = await readStream(await behind.say('m1'))
    expect([stream.text, stream.last?.type, behind.ran, behind.way.cuts]).toEqual(['done', 'finish', ['one'], 1])
    expect(await behind.roles()).toEqual(['user', 'assistant'])
  })

  test('the response to a decision is lost: no effect is visible', async () => {
    await using behind = await oracleBehind([pay(5), 'paid'])
    const [question] = questionsOf(await readStream(await behind.say('m1')))
    behind.way.cutNextCommit({ lose: 'answer' }, decide)
    const path = `/chat/s1/approvals/${question?.approvalId}`
    const answer = await readStream(await behind.oracle.actor.request(path, { json: { decision: 'once' } }))
    expect([answer.text, behind.payments.length, behind.way.cuts]).toEqual(['paid', 1, 1])
  })

  test('the start of a turn is never committed: the same message is accepted again', async () => {
    await using behind = await oracleBehind(['hello'])
    behind.way.cutNextCommit({ lose: 'commit' }, begin)
    await unavailable(await behind.say('m1'))
    expect((await readStream(await behind.say('m1'))).text).toBe('hello')
    expect(await behind.roles()).toEqual(['user', 'assistant'])
  })

  test('the start of a turn is committed, and this cannot be queried: the same message is accepted once more, and runs once', async () => {
    await using behind = await oracleBehind(['hello'])
    behind.way.cutNextCommit({ lose: 'answer', close: true }, begin)
    await unavailable(await behind.say('m1'))
    behind.way.open()
    const answers = await Promise.all(Array.from({ length: 5 }, () => behind.say('m1').then(readStream)))
    for (const answer of answers) expect([answer.text, answer.last?.type]).toEqual(['hello', 'finish'])
    expect([behind.model.calls.length, await behind.roles()]).toEqual([1, ['user', 'assistant']])
  })

  test('the start of a turn is committed, this cannot be queried, and the user sends another message: the session is free', async () => {
    await using behind = await oracleBehind(['hello'])
    behind.way.cutNextCommit({ lose: 'answer', close: true }, begin)
    await unavailable(await behind.say('m1'))
    behind.way.open()
    const later = async () => {
      const response = await behind.say('m2')
      return response.status === 200 ? (await readStream(response)).text : response.status
    }
    await expect.poll(later).toBe('hello')
    expect(await behind.roles()).toEqual(['user', 'assistant'])
  })

  test('a decision is committed, and this cannot be queried: the same decision continues the turn, once', async () => {
    await using behind = await oracleBehind([pay(5), 'paid'])
    const [question] = questionsOf(await readStream(await behind.say('m1')))
    const path = `/chat/s1/approvals/${question?.approvalId}`
    const decideOnce = () => behind.oracle.actor.request(path, { json: { decision: 'once' } })
    behind.way.cutNextCommit({ lose: 'answer', close: true }, decide)
    await unavailable(await decideOnce())
    behind.way.open()
    expect((await readStream(await decideOnce())).text).toBe('paid')
    expect((await readStream(await decideOnce())).text).toBe('paid')
    expect(behind.payments.length).toBe(1)
  })

  test('the end of a turn is committed, and this cannot be queried: it ends once, and the session continues', async () => {
    await using behind = await oracleBehind(['hello', 'again'])
    behind.way.cutNextCommit({ lose: 'answer', close: true }, end)
    const ended = readStream(await behind.say('m1'))
    await expect.poll(() => behind.way.cuts).toBe(1)
    // The process tries to store the end again before its database is back.
    await expect.poll(() => behind.way.refused).toBeGreaterThan(5)
    behind.way.open()
    const { last, done } = await ended
    expect([['finish', 'error'].includes(last?.type ?? ''), done]).toEqual([true, true])
    const later = async () => {
      const response = await behind.say('m2')
      return response.status === 200 ? (await readStream(response)).text : response.status
    }
    await expect.poll(later).toBe('again')
    expect(await behind.roles()).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  test('the record of a tool call is never committed: the tool does not run, and the model reads it', async () => {
    await using behind = await oracleBehind([{ tool: 'append', input: { line: 'one' } }, 'sorry'])
    behind.way.cutNextCommit({ lose: 'commit' }, intend)
    const stream = await readStream(await behind.say('m1'))
    expect([stream.text, behind.ran]).toEqual(['sorry', []])
    expect(stream.events.some(({ type }) => type === 'tool-output-error')).toBe(true)
  })
})

describe.skipIf(postgres === undefined)('a stale response of the database', () => {
  test('does not reopen a turn that has ended meanwhile', async () => {
    const gate = Promise.withResolvers<void>()
    await using opened = await oracleBehind([['on', { wait: gate.promise }, 'ce'], 'twice'])
    const first = readStream(await opened.say('m1'))
    const style = opened.way.holdNextAnswer('as "read_at" from "core_turns" where "id"')
    const second = opened.say('m1')
    await style.held
    gate.resolve()
    const answer = await first
    expect(answer.text).toBe('once')
    style.release()
    expect((await readStream(await second)).text).toBe('once')
    expect(opened.model.calls.length).toBe(1)
    expect(await opened.roles()).toEqual(['user', 'assistant'])
  })
})
