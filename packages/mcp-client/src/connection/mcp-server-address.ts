/** A program of this computer that speaks MCP over its standard input and output. */
export interface StdioServer {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Its environment, besides PATH, HOME and similar variables; nothing else of the environment of the oracle. */
  readonly env: Readonly<Record<string, string>>
  /** @default the working folder */
  readonly cwd?: string
}

/** A server that speaks MCP over HTTP. */
export interface HttpServer {
  readonly kind: 'http'
  readonly url: string
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** `sse`: the way of servers before 2025; `auto` tries streamable HTTP and then that. @default 'auto' */
  readonly way?: 'auto' | 'streamable' | 'sse'
}

/** Where an MCP server is, as the operator wrote it down. */
export type McpServerAddress = StdioServer | HttpServer
