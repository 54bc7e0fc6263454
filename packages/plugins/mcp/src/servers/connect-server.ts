import { connectMcp, type McpLog } from '@sibyl/mcp-client'
import type { Logger } from '@sibyl/plugin'
import type { ServerEntry } from '../servers-file/server-entry.ts'
import { longestCallSeconds } from '../tools/server-tool.ts'
import type { ServerContext } from './server-context.ts'
import { createServerLink, type ServerLink } from './server-link.ts'

/** Whose connection it is, and what it needs beside what the file says. */
export interface ConnectServerOptions {
  /** The person's DID; empty for the oracle's own. */
  readonly caller: string
  /** Headers made anew for each request. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>
  redact(text: string): string
}

/** Connects to a server; nothing waits for it. */
export const connectServer = (
  { name, address, timeoutSeconds, tools }: ServerEntry,
  { book, log, now, backOffMs }: ServerContext,
  { caller, headers, redact }: ConnectServerOptions,
): ServerLink => {
  const connection = connectMcp({
    name,
    address,
    limits: {
      callTimeoutMs: timeoutSeconds * 1_000,
      longestCallMs: Math.max(longestCallSeconds, timeoutSeconds) * 1_000,
    },
    log: redactedLog(log, redact),
    now,
    ...(headers ? { headers } : {}),
    ...(backOffMs ? { backOffMs } : {}),
  })
  return createServerLink({ source: { server: name, caller }, connection, picked: tools, book, log, redact })
}

/** The log without what the server was told as a secret. */
const redactedLog = (log: Logger, redact: (text: string) => string): McpLog => {
  const clean = (facts: Parameters<McpLog['debug']>[1] = {}) =>
    Object.fromEntries(
      Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
    )
  return {
    debug: (message, facts) => log.debug(message, clean(facts)),
    info: (message, facts) => log.info(message, clean(facts)),
    warn: (message, facts) => log.warn(message, clean(facts)),
  }
}
