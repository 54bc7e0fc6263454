/** @module-tag long */
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { type ScriptedQuestion, startMcpServer } from '@sibyl/mcp-client/testing'
import { sharePostgres } from '@sibyl/storage/testing'
import { type ReadStream, readStream, type ScriptedStep, scriptedModel, testActor } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { oracleWith, serverAt } from '../oracle-with-servers.test.support.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const when: ScriptedQuestion = {
  message: 'When do you come?',
  requestedSchema: { type: 'object', properties: { date: { type: 'string' } }, required: ['date'] },
}
const sure: ScriptedQuestion = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }

const call: readonly ScriptedStep[] = [
  { tool: 'load_capability', input: { names: ['tables'] } },
  { tool: 'tables_book', input: { place: 'Inn' }, id: 'book-1' },
  'Done.',
]

/** Three oracles on one database, each with its own connection to a server that asks; one person who calls them all. */
const three = async (questions: readonly ScriptedQuestion[]) => {
  const server = await startMcpServer({
    tools: [{ name: 'book', description: 'Books a table.', does: questions.map(question => ({ ask: [question] })) }],
  })
  const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const key = createSigningKey()
  const boot = async (steps: readonly ScriptedStep[]) => {
    const file = { tables: serverAt(server.address, { sibyl: { approval: 'never' } }) }
    const oracle = await oracleWith(file, { model: scriptedModel(steps), env })
    await oracle.until('tables', 'ready')
    return { oracle, actor: testActor(oracle.app, Date.now, key) }
  }
  const all = [await boot(call), await boot(['Said elsewhere.']), await boot(['Said elsewhere.'])] as const
  return {
    all,
    server,
    ask: async () => readStream(await all[0].actor.request('/chat', { json: { id: 's1', message: 'Book a table' } })),
    /** Answers at a process what a stream asked. */
    async decide(at: number, stream: ReadStream, body: object) {
      const approvalId = stream.events.findLast(({ type }) => type === 'tool-approval-request')?.approvalId
      return readStream(await all[at]!.actor.request(`/chat/s1/approvals/${approvalId}`, { json: body }))
    },
    called: () => server.events.filter(({ what }) => what === 'called').length,
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map(({ oracle }) => oracle.app.close()))
      await server.stop()
    },
  }
}

const resultOf = ({ events }: ReadStream) => {
  const end = events.find(({ type }) => type === 'tool-output-available' || type === 'tool-output-error')
  return (end?.output as { text: string } | undefined)?.text ?? end?.errorText
}

describe.skipIf(postgres === undefined)('a question of a call that one of three processes holds', () => {
  test('is answered at any of them, each question at another one, in one and the same call', async () => {
    await using at = await three([when, sure])
    const second = await at.decide(1, await at.ask(), { decision: 'once', data: { date: 'today' } })
    expect(second.events.find(({ type }) => type === 'data-question')?.data).toMatchObject({
      text: expect.stringContaining('Sure?'),
    })
    const answered = await at.decide(2, second, { decision: 'once' })
    expect(resultOf(answered)).toContain('"accept"')
    expect([answered.text, answered.last?.type, at.called()]).toEqual(['Done.', 'finish', 1])
  })

  test('is declined at any of them', async () => {
    await using at = await three([when])
    const answered = await at.decide(2, await at.ask(), { decision: 'deny' })
    expect(JSON.parse(String(resultOf(answered)))).toEqual([{ action: 'decline' }])
  })

  test('is answered once if it is answered at all of them at the same time', async () => {
    await using at = await three([when])
    const asked = await at.ask()
    const body = { decision: 'once', data: { date: 'today' } }
    const answers = await Promise.all([1, 2, 0, 1, 2].map(index => at.decide(index, asked, body)))
    for (const answer of answers) expect([answer.text, resultOf(answer)]).toEqual(['Done.', resultOf(answers[0]!)])
    expect([resultOf(answers[0]!), at.called()]).toEqual([expect.stringContaining('"accept"'), 1])
  })

  test('whose process has ended is unavailable: the outcome is unknown, and the call is not sent again', async () => {
    await using at = await three([when])
    const asked = await at.ask()
    await at.all[0].oracle.app.close()
    const answered = await at.decide(1, asked, { decision: 'once', data: { date: 'today' } })
    expect(resultOf(answered)).toMatch(/effects are unknown, and it was not sent again\. Check before you repeat it\.$/)
    expect([answered.text, at.called()]).toEqual(['Said elsewhere.', 1])
  })
})
