import { createHash } from 'node:crypto'
import {
  McpCallFailed,
  type McpCallOptions,
  McpError,
  McpTimeout,
  type McpTool,
  McpUnavailable,
} from '@sibyl/mcp-client'
import { cleanText, type Tool, type ToolCall, ToolFailure, untrustedContent } from '@sibyl/plugin'
import type { JsonObject, JsonValue } from '@sibyl/protocol'
import { longestCallSeconds, type ServerLink } from '../links/server-link.ts'
import type { HeldQuestions } from '../questions/held-questions.ts'
import type { ServerApproval, ServerEntry } from '../servers-file/server-entry.ts'
import { argumentCheck } from './argument-check.ts'
import { askServer } from './ask-server.ts'
import { resultText } from './result-text.ts'

/** Time reserved at the end of a call, so that the server's own failure is reported first. */
const graceSeconds = 5

/** Dependencies that the tools of one server share. */
export interface ServerToolContext {
  readonly entry: ServerEntry
  readonly held: HeldQuestions
  readonly now: () => number
  /** Returns the connection for the caller. Throws `ToolFailure`. */
  link(call: Pick<ToolCall, 'turn'>): Promise<ServerLink>
}

/** Returns whether a tool only reads: if its trusted server says so. */
export const onlyReads = ({ trusted }: Pick<ServerEntry, 'trusted'>, { annotations }: McpTool): boolean =>
  trusted && annotations.readOnly

/** Returns whether a user approves every call of a tool. @param tool the server's own name */
export const asksPerson = (approval: ServerApproval, tool: string, reads: boolean): boolean => {
  if (approval === 'writes') return !reads
  if (approval === 'always' || approval === 'never') return approval === 'always'
  return approval.includes(tool)
}

/**
 * Creates the oracle's tool for a server's tool. A call is rejected if the definition is no longer the offered one.
 *
 * @param fingerprint fingerprint of the offered definition
 */
export const serverTool = (tool: McpTool, fingerprint: string, context: ServerToolContext): Tool => {
  const { entry } = context
  const reads = onlyReads(entry, tool)
  return {
    description: tool.description.trim() || `The tool ${tool.name} of the MCP server ${entry.name}.`,
    input: argumentCheck(tool.inputSchema),
    inputSchema: tool.inputSchema,
    effect: reads ? 'read' : 'write',
    ability: entry.ability,
    ...(asksPerson(entry.approval, tool.name, reads) ? { approval: 'user' as const } : {}),
    approvalScope: approvalScope(entry, fingerprint),
    describe: () => describeCall(entry.name, tool.name),
    timeLimitSeconds: Math.max(longestCallSeconds, entry.timeoutSeconds) + graceSeconds,
    execute: (input, call) => run(tool, fingerprint, input as JsonObject, call, context),
  }
}

const run = async (
  tool: McpTool,
  fingerprint: string,
  input: JsonObject,
  call: ToolCall,
  context: ServerToolContext,
): Promise<JsonValue> => {
  const { entry, held, now } = context
  const link = await context.link(call)
  if (link.fingerprintNow(tool.name) !== fingerprint) {
    throw new ToolFailure(
      `The MCP server ${entry.name} has changed '${tool.name}' since it was offered. It was not run. The operator can confirm the new definition.`,
    )
  }
  const { redact, connection } = link
  const writes = !onlyReads(entry, tool)
  const wasSent = connection.state === 'ready' || call.answer !== undefined
  const options = { signal: call.signal, onProgress: reportProgress(call, redact, now) }
  try {
    const result = await askServer(call, sendOptions => connection.call(tool.name, input, sendOptions), options, {
      server: entry.name,
      held,
      writes,
      redact,
    })
    return {
      ...(result.isError ? { failed: true } : {}),
      ...(result.askedForSecret ? { note: 'The server asked for a secret, which was declined.' } : {}),
      ...untrustedContent(`the MCP server ${entry.name}`, resultText(result, redact)),
    }
  } catch (error) {
    if (error instanceof McpCallFailed && error.said) {
      return { failed: true, ...untrustedContent(`the MCP server ${entry.name}`, redact(error.said)) }
    }
    throw failureOf(error, writes && wasSent, redact)
  }
}

/** Returns the failure for the model. @param mayHaveHappened whether the call had been sent */
const failureOf = (error: unknown, mayHaveHappened: boolean, redact: (text: string) => string): unknown => {
  if (!(error instanceof McpError)) return error
  const isUnread = error instanceof McpCallFailed && error.isUnread
  const isUnknown = mayHaveHappened && (isUnread || error instanceof McpTimeout || error instanceof McpUnavailable)
  const unknown = isUnknown ? ' Its effects are unknown; check before you repeat it.' : ''
  return new ToolFailure(`${redact(error.message)}${unknown}`)
}

/**
 * Returns the scope of a tool's approval besides its name: this server by its address, and this definition.
 *
 * @param fingerprint fingerprint of the definition; empty for the tools that every server has
 */
export const approvalScope = ({ address }: Pick<ServerEntry, 'address'>, fingerprint = ''): string => {
  const place = address.kind === 'http' ? [address.url] : [address.command, address.args, address.cwd ?? '']
  return createHash('sha256')
    .update(JSON.stringify([place, fingerprint]))
    .digest('hex')
}

/** Returns the question whether a call may run, without the server's own description of the tool. */
export const describeCall = (server: string, tool: string): string => `Run “${tool}” on the MCP server “${server}”`

/** Maximum number of parts of one call, and the pause between two of them, in milliseconds. */
const maxParts = 100
const everyMs = 1_000

/** Writes the progress of a call as parts of the response, `data-tool-progress`. */
const reportProgress = (
  { toolCallId, emit }: Pick<ToolCall, 'toolCallId' | 'emit'>,
  redact: (text: string) => string,
  now: () => number,
): NonNullable<McpCallOptions['onProgress']> => {
  let reported = 0
  let last = Number.NEGATIVE_INFINITY
  return ({ done, total, message }) => {
    const isEnd = total !== undefined && done >= total
    if (reported >= maxParts || (!isEnd && now() - last < everyMs)) return
    reported += 1
    last = now()
    emit({
      name: 'tool-progress',
      data: {
        toolCallId,
        done,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: cleanText(redact(message), { maxLength: 200 }) }),
      },
    })
  }
}
