/** Limits for a server. */
export interface McpLimits {
  /** Time limit of a connection until the tools are known, in milliseconds. */
  readonly connectTimeoutMs: number
  /** Time limit of a call without progress, in milliseconds. */
  readonly callTimeoutMs: number
  /** Total time limit of a call, in milliseconds. */
  readonly longestCallMs: number
  /** The largest message that is read of a server, in bytes; a larger one ends the connection, as a body of HTTP the call. */
  readonly maxMessageBytes: number
  /** The most of a result that is kept, in characters of its JSON. */
  readonly maxResultCharacters: number
  /** The most tools, resources, templates and prompts that are kept of each list. */
  readonly maxListed: number
  /** The largest description of a tool, in characters; the rest is cut. */
  readonly maxDescription: number
  /** The largest input schema of a tool, in characters of its JSON; tools with larger ones are left out. */
  readonly maxSchema: number
  /** Maximum wait of a question for a user while its call is suspended, in milliseconds. */
  readonly questionTimeoutMs: number
  /** Time limit of a program to exit after its input has ended, and then after SIGTERM, in milliseconds. */
  readonly endTimeoutMs: number
}

export const defaultMcpLimits: McpLimits = {
  connectTimeoutMs: 20_000,
  callTimeoutMs: 60_000,
  longestCallMs: 300_000,
  maxMessageBytes: 4_000_000,
  maxResultCharacters: 200_000,
  maxListed: 500,
  maxDescription: 2_000,
  maxSchema: 16_000,
  questionTimeoutMs: 600_000,
  endTimeoutMs: 1_000,
}
