import { onTestFinished } from 'vitest'
import { connectMcp } from './connect-mcp.ts'
import type { McpConnection, McpOutcome, McpQuestion, McpState } from './connection/mcp-connection.ts'
import type { McpConnectionOptions } from './connection/mcp-connection-options.ts'
import { type McpScript, mcpProgram, startMcpServer } from './testing/index.test.helper.ts'

/** What a connection told its owner. */
export interface RecordedLog {
  readonly lines: string[]
  /** Those that an operator sees without asking for more. */
  readonly shown: string[]
  debug(message: string, facts?: unknown): void
  info(message: string, facts?: unknown): void
  warn(message: string, facts?: unknown): void
  error(message: string, facts?: unknown): void
}

export const recordedLog = (): RecordedLog => {
  const lines: string[] = []
  const shown: string[] = []
  const add = (message: string, facts?: unknown) => void lines.push(`${message} ${JSON.stringify(facts ?? {})}`)
  const show = (level: string) => (message: string, facts?: unknown) => {
    shown.push(`${level}: ${message}`)
    add(message, facts)
  }
  return { lines, shown, debug: add, info: show('info'), warn: show('warn'), error: show('error') }
}

/** Takes what ends something at the end of a test, or of several. */
export type OnEnd = (end: () => void | Promise<void>) => void

/** A connection that ends with its test, and comes back within milliseconds. */
export const connected = (
  address: McpConnectionOptions['address'],
  options: Partial<McpConnectionOptions> = {},
  onEnd: OnEnd = onTestFinished,
): McpConnection => {
  const connection = connectMcp({ name: 'notes', address, log: recordedLog(), backOffMs: () => 20, ...options })
  onEnd(() => connection.close())
  return connection
}

/** A program that ends with its test. */
export const program = (script: McpScript, env?: Record<string, string>, onEnd: OnEnd = onTestFinished) => {
  const made = mcpProgram(script, env)
  onEnd(() => made.remove())
  return made
}

/** A server of HTTP that ends with its test. */
export const httpServer = async (script: McpScript, way?: 'streamable' | 'sse', onEnd: OnEnd = onTestFinished) => {
  const server = await startMcpServer(script, way)
  onEnd(() => server.stop())
  return server
}

/** Every way to reach a server, in both generations of the protocol. */
export const everyWay = [
  ['stdio, old', (script: McpScript, onEnd?: OnEnd) => onProgram({ ...script, revision: 'old' }, onEnd)],
  ['stdio, new', (script: McpScript, onEnd?: OnEnd) => onProgram({ ...script, revision: 'new' }, onEnd)],
  ['http, old', (script: McpScript, onEnd?: OnEnd) => onHttp({ ...script, revision: 'old' }, 'streamable', onEnd)],
  ['http, new', (script: McpScript, onEnd?: OnEnd) => onHttp({ ...script, revision: 'new' }, 'streamable', onEnd)],
  ['sse', (script: McpScript, onEnd?: OnEnd) => onHttp({ ...script, revision: 'old' }, 'sse', onEnd)],
] as const

/** One of them for each transport. */
export const eachTransport = [everyWay[0], everyWay[2], everyWay[4]] as const

/** One of them for each generation of the protocol. */
export const eachGeneration = [everyWay[0], everyWay[3]] as const

const onProgram = async (script: McpScript, onEnd?: OnEnd) => {
  const { address, events, set } = program(script, {}, onEnd)
  return { address, events, set }
}

const onHttp = async (script: McpScript, way: 'streamable' | 'sse', onEnd?: OnEnd) => {
  const server = await httpServer(script, way, onEnd)
  return { address: server.address, events: () => server.events, set: server.set }
}

/** Resolves at the next moment at which this holds; asked at every change of the connection. */
export const until = (connection: McpConnection, holds: () => boolean): Promise<void> =>
  new Promise(resolve => {
    const check = () => {
      if (!holds()) return
      leave()
      resolve()
    }
    const leave = connection.onChange(check)
    check()
  })

export const inState = (connection: McpConnection, state: McpState) =>
  until(connection, () => connection.state === state)

/** The outcome as a question; fails where it is a result. */
export const asQuestion = (outcome: McpOutcome): McpQuestion => {
  if (outcome.kind !== 'question') throw new Error(`Not a question: ${JSON.stringify(outcome)}`)
  return outcome
}

/** The texts of a result; fails where it is a question. */
export const textsOf = (outcome: McpOutcome): readonly string[] => {
  if (outcome.kind !== 'result') throw new Error(`Not a result: ${outcome.kind}`)
  return outcome.content.map(part => (part.type === 'text' ? part.text : part.type))
}
