import {
  OAuthClientFlowError,
  OAuthError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { McpCallFailed, type McpError, McpTimeout, McpUnavailable } from '../errors/mcp-errors.ts'
import { cleanLine } from '../reading/clean-text.ts'
import { tooLarge } from './http-fetch.ts'
import { streamEnded } from './watched-transport.ts'

/** Returns the error in a form that is safe to show: without addresses, headers, tokens and stacks. */
export const describeFailure = (server: string, error: unknown): McpError => {
  const who = `The MCP server ${server}`
  const options = { cause: error }

  if (error instanceof McpUnavailable || error instanceof McpCallFailed || error instanceof McpTimeout) return error
  if (error instanceof UnauthorizedError)
    return new McpUnavailable(`${who} requires an authorization that is missing.`, options)
  if (error instanceof OAuthClientFlowError || error instanceof OAuthError) {
    return new McpUnavailable(`The authorization at the MCP server ${server} failed.`, options)
  }
  if (error instanceof SdkHttpError) return describeStatus(who, error.status, error)
  if (error instanceof SseError && error.code !== undefined) return describeStatus(who, error.code, error)
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) return new McpTimeout(`${who} did not respond in time.`, options)
    if (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected) {
      return new McpUnavailable(`The connection to the MCP server ${server} was lost.`, options)
    }
    const cause = causeOf(error)
    if (error.code === SdkErrorCode.EraNegotiationFailed && cause) return describeFailure(server, cause)
    if (error.code === SdkErrorCode.EraNegotiationFailed) return new McpUnavailable(`${who} is unreachable.`, options)
    return new McpCallFailed(`${who} returned an invalid MCP message.`, { ...options, isUnread: true })
  }
  if (error instanceof ProtocolError) {
    if (error.code === streamEnded) {
      return new McpUnavailable(`The connection to the MCP server ${server} was lost before it responded.`, options)
    }
    const text = cleanLine(error.message.replace(/^MCP error -?\d+: /, ''), 500)
    return new McpCallFailed(`${who} refused: ${text || `error ${error.code}`}`, { ...options, said: text })
  }
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError')) {
    return new McpCallFailed(`${who} returned an invalid MCP message.`, { ...options, isUnread: true })
  }
  if (error instanceof Error && [error.message, messageOf(error.cause)].includes(tooLarge)) {
    return new McpCallFailed(`${who} sent a message that is too large.`, { ...options, isUnread: true })
  }
  return new McpUnavailable(`${who} is unreachable${reach[codeOf(error)] ?? ''}.`, options)
}

const reach: Readonly<Record<string, string>> = {
  ECONNREFUSED: ': the connection was refused',
  ENOTFOUND: ': its host name cannot be resolved',
  EAI_AGAIN: ': its host name cannot be resolved',
  ENOENT: ': its program or working folder does not exist',
  EACCES: ': its program is not executable',
  ECONNRESET: ': it closed the connection',
}

const describeStatus = (who: string, status: number, error: Error): McpError => {
  const options = { cause: error }
  if (status === 401) return new McpUnavailable(`${who} requires an authorization that is missing (HTTP 401).`, options)
  if (status === 403) return new McpUnavailable(`${who} does not allow this (HTTP 403).`, options)
  if (status >= 300 && status < 400) {
    return new McpUnavailable(`${who} redirects to another address, which is not followed (HTTP ${status}).`, options)
  }
  return new McpUnavailable(`${who} answered HTTP ${status}.`, options)
}

const causeOf = (error: SdkError): unknown => error.cause ?? (error.data as { cause?: unknown } | undefined)?.cause

const messageOf = (error: unknown): unknown => (error instanceof Error ? error.message : undefined)

/** The code of the system, wherever fetch hid it. */
const codeOf = (error: unknown): string => {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0])
  }
  return ''
}
