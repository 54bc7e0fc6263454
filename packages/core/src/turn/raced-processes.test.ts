/** @module-tag long */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { readStream } from '@sibyl/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { questionsOf } from '../testing/approval-questions.ts'
import { type SharedOracle, startSharedOracle } from '../testing/start-shared-oracle.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const postgres = await sharePostgres()
const folder = temporaryFolder()
let processes: readonly [SharedOracle, SharedOracle]

beforeAll(async () => {
  if (!postgres) return
  const databaseUrl = await postgres.createDatabase()
  const journal = join(folder.path, 'journal.txt')
  const options = { databaseUrl, mnemonic: createMnemonic(12).reveal(), journal }
  const key = createSigningKey()
  processes = await Promise.all([startSharedOracle(options, key), startSharedOracle(options, key)])
})

afterAll(async () => {
  if (postgres) for (const one of processes) await one.end('SIGKILL')
  await postgres?.stop()
  folder[Symbol.dispose]()
})

/** Sends a message, and retries while the database is busy. */
const send = async (index: number, token: string, body: unknown): Promise<Response> => {
  const answer = await fetch(`http://127.0.0.1:${processes[index % 2]!.port}/chat`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  if (answer.status !== 503) return answer
  expect((await answer.json()).code).toBe('storage_unavailable')
  return send(index, token, body)
}

const message = (id: string, text: string) => ({ id, role: 'user', parts: [{ type: 'text', text }] })

/** Sends copies of one request to both processes at once. */
const copies = (count: number, request: (index: number) => Promise<Response>) =>
  Promise.all(Array.from({ length: count }, (_, index) => request(index)))

describe.skipIf(postgres === undefined)('two processes raced', () => {
  test('of 60 copies of one invocation one is accepted, whatever their requests', async () => {
    const token = await processes[0].actor.token()
    const answers = await copies(60, index => send(index, token, { id: `session-${index}`, message: 'hello' }))
    const statuses = answers.map(({ status }) => status)
    expect([
      statuses.filter(status => status === 200).length,
      statuses.filter(status => status === 401).length,
    ]).toEqual([1, 59])
    await Promise.all(answers.map(answer => answer.text()))
    const again = await send(1, token, { id: 'later', message: 'hello' })
    expect((await again.json()).code).toBe('ucan_replayed')
  })

  test('each of many invocations sent to both at once is accepted once', async () => {
    const { actor } = processes[0]
    const accepted = await Promise.all(
      Array.from({ length: 15 }, async (_, index) => {
        const token = await actor.token()
        const answers = await copies(4, copy => send(copy, token, { id: `one-${index}`, message: 'hello' }))
        await Promise.all(answers.map(answer => answer.text()))
        return answers.filter(({ status }) => status === 200).length
      }),
    )
    expect(accepted).toEqual(accepted.map(() => 1))
  })

  test('one message ID sent to both repeatedly is one message and one turn', async () => {
    const { actor } = processes[0]
    const body = { id: 'same', message: message('m1', 'count 20 5') }
    const answers = await copies(20, async index => send(index, await actor.token(), body))
    const streams = await Promise.all(answers.map(readStream))
    for (const stream of streams) expect(stream.events).toEqual(streams[0]?.events)
    const { messages } = await (await actor.request('/sessions/same')).json()
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant'])
  })

  test('different messages to one session on both run sequentially or are rejected, and none is lost', async () => {
    const { actor } = processes[0]
    for (let round = 0; round < 8; round += 1) {
      const id = `both-${round}`
      const answers = await copies(2, async index =>
        send(index, await actor.token(), { id, message: message(`m${index}`, `count 3 ${index * 20}`) }),
      )
      const accepted = answers.flatMap((answer, index) => (answer.status === 200 ? [`m${index}`] : []))
      for (const answer of answers) expect([200, 409]).toContain(answer.status)
      const streams = await Promise.all(answers.filter(({ status }) => status === 200).map(readStream))
      for (const { last, done } of streams) {
        const type = expect.stringMatching(/^(finish|abort)$/)
        expect({ done, type: last?.type, code: last?.code }).toEqual({ done: true, type, code: undefined })
      }
      const { messages, runningTurn } = await (await actor.request(`/sessions/${id}`)).json()
      const content = messages
        .filter(({ role }: { role: string }) => role === 'user')
        .map(({ id }: { id: string }) => id)
      expect(content.toSorted()).toEqual(accepted)
      expect(runningTurn).toBeUndefined()
    }
  })

  test('an approval decided on both at once runs its call once', async () => {
    const { actor } = processes[0]
    for (let round = 0; round < 3; round += 1) {
      const asked = await send(round, await actor.token(), { id: `ask-${round}`, message: `ask line${round}` })
      const asking = await readStream(asked)
      expect({ type: asking.last?.type, code: asking.last?.code }).toEqual({ type: 'finish', code: undefined })
      const [question] = questionsOf(asking)
      const path = `/chat/ask-${round}/approvals/${question?.approvalId}`
      const answers = await copies(10, index =>
        processes[index % 2]!.actor.request(path, { json: { decision: 'once' } }),
      )
      const streams = await Promise.all(answers.map(readStream))
      for (const stream of streams) expect(stream.events).toEqual(streams[0]?.events)
      expect(streams[0]?.text).toBe('done')
    }
    const ran = readFileSync(join(folder.path, 'journal.txt'), 'utf8').match(/^ran line\d/gm)
    expect(ran).toEqual(['ran line0', 'ran line1', 'ran line2'])
  })
})
