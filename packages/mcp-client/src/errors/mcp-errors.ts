/** The base of what a connection throws. Its text names the server and is safe to show. */
export abstract class McpError extends Error {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  abstract readonly code: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** The server cannot be reached just now. */
export class McpUnavailable extends McpError {
  readonly code = 'mcp_unavailable'
}

/** The server rejected a request, or returned an invalid response. */
export class McpCallFailed extends McpError {
  readonly code = 'mcp_call_failed'
  /** The words of the server, where it said why: text from outside, which stands in the message as well. */
  readonly said: string | undefined
  /** The response could not be read: what was requested may have happened. */
  readonly isUnread: boolean

  constructor(
    message: string,
    { said, isUnread = false, ...options }: ErrorOptions & { readonly said?: string; readonly isUnread?: boolean } = {},
  ) {
    super(message, options)
    this.said = said
    this.isUnread = isUnread
  }
}

/** The server took too long. */
export class McpTimeout extends McpError {
  readonly code = 'mcp_timeout'
}

/** The server lacks a tool, or an argument of one, that the oracle needs of it. */
export class McpToolMissing extends McpError {
  readonly code = 'mcp_tool_missing'
}
