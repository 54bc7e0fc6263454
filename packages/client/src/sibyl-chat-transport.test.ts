import { Chat } from '@ai-sdk/react'
import { createSigningKey } from '@sibyl/identity/browser'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from './create-client.ts'
import { TurnFailedError } from './errors/turn-errors.ts'
import { SibylChatTransport } from './sibyl-chat-transport.ts'
import { type Failures, type Script, type ScriptedOracle, startScriptedOracle } from './testing/index.ts'

const answer: Script = ({ sessionId, turnId, text }) => [
  { type: 'start', messageId: `answer-${turnId}`, messageMetadata: { sessionId, turnId } },
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'c-1', toolName: 'echo', input: { text } },
  { type: 'tool-output-available', toolCallId: 'c-1', output: { text } },
  { type: 'finish-step' },
  { type: 'start-step' },
  { type: 'text-start', id: 'x' },
  { type: 'text-delta', id: 'x', delta: 'You said ' },
  { type: 'text-delta', id: 'x', delta: text },
  { type: 'text-end', id: 'x' },
  { type: 'finish-step' },
  { type: 'finish', messageMetadata: { outcome: 'done' } },
]

const oracles: ScriptedOracle[] = []
afterEach(async () => {
  for (const oracle of oracles.splice(0)) await oracle.close()
})

const start = async (script: Script = answer, failures: Failures = {}) => {
  const oracle = await startScriptedOracle(script, failures)
  oracles.push(oracle)
  const client = createClient({
    url: oracle.url,
    signer: createSigningKey(),
    reconnect: { firstDelayMs: 1, maxDelayMs: 2 },
  })
  return { oracle, client, transport: new SibylChatTransport({ client }) }
}

const textOf = (message: UIMessage | undefined) =>
  message?.parts.map(part => (part.type === 'text' ? part.text : '')).join('')

describe('useChat on the oracle’s own transport', () => {
  it('sends messages and shows tools and text', async () => {
    const { oracle, transport } = await start()
    const chat = new Chat<UIMessage>({ id: 'chat-1', transport })
    await chat.sendMessage({ text: 'hello' })
    await chat.sendMessage({ text: 'again' })
    expect(chat.error).toBeUndefined()
    expect(chat.status).toBe('ready')
    expect(chat.messages.map(textOf)).toEqual(['hello', 'You said hello', 'again', 'You said again'])
    expect(chat.messages[1]?.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-echo', state: 'output-available', output: { text: 'hello' } }),
    )
    const posts = oracle.requests.filter(it => it.method === 'POST')
    expect(posts.map(it => it.body)).toMatchObject([{ id: 'chat-1' }, { message: { parts: [{ text: 'again' }] } }])
  })

  it('is not disturbed by connections that break', async () => {
    const { transport } = await start(answer, { cutStream: () => 2 })
    const chat = new Chat<UIMessage>({ transport })
    await chat.sendMessage({ text: 'hello' })
    expect(chat.messages.map(textOf)).toEqual(['hello', 'You said hello'])
  })

  it('reads along with a turn that runs, and knows when none does', async () => {
    const rest = Promise.withResolvers<void>()
    const { client, transport } = await start(async function* (turn) {
      const events = [...(answer(turn) as Iterable<{ type: string }>)]
      yield* events.slice(0, 8)
      await rest.promise
      yield* events.slice(8)
    })
    await client.chat('hello', { sessionId: 'chat-1' })
    const chat = new Chat<UIMessage>({ id: 'chat-1', transport })
    chat['~registerMessagesCallback'](() => rest.resolve())
    await chat.resumeStream()
    expect(chat.messages.map(textOf)).toEqual(['You said hello'])
    await chat.resumeStream()
    expect(chat.status).toBe('ready')
  })

  it('stops the turn at the oracle', async () => {
    const speaking = Promise.withResolvers<void>()
    const { transport } = await start(async function* ({ stopped }) {
      yield { type: 'start', messageId: 'm' }
      yield { type: 'text-start', id: 'x' }
      yield { type: 'text-delta', id: 'x', delta: 'One, two' }
      speaking.resolve()
      await new Promise(resolve => stopped.addEventListener('abort', resolve))
      yield { type: 'abort' }
    })
    const chat = new Chat<UIMessage>({ id: 'chat-1', transport })
    const sent = chat.sendMessage({ text: 'count' })
    await speaking.promise
    await transport.stop(chat.id)
    await sent
    expect(chat.status).toBe('ready')
    expect(chat.messages.map(textOf)).toEqual(['count', 'One, two'])
  })

  it('only stops reading when the chat’s own stop is called, so that the turn survives a change of page', async () => {
    const speaking = Promise.withResolvers<void>()
    const rest = Promise.withResolvers<void>()
    const { transport, oracle } = await start(async function* (turn) {
      yield { type: 'start', messageId: 'm' }
      yield { type: 'text-start', id: 'x' }
      speaking.resolve()
      await rest.promise
      yield { type: 'text-delta', id: 'x', delta: turn.stopped.aborted ? 'stopped' : 'still there' }
      yield { type: 'finish' }
    })
    const left = new Chat<UIMessage>({ id: 'chat-1', transport })
    const sent = left.sendMessage({ text: 'hello' })
    await speaking.promise
    await left.stop()
    await sent
    expect(oracle.requests.some(it => it.path.endsWith('/stop'))).toBe(false)

    const back = new Chat<UIMessage>({ id: 'chat-1', transport })
    back['~registerMessagesCallback'](() => rest.resolve())
    await back.resumeStream()
    expect(back.messages.map(textOf)).toEqual(['still there'])
  })

  it('gives a failed turn as an error with the oracle’s code', async () => {
    const { transport } = await start(() => [
      { type: 'start', messageId: 'm' },
      { type: 'error', errorText: 'The model did not answer.', code: 'model_failed' },
    ])
    const chat = new Chat<UIMessage>({ transport })
    await chat.sendMessage({ text: 'hello' })
    expect(chat.status).toBe('error')
    expect(chat.error).toBeInstanceOf(TurnFailedError)
    expect(chat.error).toMatchObject({ message: 'The model did not answer.', code: 'model_failed' })
  })

  it('gives a refusal as an error with the oracle’s code', async () => {
    const body = { type: 'about:x', title: 'A turn runs', status: 409, code: 'turn_running' }
    const { transport } = await start(answer, {
      answer: it => (it.path === '/chat' ? { status: 409, body } : undefined),
    })
    const chat = new Chat<UIMessage>({ transport })
    await chat.sendMessage({ text: 'hello' })
    expect(chat.error).toMatchObject({ name: 'ProblemError', code: 'turn_running' })
  })

  it('sends of an own answer only what the person decided in it', async () => {
    const { oracle, transport } = await start(turn =>
      turn.text === ''
        ? [{ type: 'finish' }]
        : [
            { type: 'start', messageId: 'm' },
            { type: 'start-step' },
            { type: 'text-start', id: 'x' },
            { type: 'text-delta', id: 'x', delta: 'Shall I?' },
            { type: 'text-end', id: 'x' },
            { type: 'tool-input-available', toolCallId: 'c-1', toolName: 'pay', input: { amount: 5 } },
            { type: 'tool-approval-request', approvalId: 'a-1', toolCallId: 'c-1' },
            { type: 'finish' },
          ],
    )
    const answered = Promise.withResolvers<void>()
    const chat = new Chat<UIMessage>({
      transport,
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      onFinish: () => {
        if (oracle.requests.filter(it => it.path === '/chat').length === 2) answered.resolve()
      },
    })
    await chat.sendMessage({ text: 'pay' })
    await chat.addToolApprovalResponse({ id: 'a-1', approved: true })
    await answered.promise
    expect(oracle.requests.at(-1)?.body).toMatchObject({
      message: {
        id: 'm',
        role: 'assistant',
        parts: [{ type: 'tool-pay', state: 'approval-responded', approval: { id: 'a-1', approved: true } }],
      },
    })
  })
})

describe('useChat on the AI SDK’s own transport', () => {
  it('works with a token from the client', async () => {
    const { client, oracle } = await start()
    const transport = new DefaultChatTransport<UIMessage>({
      api: `${oracle.url}/chat`,
      headers: () => client.headers(),
      prepareSendMessagesRequest: ({ id, messages }) => ({ body: { id, message: messages.at(-1) } }),
    })
    const chat = new Chat<UIMessage>({ id: 'chat-1', transport })
    await chat.sendMessage({ text: 'hello' })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map(textOf)).toEqual(['hello', 'You said hello'])
  })
})
