import type { TestActor } from '@sibyl/testing'

const mcpRevision = '2026-07-28'

/** A request that stores a text in a conversation of its own, by protocol. */
const requests: Readonly<
  Record<string, (text: string) => { path: string; headers?: Record<string, string>; json: object }>
> = {
  chat: text => ({ path: '/chat', json: { message: text } }),
  responses: input => ({ path: '/v1/responses', json: { input } }),
  'ag-ui': content => ({
    path: '/ag-ui',
    json: {
      threadId: crypto.randomUUID(),
      runId: crypto.randomUUID(),
      messages: [{ id: crypto.randomUUID(), role: 'user', content }],
    },
  }),
  a2a: text => ({
    path: '/a2a/message:send',
    json: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] } },
  }),
  mcp: message => ({
    path: '/mcp',
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': mcpRevision,
      'mcp-method': 'tools/call',
      'mcp-name': 'ask_oracle',
    },
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'ask_oracle',
        arguments: { message },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': mcpRevision,
          'io.modelcontextprotocol/clientInfo': { name: 'flood', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  }),
}

/** The protocols through which texts are stored. */
export const protocols: readonly string[] = Object.keys(requests)

/** A text of the most characters of a message, with three bytes each. */
const text = '€'.repeat(30_000)

/** Sends 90 kB; returns the code with which they were refused, or `stored`. */
export const sendText = async (actor: TestActor, protocol: string): Promise<string> => {
  const { path, ...init } = requests[protocol]!(text)
  const body = await (await actor.request(path, init)).text()
  return /"code":\s*"([a-z0-9_]+)"/.exec(body)?.[1] ?? 'stored'
}
