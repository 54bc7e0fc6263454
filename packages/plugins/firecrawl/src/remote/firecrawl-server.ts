import { type Host, ToolFailure } from '@sibyl/core'
import { connectMcp, type McpConnection, McpError, McpTimeout, McpUnavailable } from '@sibyl/mcp-client'
import type { JsonObject } from '@sibyl/protocol'
import type { z } from 'zod'

/** A Firecrawl MCP server (`firecrawl-mcp`), somewhere else. */
export interface FirecrawlServer {
  /**
   * Calls a tool of the server and reads its result.
   *
   * @throws ToolFailure where the server is away, refuses, or answers something else; the reason of the signal
   */
  call<Result>(tool: string, args: JsonObject, schema: z.ZodType<Result>, signal: AbortSignal): Promise<Result>
  state(): McpConnection['state']
  reason(): string | undefined
  close(): Promise<void>
}

/** How to reach it. */
export interface FirecrawlServerOptions {
  readonly url: string
  readonly token: string | undefined
  /** Milliseconds that a call may take. */
  readonly timeLimitMs: number
}

/** More of a result is not read, in characters of its JSON. */
const maxResult = 1_500_000

/** Connects once the oracle is up; nothing waits for it. */
export const createFirecrawlServer = (
  { background, log }: Pick<Host, 'background' | 'log'>,
  { url, token, timeLimitMs }: FirecrawlServerOptions,
): FirecrawlServer => {
  let connection: McpConnection | undefined
  background('connection', async () => {
    const headers: Readonly<Record<string, string>> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    connection = connectMcp({
      name: 'firecrawl',
      address: { kind: 'http', url, headers, way: 'streamable' },
      limits: { callTimeoutMs: timeLimitMs, longestCallMs: timeLimitMs, maxResultCharacters: maxResult },
      log,
    })
  })
  return {
    state: () => connection?.state ?? 'pending',
    reason: () => connection?.reason,
    close: async () => connection?.close(),
    async call(tool, args, schema, signal) {
      if (!connection) throw new ToolFailure(away)
      const outcome = await connection.call(tool, args, { signal }).catch((error: unknown) => {
        signal.throwIfAborted()
        throw error instanceof McpError ? new ToolFailure(failureText(error), { cause: error }) : error
      })
      if (outcome.kind === 'question') {
        await outcome.answer({ action: 'cancel' }).catch(() => undefined)
        throw new ToolFailure('The Firecrawl server asks for something that nobody can answer here.')
      }
      if (outcome.isError) {
        // Its words come from outside: they are for the operator.
        log.warn('the Firecrawl server refused a call', { tool, answer: textOf(outcome.content).slice(0, 300) })
        throw new ToolFailure('The Firecrawl server could not do that.')
      }
      const result = schema.safeParse(outcome.structured ?? parseJson(textOf(outcome.content)))
      if (result.success) return result.data
      log.warn('the Firecrawl server answered what is not understood', { tool, cut: outcome.isCut })
      throw new ToolFailure('The Firecrawl server gave an answer that is not understood.')
    },
  }
}

const away = 'The Firecrawl server is away just now. Try again later.'

const failureText = (error: McpError): string => {
  if (error instanceof McpUnavailable) return away
  return error instanceof McpTimeout ? 'The Firecrawl server took too long.' : 'The Firecrawl server could not do that.'
}

const textOf = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
  content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('')

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
