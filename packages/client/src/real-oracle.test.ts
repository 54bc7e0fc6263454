import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chat } from '@ai-sdk/react'
import { createSigningKey } from '@sibyl/identity/browser'
import { definePlugin, defineTool, type OraclePlugin, PersonNeeded } from '@sibyl/plugin'
import { files } from '@sibyl/plugin-files'
import { messageParts } from '@sibyl/protocol'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import {
  type ChatTransport,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ChatTurn } from './chat/chat-turn.ts'
import { createClient, type OracleClient } from './create-client.ts'
import { startCuttingProxy } from './cutting-proxy.test.helper.ts'
import { SibylChatTransport } from './sibyl-chat-transport.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const payments: { to: string }[] = []

const plugin = (): OraclePlugin =>
  definePlugin({
    name: 'desk',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Desk',
      summary: 'Looks things up and pays.',
      whenToUse: ['something is to be done'],
      load: 'always',
    },
    setup: () => ({
      tools: {
        look_up: defineTool({
          description: 'Looks something up.',
          input: z.object({ word: z.string() }),
          effect: 'read',
          execute: async ({ word }) => ({ found: word.toUpperCase() }),
        }),
        pay: defineTool({
          description: 'Pays somebody.',
          input: z.object({ to: z.string() }),
          effect: 'write',
          approval: 'user',
          describe: ({ to }) => `Pay ${to}`,
          execute: async ({ to }) => {
            payments.push({ to })
            return { paid: true }
          },
        }),
        book: defineTool({
          description: 'Books something, and asks when.',
          input: z.object({}),
          effect: 'write',
          execute: async (_, { answer }) => {
            if (answer) return answer.accepted ? { booked: answer.data ?? 'some day' } : { left: true }
            throw new PersonNeeded({
              text: 'When?',
              schema: { type: 'object', properties: { day: { type: 'string' } } },
            })
          },
        }),
      },
    }),
  })

/** Looks a word up, then speaks. */
const lookup: ScriptedStep[] = [{ tool: 'look_up', input: { word: 'grüße' } }, 'It says GRÜSSE 👋🏽, and that is all.']

const boot = async (steps: readonly ScriptedStep[]) => {
  payments.length = 0
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-client-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const model = scriptedModel([...steps])
  const oracle = await testApp({ plugins: [plugin(), files()], model, env: { FILES_DIR: folder } })
  cleanups.push(() => oracle.app.close())
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  const proxy = await startCuttingProxy(port)
  cleanups.push(() => proxy.close())
  const reconnect = { firstDelayMs: 1, maxDelayMs: 5 }
  const client = createClient({ url: proxy.url, signer: createSigningKey(), reconnect })
  return { client, proxy }
}

const textOf = (message: UIMessage | undefined) =>
  message?.parts.map(part => (part.type === 'text' ? part.text : '')).join('')

const collect = async (turn: ChatTurn) => {
  const items = []
  for await (const item of turn.events) items.push(item)
  return items
}

const spoken = (items: Awaited<ReturnType<typeof collect>>) =>
  items.map(({ event }) => (event.type === 'text-delta' ? event.delta : '')).join('')

describe('the client on a real oracle', () => {
  it('talks, reads and deletes', async () => {
    const { client } = await boot(lookup)
    const items = await collect(await client.chat('look up grüße', { sessionId: 's' }))
    expect(spoken(items)).toBe('It says GRÜSSE 👋🏽, and that is all.')
    expect(items.map(it => it.number)).toEqual(items.map((_, index) => index + 1))
    expect(items.at(-1)?.event).toMatchObject({ type: 'finish', messageMetadata: { outcome: 'done', stepCount: 2 } })
    expect(await client.sessions.list()).toMatchObject([{ id: 's' }])
    const session = await client.sessions.get('s')
    expect(session.messages.map(it => it.role)).toEqual(['user', 'assistant'])
    expect((await client.capabilities()).map(it => it.name)).toContain('desk')
    expect(await client.health()).toMatchObject({ status: 'ok', database: 'connected' })
    await client.sessions.delete('s')
    await expect(client.sessions.get('s')).rejects.toMatchObject({ code: 'session_not_found', status: 404 })
  })

  it('gives every event once, wherever the connection is cut', async () => {
    const turns = 40
    const { client, proxy } = await boot(Array.from({ length: turns }, () => lookup).flat())
    for (let turn = 0; turn < turns; turn += 1) {
      proxy.cutAfter = 1 + turn * 70
      const items = await collect(await client.chat('look up grüße', { sessionId: `s-${turn}` }))
      expect(spoken(items)).toBe('It says GRÜSSE 👋🏽, and that is all.')
      expect(items.map(it => it.number)).toEqual(items.map((_, index) => index + 1))
    }
    expect(proxy.cuts()).toBeGreaterThan(20)
  })

  it('sends files, of a message and of useChat, each once wherever the connection is cut', async () => {
    const { client, proxy } = await boot(['One.', 'Two.', 'Three.'])
    const csv = { type: 'file', mediaType: 'text/csv', url: 'data:text/csv;base64,bmFtZSx1bml0cwp0ZWEsNAo=' } as const
    proxy.cutAfter = 1
    const parts = [{ type: 'text', text: 'read this' } as const, { ...csv, filename: 'a.csv' }]
    expect(spoken(await collect(await client.chat({ id: 'm', role: 'user', parts }, { sessionId: 's' })))).toBe('One.')

    const chat = new Chat<UIMessage>({ id: 's', transport: new SibylChatTransport({ client }) })
    proxy.cutAfter = 1
    await chat.sendMessage({ text: 'and this', files: [{ ...csv, filename: 'b.csv' }] })
    await chat.sendMessage({ files: [{ ...csv, filename: 'c.csv' }] })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map(textOf)).toEqual(['and this', 'Two.', '', 'Three.'])
    const { messages } = await client.sessions.get('s')
    const sent = messages.flatMap(message => message.parts.filter(part => part.type === 'file'))
    expect(sent.map(part => 'filename' in part && part.filename)).toEqual(['a.csv', 'b.csv', 'c.csv'])
    for (const part of sent) {
      const file = await fetch('url' in part ? String(part.url) : expect.unreachable())
      expect(await file.text()).toBe('name,units\ntea,4\n')
    }
    expect(proxy.cuts()).toBe(2)
  })

  it('stops nothing in a session that does not exist', async () => {
    const { client } = await boot([])
    await expect(client.stop('none')).resolves.toBeUndefined()
  })

  it('stops a turn', async () => {
    const never = new Promise(() => {})
    const { client } = await boot([['One two ', { wait: never }]])
    const turn = await client.chat('count', { sessionId: 's' })
    const items = []
    for await (const item of turn.events) {
      items.push(item)
      if (item.event.type === 'text-delta' && items.length < 20) await turn.stop()
    }
    expect(items.at(-1)?.event.type).toBe('abort')
    expect((await client.sessions.get('s')).messages.at(-1)?.metadata).toMatchObject({ outcome: 'stopped' })
  })

  it('decides, and decides once when the answer is lost', async () => {
    const { client, proxy } = await boot([{ tool: 'pay', input: { to: 'Ada' } }, 'Paid.'])
    const items = await collect(await client.chat('pay Ada', { sessionId: 's' }))
    const question = items.find(it => it.event.type === 'tool-approval-request')?.event
    expect(question).toMatchObject({ reason: 'Pay Ada\n\nto: "Ada"' })
    if (question?.type !== 'tool-approval-request') throw new Error('nothing was asked')
    expect(payments).toEqual([])
    proxy.cutAfter = 1
    const decided = await client.decide('s', question.approvalId, 'once')
    if ('waiting' in decided) throw new Error('it waits')
    expect(spoken(await collect(decided))).toBe('Paid.')
    expect(proxy.cuts()).toBe(1)
    expect(payments).toEqual([{ to: 'Ada' }])
    await expect(client.decide('s', question.approvalId, 'deny')).rejects.toMatchObject({ status: 409 })
  })

  it("answers a tool's own question with data", async () => {
    const { client } = await boot([{ tool: 'book' }, 'Booked.'])
    const items = await collect(await client.chat('book it', { sessionId: 's' }))
    const question = items.find(it => it.event.type === 'data-question')?.event
    const { data } = messageParts.question.safeParse(question && 'data' in question ? question.data : undefined)
    expect(data).toMatchObject({ text: 'When?', schema: { properties: { day: { type: 'string' } } } })
    const decided = await client.decide('s', data?.approvalId ?? '', 'once', { data: { day: '2026-12-01' } })
    if ('waiting' in decided) throw new Error('it waits')
    const answered = await collect(decided)
    expect(answered.find(it => it.event.type === 'tool-output-available')?.event).toMatchObject({
      output: { booked: { day: '2026-12-01' } },
    })
    expect(spoken(answered)).toBe('Booked.')
  })

  it('regenerates an answer', async () => {
    const { client } = await boot(['First.', 'Second.'])
    expect(spoken(await collect(await client.chat('hello', { sessionId: 's' })))).toBe('First.')
    expect(spoken(await collect(await client.regenerate('s')))).toBe('Second.')
    expect((await client.sessions.get('s')).messages).toHaveLength(2)
  })
})

const transports: [string, (client: OracleClient, url: string) => ChatTransport<UIMessage>][] = [
  [
    'the AI SDK’s own transport',
    (client, url) => new DefaultChatTransport({ api: `${url}/chat`, headers: () => client.headers() }),
  ],
  ['SibylChatTransport', client => new SibylChatTransport({ client })],
]

describe.each(transports)('useChat on a real oracle with %s', (_, makeTransport) => {
  const open = async (steps: readonly ScriptedStep[]) => {
    const { client, proxy } = await boot(steps)
    const transport = makeTransport(client, proxy.url)
    return { client, proxy, transport, chat: new Chat<UIMessage>({ id: 'chat-1', transport }) }
  }

  it('sends, shows tools, and continues', async () => {
    const { chat } = await open([...lookup, 'Again.'])
    await chat.sendMessage({ text: 'look up grüße' })
    expect(chat.error).toBeUndefined()
    expect(chat.messages[1]?.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-look_up', state: 'output-available', output: { found: 'GRÜSSE' } }),
    )
    await chat.sendMessage({ text: 'and again' })
    expect(chat.messages.map(it => it.role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(textOf(chat.messages[3])).toBe('Again.')
  })

  it('resumes a turn that runs, and finds nothing when none does', async () => {
    const rest = Promise.withResolvers<void>()
    const { chat, transport } = await open([['One two ', { wait: rest.promise }, 'three.']])
    const sent = chat.sendMessage({ text: 'count' })
    chat['~registerMessagesCallback'](() => {
      if (textOf(chat.messages[1])?.startsWith('One')) void chat.stop()
    })
    await sent
    const back = new Chat<UIMessage>({ id: 'chat-1', transport, messages: chat.messages.slice(0, 1) })
    back['~registerMessagesCallback'](() => rest.resolve())
    await back.resumeStream()
    expect(back.messages.map(textOf)).toEqual(['count', 'One two three.'])
    await back.resumeStream()
    expect(back.status).toBe('ready')
    expect(back.messages).toHaveLength(2)
  })

  it('regenerates', async () => {
    const { chat, client } = await open(['First.', 'Second.'])
    await chat.sendMessage({ text: 'hello' })
    await chat.regenerate()
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map(textOf)).toEqual(['hello', 'Second.'])
    expect((await client.sessions.get('chat-1')).messages).toHaveLength(2)
  })

  it('edits a message, which replaces what came after it', async () => {
    const { chat, client } = await open(['First.', 'Second.', 'Third.'])
    await chat.sendMessage({ text: 'helo' })
    await chat.sendMessage({ text: 'and more' })
    await chat.sendMessage({ text: 'hello', messageId: chat.messages[0]?.id ?? '' })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map(textOf)).toEqual(['hello', 'Third.'])
    const { messages } = await client.sessions.get('chat-1')
    expect(messages.map(({ id }) => id)).toEqual(chat.messages.map(({ id }) => id))
  })

  it.each([
    [true, 'Paid.', [{ to: 'Ada' }], 'output-available'],
    [false, 'Then not.', [], 'output-denied'],
  ])('asks before a tool runs, and continues with the answer %s', async (approved, words, paid, state) => {
    const { client, proxy } = await boot([{ tool: 'pay', input: { to: 'Ada' } }, words])
    const finished = Promise.withResolvers<void>()
    let turns = 0
    const chat = new Chat<UIMessage>({
      id: 'chat-1',
      transport: makeTransport(client, proxy.url),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      onFinish: () => {
        turns += 1
        if (turns === 2) finished.resolve()
      },
      onError: finished.reject,
    })
    await chat.sendMessage({ text: 'pay Ada' })
    const part = chat.messages[1]?.parts.find(it => it.type === 'tool-pay')
    const approval = part && 'approval' in part ? part.approval : undefined
    expect(part).toMatchObject({ state: 'approval-requested' })
    await chat.addToolApprovalResponse({ id: approval?.id ?? '', approved })
    await finished.promise
    expect(chat.messages).toHaveLength(2)
    expect(textOf(chat.messages[1])).toBe(words)
    expect(chat.messages[1]?.parts.find(it => it.type === 'tool-pay')).toMatchObject({ state })
    expect(payments).toEqual(paid)
  })

  it.each([
    [true, { booked: 'some day' }],
    [false, { left: true }],
  ])("shows a tool's own question, and takes %s as its answer", async (approved, output) => {
    const { client, proxy } = await boot([{ tool: 'book', id: 'c1' }, 'So be it.'])
    const finished = Promise.withResolvers<void>()
    let turns = 0
    const chat = new Chat<UIMessage>({
      id: 'chat-1',
      transport: makeTransport(client, proxy.url),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      onFinish: () => {
        turns += 1
        if (turns === 2) finished.resolve()
      },
      onError: finished.reject,
    })
    await chat.sendMessage({ text: 'book it' })
    const question = chat.messages[1]?.parts.find(it => it.type === 'data-question')
    const { approvalId, text } = messageParts.question.parse(question && 'data' in question ? question.data : undefined)
    expect(text).toBe('When?')
    await chat.addToolApprovalResponse({ id: approvalId, approved })
    await finished.promise
    expect(textOf(chat.messages[1])).toBe('So be it.')
    expect(chat.messages[1]?.parts.find(it => it.type === 'tool-book')).toMatchObject({ output })
  })
})
