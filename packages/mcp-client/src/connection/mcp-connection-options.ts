import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import type { McpLog } from './mcp-connection.ts'
import type { McpLimits } from './mcp-limits.ts'
import type { McpServerAddress } from './mcp-server-address.ts'

/** How to connect. */
export interface McpConnectionOptions {
  /** The server's name in the log. */
  readonly name: string
  readonly address: McpServerAddress
  readonly limits?: Partial<McpLimits>
  /** Headers made anew for each request, such as an invocation that the oracle signs; they go before the fixed ones. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>
  /** OAuth in the name of the oracle, for servers that want it; a user's token is never given to it. */
  readonly authProvider?: OAuthClientProvider
  /** After the `authProvider` sent somebody to the authorization page: the parameters with which it sent them back. */
  readonly authorized?: () => Promise<URLSearchParams>
  readonly log: McpLog
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /** How long to wait before the next attempt, or before tools that change again are listed, in milliseconds. @default 1 s doubling to 60 s, a fifth of it by chance */
  readonly backOffMs?: (attempt: number) => number
}
