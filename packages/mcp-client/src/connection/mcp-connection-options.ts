import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import type { McpLog } from './mcp-connection.ts'
import type { McpLimits } from './mcp-limits.ts'
import type { McpServerAddress } from './mcp-server-address.ts'

export interface McpConnectionOptions {
  /** The server's name in the log. */
  readonly name: string
  readonly address: McpServerAddress
  readonly limits?: Partial<McpLimits>
  /** Returns headers for each request, such as an invocation signed by the oracle; they override the fixed ones. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>
  /** OAuth in the name of the oracle, for servers that want it; a user's token is never given to it. */
  readonly authProvider?: OAuthClientProvider
  /**
   * Called after the `authProvider` redirected a user to the authorization page: returns the parameters of the redirect
   * back.
   */
  readonly authorized?: () => Promise<URLSearchParams>
  readonly log: McpLog
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /**
   * Returns the delay before the next attempt, or before tools that change again are listed, in milliseconds. @default
   * 1 s doubling to 60 s, a fifth of it random
   */
  readonly backOffMs?: (attempt: number) => number
}
