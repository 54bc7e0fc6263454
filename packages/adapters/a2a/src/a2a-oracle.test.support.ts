import { type Message, Role, type SendMessageRequest, type Task, TaskState } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { type TestApp, testApp } from '@sibyl/testing'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { a2a } from './a2a.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it came over the wire
export type Wire = any

/** The API key of the caller. */
export const key = 'k-0123456789abcdef'

/** The API key of another caller. */
export const otherKey = 'o-0123456789abcdef'

export const bindings = ['JSONRPC', 'HTTP+JSON'] as const

export interface A2aOracle {
  readonly oracle: TestApp
  readonly url: string
  /** The SDK as its client. */
  connect(binding?: (typeof bindings)[number], apiKey?: string): Promise<Client>
  /** Calls a path with the API key; an object as `json` becomes the body. */
  call(path: string, init?: RequestInit & { readonly json?: unknown; readonly apiKey?: string }): Promise<Response>
  /** Calls a method of the JSON-RPC binding. */
  rpc(method: string, params?: unknown, apiKey?: string): Promise<{ result?: Wire; error?: Wire; id?: unknown }>
}

/** Starts an oracle with the adapter on a port. */
export const a2aOracle = async ({
  env,
  ...options
}: Partial<Parameters<typeof testApp>[0]> = {}): Promise<A2aOracle> => {
  const oracle = await testApp({
    plugins: [],
    adapters: [a2a()],
    config: { name: 'Field Oracle' },
    ...options,
    env: {
      ORACLE_API_KEYS: `app:${key}:*,other:${otherKey}:*:did:example:other`,
      HOST: '127.0.0.1',
      PORT: '0',
      ...env,
    },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const { url } = await oracle.app.listen()
  const call: A2aOracle['call'] = (path, { json, apiKey = key, ...init } = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${apiKey}`)
    if (json === undefined) return fetch(`${url}${path}`, { ...init, headers })
    headers.set('content-type', 'application/json')
    return fetch(`${url}${path}`, { method: 'POST', ...init, headers, body: JSON.stringify(json) })
  }
  return {
    oracle,
    url,
    call,
    async connect(binding = 'JSONRPC', apiKey = key) {
      const fetchImpl: typeof fetch = (input, init) => {
        const headers = new Headers(init?.headers)
        headers.set('authorization', `Bearer ${apiKey}`)
        return fetch(input, { ...init, headers })
      }
      const factory = new ClientFactory(
        ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
          transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
          preferredTransports: [binding],
        }),
      )
      return factory.createFromUrl(url)
    },
    rpc: async (method, params, apiKey) =>
      (
        await call('/a2a', { json: { jsonrpc: '2.0', id: 1, method, params }, ...(apiKey ? { apiKey } : {}) })
      ).json() as Wire,
  }
}

/** A request of the SDK with one text. */
export const reply = (
  text: string,
  message: Partial<Message> = {},
  configuration?: Partial<NonNullable<SendMessageRequest['configuration']>>,
): SendMessageRequest => ({
  tenant: '',
  message: {
    messageId: crypto.randomUUID(),
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...message,
  },
  configuration: configuration && {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
    ...configuration,
  },
  metadata: undefined,
})

export const textPart = (text: string): Message['parts'][number] => ({
  content: { $case: 'text', value: text },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
})

/** A message as it stands in a body. */
export const wireMessage = (text: string, rest: object = {}) => ({
  messageId: crypto.randomUUID(),
  role: 'ROLE_USER',
  parts: [{ text }],
  ...rest,
})

/** The state of a task, its status text and the texts of its artifacts. */
export const reportedBy = (task: Task | Message) => {
  if (!('status' in task)) throw new Error('a message is not a task')
  return {
    state: TaskState[task.status?.state ?? 0],
    status: textOf(task.status?.message?.parts),
    answers: task.artifacts.map(({ parts }) => textOf(parts)),
  }
}

export const textOf = (parts: Message['parts'] = []): string =>
  parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('')

/** A tool that asks before it pays, and one that asks for a date. */
export const shop = () => {
  const paid: number[] = []
  const plugin = definePlugin({
    name: 'shop',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Shop',
      summary: 'Pays.',
      whenToUse: ['someone pays'],
      load: 'always',
      tags: ['money'],
    },
    setup: () => ({
      tools: {
        pay: defineTool({
          description: 'Pays an amount.',
          input: z.object({ amount: z.number() }),
          effect: 'write',
          ability: 'shop/pay',
          approval: 'user',
          describe: ({ amount }) => `Pay ${amount} €`,
          async execute({ amount }) {
            paid.push(amount)
            return 'paid'
          },
        }),
      },
    }),
  })
  return { plugin, paid }
}

/** A tool that runs until it is released, and tells when it runs and when it is stopped. */
export const waiting = () => {
  const running = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const plugin = definePlugin({
    name: 'waiting',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Waiting', summary: 'Waits.', whenToUse: ['someone waits'], load: 'always' },
    setup: () => ({
      tools: {
        wait: defineTool({
          description: 'Waits.',
          input: z.object({}),
          effect: 'read',
          async execute(_, { signal }) {
            running.resolve()
            signal.addEventListener('abort', () => stopped.resolve(), { once: true })
            await Promise.race([released.promise, stopped.promise])
            return 'waited'
          },
        }),
      },
    }),
  })
  return { plugin, running: running.promise, release: released.resolve, stopped: stopped.promise }
}
