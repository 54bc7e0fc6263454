/** A adapter of the oracle, as a client sends a message there. */
export interface Adapter {
  readonly path: string
  /** The path of streamed answers, if it is another one. */
  readonly streamPath?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Returns the body of a message. */
  body(text: string, options?: MessageOptions): object
  /** Returns the stable code of a rejection. */
  code(body: Wire): string
  /** Returns the definition of a tool of the client; missing where a client has none. */
  tool?(name: string): object
  /** Whether a turn goes on after its client disconnected. */
  readonly goesOn: boolean
}

interface MessageOptions {
  readonly session?: string
  readonly isStreamed?: boolean
  readonly tools?: readonly object[]
}

// biome-ignore lint/suspicious/noExplicitAny: JSON as it came over the wire
export type Wire = any

/** The headers and parameters of a request of the Model Context Protocol. */
export const mcpRevision = '2026-07-28'

/** Returns the headers of a request of the Model Context Protocol. */
export const mcpHeaders = (method: string, name?: string): Record<string, string> => ({
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': mcpRevision,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
})

/** Returns a request of the Model Context Protocol. */
export const mcpBody = (method: string, params: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      progressToken: 1,
      'io.modelcontextprotocol/protocolVersion': mcpRevision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})

const parameters = { type: 'object', properties: {} }
const user = (content: string) => ({ role: 'user', content })
const a2aMessage = (text: string, contextId: string | undefined) => ({
  message: {
    messageId: crypto.randomUUID(),
    ...(contextId === undefined ? {} : { contextId }),
    role: 'ROLE_USER',
    parts: [{ text }],
  },
})

/** The adapters through which messages reach the agent. */
export const adapters: Readonly<Record<string, Adapter>> = {
  '/chat': {
    path: '/chat',
    body: (message, { session: id, tools: clientTools } = {}) => ({
      ...(id === undefined ? {} : { id }),
      message,
      ...(clientTools ? { clientTools } : {}),
    }),
    code: ({ code }) => code,
    tool: name => ({ name, description: 'Reads.', inputSchema: parameters }),
    goesOn: true,
  },
  '/v1/chat/completions': {
    path: '/v1/chat/completions',
    body: (text, { isStreamed: stream = false, tools } = {}) => ({
      messages: [user(text)],
      stream,
      ...(tools ? { tools } : {}),
    }),
    code: ({ error }) => error.code,
    tool: name => ({ type: 'function', function: { name, description: 'Reads.', parameters } }),
    goesOn: false,
  },
  '/v1/responses': {
    path: '/v1/responses',
    body: (input, { session: conversation, isStreamed: stream = false, tools } = {}) => ({
      input,
      stream,
      ...(conversation === undefined ? {} : { conversation }),
      ...(tools ? { tools } : {}),
    }),
    code: ({ error }) => error.code,
    tool: name => ({ type: 'function', name, description: 'Reads.', parameters, strict: false }),
    goesOn: false,
  },
  '/mcp': {
    path: '/mcp',
    headers: mcpHeaders('tools/call', 'ask_oracle'),
    body: (message, { session } = {}) =>
      mcpBody('tools/call', {
        name: 'ask_oracle',
        arguments: { message, ...(session === undefined ? {} : { session }) },
      }),
    code: ({ error }) => error.data.code,
    goesOn: false,
  },
  '/a2a': {
    path: '/a2a',
    body: (text, { session, isStreamed } = {}) => ({
      jsonrpc: '2.0',
      id: 1,
      method: isStreamed ? 'SendStreamingMessage' : 'SendMessage',
      params: a2aMessage(text, session),
    }),
    code: ({ error }) => error.data[0].metadata.code,
    goesOn: true,
  },
  '/a2a/message:send': {
    path: '/a2a/message:send',
    streamPath: '/a2a/message:stream',
    body: (text, { session } = {}) => a2aMessage(text, session),
    code: ({ error }) => error.details[0].metadata.code,
    goesOn: true,
  },
  '/ag-ui': {
    path: '/ag-ui',
    body: (text, { session = crypto.randomUUID(), tools } = {}) => ({
      threadId: session,
      runId: crypto.randomUUID(),
      messages: [{ id: crypto.randomUUID(), ...user(text) }],
      ...(tools ? { tools } : {}),
    }),
    code: ({ code }) => code,
    tool: name => ({ name, description: 'Reads.', parameters }),
    goesOn: false,
  },
}
