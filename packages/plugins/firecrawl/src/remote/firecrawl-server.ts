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

/** A remote Firecrawl MCP server (`firecrawl-mcp`). */
export interface FirecrawlServer extends Pick<McpService, 'state' | 'reason' | 'close'> {
  /**
   * Calls a tool of the server and parses its result.
   *
   * @throws ToolFailure if the server is unreachable, rejects the call, or returns an unexpected result; the reason of
   * the signal
   */
  call<Result>(tool: string, args: JsonObject, schema: z.ZodType<Result>, signal: AbortSignal): Promise<Result>
}

export interface FirecrawlServerOptions {
  readonly url: string
  readonly token: string | undefined
  /** Time limit of a call, in milliseconds. */
  readonly timeLimitMs: number
}

/** Maximum length of a result, in characters of its JSON. */
const maxResult = 1_500_000

/** Connects once the oracle is running, without blocking the start. */
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
        // Its text is untrusted, so it is only for the operator.
        log.warn('the Firecrawl server rejected a call', { tool, answer: textOfResult(answer).slice(0, 300) })
        throw new ToolFailure('The Firecrawl server rejected the call.')
      }
      const result = schema.safeParse(jsonOfResult(answer))
      if (result.success) return result.data
      log.warn('the Firecrawl server returned an invalid result', { tool, cut: answer.isCut })
      throw new ToolFailure('The Firecrawl server returned an invalid result.')
    },
  }
}

const failureText = (error: McpError): string => {
  if (error instanceof McpUnavailable) return 'The Firecrawl server is unreachable. Try again later.'
  return error instanceof McpTimeout ? 'The Firecrawl server took too long.' : 'The Firecrawl server failed.'
}
