import type { OracleAppOptions } from '@sibyl/core'
import { type ScriptedQuestion, startMcpServer } from '@sibyl/mcp-client/testing'
import { type ReadStream, readStream, type ScriptedStep, scriptedModel } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { asPlugin } from '../as-plugin.test.support.ts'
import { mcp } from '../mcp.ts'
import { oracleWith, seen, serverAt } from '../oracle-with-servers.test.support.ts'

const requestedSchema = {
  type: 'object',
  properties: { date: { type: 'string', title: 'Date' }, guests: { type: 'integer', minimum: 1 } },
  required: ['date'],
}
const when = { message: 'When do you come?', requestedSchema }

const call: ScriptedStep[] = [
  { tool: 'load_capability', input: { names: ['tables'] } },
  { tool: 'tables_book', input: { place: 'Inn' }, id: 'book-1' },
  'Done.',
]

/** An oracle with a server that asks these questions, one after the other, and then says what it was told. */
const plugin = async (questions: readonly ScriptedQuestion[], options: Partial<OracleAppOptions> = {}) => {
  const server = await startMcpServer({
    tools: [{ name: 'book', description: 'Books a table.', does: questions.map(question => ({ ask: [question] })) }],
  })
  const file = { tables: serverAt(server.address, { sibyl: { approval: 'never' } }) }
  const oracle = await oracleWith(file, { model: scriptedModel(call), ...options })
  await oracle.until('tables', 'ready')
  return {
    oracle,
    server,
    ask: () => oracle.chat('Book a table', { session: 's1' }),
    /** Answers what a stream asked; gives the rest of the turn. */
    async decide(stream: ReadStream, body: object) {
      const approvalId = stream.events.findLast(({ type }) => type === 'tool-approval-request')?.approvalId
      return readStream(await oracle.actor.request(`/chat/s1/approvals/${approvalId}`, { json: body }))
    },
    /** What the tool gave back, or its failure. */
    result: ({ events }: ReadStream) => {
      const end = events.find(({ type }) => type === 'tool-output-available' || type === 'tool-output-error')
      return (end?.output as { text: string } | undefined)?.text ?? end?.errorText
    },
    async [Symbol.asyncDispose]() {
      await oracle.app.close()
      await server.stop()
    },
  }
}

const questionOf = ({ events }: ReadStream) =>
  events.find(({ type }) => type === 'data-question')?.data as { text: string; schema?: unknown } | undefined

describe('a question in the midst of a call', () => {
  test('reaches the person, and the answer the server, in one and the same call', async () => {
    await using at = await plugin([when])
    const asked = await at.ask()
    expect(asked.last).toMatchObject({ messageMetadata: { outcome: 'awaiting-approval' } })
    expect(questionOf(asked)).toMatchObject({
      text: 'The MCP server tables asks: When do you come?',
      schema: { type: 'object', properties: { date: { title: 'Date' } }, required: ['date'] },
    })
    const data = { date: '2026-12-01', guests: 2 }
    const answered = await at.decide(asked, { decision: 'once', data })
    expect(JSON.parse(String(at.result(answered)))).toEqual([{ action: 'accept', content: data }])
    expect(answered.text).toBe('Done.')
    expect(at.server.events.filter(({ what }) => what === 'called')).toHaveLength(1)
  })

  test('that the person will not answer is declined at the server', async () => {
    await using at = await plugin([when])
    const answered = await at.decide(await at.ask(), { decision: 'deny' })
    expect(JSON.parse(String(at.result(answered)))).toEqual([{ action: 'decline' }])
  })

  test('is asked again where the answer does not fit', async () => {
    await using at = await plugin([when])
    const again = await at.decide(await at.ask(), { decision: 'once', data: { date: 7 } })
    expect(questionOf(again)?.text).toMatch(/^The answer is invalid \(date\)\. The MCP server tables asks: When/)
    const answered = await at.decide(again, { decision: 'once', data: { date: 'today' } })
    expect(JSON.parse(String(at.result(answered)))).toEqual([{ action: 'accept', content: { date: 'today' } }])
  })

  test('may be one of several', async () => {
    await using at = await plugin([when, { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }])
    const second = await at.decide(await at.ask(), { decision: 'once', data: { date: 'today' } })
    expect(questionOf(second)?.text).toContain('Sure?')
    const answered = await at.decide(second, { decision: 'once' })
    expect(at.result(answered)).toContain('"accept"')
  })

  test('but not one of many', async () => {
    await using at = await plugin(Array.from({ length: 6 }, () => when))
    let stream = await at.ask()
    for (let round = 0; round < 5; round += 1)
      stream = await at.decide(stream, { decision: 'once', data: { date: 'x' } })
    expect(at.result(stream)).toBe(
      'The MCP server tables asked more than 5 questions in one call. The last one was declined.',
    )
  })

  test('that sends the person to a page names it, and opens nothing', async () => {
    await using at = await plugin([{ message: 'Pay first', url: 'https://pay.example/42' }])
    const asked = await at.ask()
    expect(questionOf(asked)).toEqual({
      approvalId: expect.any(String),
      toolCallId: 'book-1',
      text: 'The MCP server tables asks: Pay first\nIt asks you to open https://pay.example/42\nAnswer yes when you are done there.',
    })
    expect(at.result(await at.decide(asked, { decision: 'once' }))).toContain('"accept"')
  })

  test.each([
    ['a member called so', { token: { type: 'string' } }],
    ['a member titled so', { value: { type: 'string', title: 'Your PIN' } }],
  ])('for a token, a password or a PIN is never asked: %s', async (_, properties) => {
    await using at = await plugin([{ message: 'Log in', requestedSchema: { type: 'object', properties } }])
    const stream = await at.ask()
    expect(questionOf(stream)).toBeUndefined()
    expect(at.oracle.resultOf(stream, 'tables_book')).toMatchObject({
      note: 'The server asked for a secret, which was declined.',
      text: expect.stringContaining('"decline"'),
    })
  })

  test('that only speaks of secrets is asked with a warning', async () => {
    const properties = { value: { type: 'integer', description: 'Your favourite number, not your PIN' } }
    await using at = await plugin([{ message: 'Say it', requestedSchema: { type: 'object', properties } }])
    expect(questionOf(await at.ask())?.text).toMatch(/\nNever enter a password, a token or a PIN\.$/)
  })

  test('without a user fails in one sentence, and the server is notified', async () => {
    const captured = asPlugin()
    await using at = await plugin([when], { plugins: [mcp(), captured.plugin] })
    const started = await captured.turns().run({
      actor: { did: 'did:key:zPhone', via: 'task', scopes: ['chat/send', 'mcp/tables'] },
      session: 's1',
      text: 'Book a table',
      channel: 'task',
      whenBusy: 'queue',
      approvals: 'deny',
    })
    if ('refused' in started) throw new Error(started.refused.code)
    const events = []
    for await (const { event } of started.events) events.push(event)
    expect(at.oracle.resultOf({ events }, 'tables_book')).toBe(
      'The MCP server tables asks a user a question, but no one can be asked here.',
    )
    await seen(() => at.server.events.some(({ what }) => what === 'answered'))
    expect(at.server.events.find(({ what }) => what === 'answered')?.replies).toEqual([{ action: 'cancel' }])
  })

  test('whose server was lost meanwhile: the outcome is not known, and it is not sent again', async () => {
    await using at = await plugin([when], { plugins: [mcp({ backOffMs: () => 20 })] })
    const asked = await at.ask()
    await at.server.stop()
    await at.server.start()
    await at.oracle.until('tables', 'ready')
    const answered = await at.decide(asked, { decision: 'once', data: { date: 'today' } })
    expect(at.result(answered)).toMatch(/Its effects are unknown; check before you repeat it\.$/)
    expect(at.server.events.filter(({ what }) => what === 'called')).toHaveLength(1)
  })
})
