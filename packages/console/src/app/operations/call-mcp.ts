import { z } from 'zod'
import type { ApiClient } from '../api/api-client.ts'
import { Problem } from '../api/problem.ts'
import { readEventStream } from './read-event-stream.ts'

/** The revision of the Model Context Protocol that needs no session. */
const revision = '2026-07-28'

const answer = z.object({
  result: z.looseObject({}).optional(),
  error: z.object({ code: z.int(), message: z.string() }).optional(),
})

/** A tool that the user may call at `/mcp`. */
export const mcpTool = z.object({
  name: z.string(),
  description: z.string().default(''),
  inputSchema: z.looseObject({}),
  annotations: z.object({ readOnlyHint: z.boolean().optional() }).default({}),
})

export type McpTool = z.infer<typeof mcpTool>

/** The result of a call: its texts, and a value where the tool has a schema of results. */
export const mcpResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
  /** `input_required`: a person must decide first. */
  resultType: z.string().default('complete'),
})

export type McpResult = z.infer<typeof mcpResult>

/** Sends a request of the Model Context Protocol as the user, without the model. Throws a `Problem` for its errors. */
export const callMcp = async (
  api: ApiClient,
  method: 'tools/list' | 'tools/call',
  params: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<unknown> => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'sibyl-console', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const response = await api.send('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
    ...(signal && { signal }),
  })
  const { result, error } = answer.parse(await readAnswer(response))
  if (error) throw new Problem(400, `mcp_${error.code}`, error.message)
  return result
}

/** Reads the answer: JSON, or the last event of a stream. */
const readAnswer = async (response: Response): Promise<unknown> => {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.json()
  let last: unknown
  for await (const { data } of readEventStream(response)) {
    const message: unknown = JSON.parse(data)
    // Notifications of progress come before it.
    if (answer.safeParse(message).data?.result || answer.safeParse(message).data?.error) last = message
  }
  return last
}
