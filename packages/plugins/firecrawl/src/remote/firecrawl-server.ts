import {
  connectService,
  jsonOfResult,
  McpError,
  type McpService,
  McpTimeout,
  McpUnavailable,
  textOfResult,
} from '@sibyl/mcp-client'
import { type Host, ToolFailure } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import type { z } from 'zod'

/** A Firecrawl MCP server (`firecrawl-mcp`), somewhere else. */
export interface FirecrawlServer extends Pick<McpService, 'state' | 'reason' | 'close'> {
  /**
   * Calls a tool of the server and reads its result.
   *
   * @throws ToolFailure where the server is away, refuses, or answers something else; the reason of the signal
   */
  call<Result>(tool: string, args: JsonObject, schema: z.ZodType<Result>, signal: AbortSignal): Promise<Result>
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
  const service = connectService({
    name: 'firecrawl',
    url,
    token,
    limits: { callTimeoutMs: timeLimitMs, longestCallMs: timeLimitMs, maxResultCharacters: maxResult },
    background,
    log,
  })
  const { state, reason, close } = service
  return {
    state,
    reason,
    close,
    async call(tool, args, schema, signal) {
      const answer = await service.call(tool, args, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        throw error instanceof McpError ? new ToolFailure(failureText(error), { cause: error }) : error
      })
      if (answer.isError) {
        // Its words come from outside: they are for the operator.
        log.warn('the Firecrawl server refused a call', { tool, answer: textOfResult(answer).slice(0, 300) })
        throw new ToolFailure('The Firecrawl server could not do that.')
      }
      const result = schema.safeParse(jsonOfResult(answer))
      if (result.success) return result.data
      log.warn('the Firecrawl server answered what is not understood', { tool, cut: answer.isCut })
      throw new ToolFailure('The Firecrawl server gave an answer that is not understood.')
    },
  }
}

const failureText = (error: McpError): string => {
  if (error instanceof McpUnavailable) return 'The Firecrawl server is away just now. Try again later.'
  return error instanceof McpTimeout ? 'The Firecrawl server took too long.' : 'The Firecrawl server could not do that.'
}
