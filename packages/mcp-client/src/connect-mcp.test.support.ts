import { onTestFinished } from 'vitest'
import { connectMcp, type McpConnectionOptions } from './connect-mcp.ts'
import type { McpConnection, McpOutcome, McpQuestion, McpState } from './mcp-connection.ts'
import { type McpScript, mcpProgram, startMcpServer } from './testing/index.test.helper.ts'

/** What a connection told its owner. */
export interface RecordedLog {
  readonly lines: string[]
  debug(message: string, facts?: unknown): void
  warn(message: string, facts?: unknown): void
}

export const recordedLog = (): RecordedLog => {
  const lines: string[] = []
  const add = (message: string, facts?: unknown) => void lines.push(`${message} ${JSON.stringify(facts ?? {})}`)
  return { lines, debug: add, warn: add }
}

/** A connection that ends with its test, and comes back within milliseconds. */
export const connected = (
  address: McpConnectionOptions['address'],
  options: Partial<McpConnectionOptions> = {},
): McpConnection => {
  const connection = connectMcp({ name: 'notes', address, log: recordedLog(), backOffMs: () => 20, ...options })
  onTestFinished(() => connection.close())
  return connection
}

/** A program that ends with its test. */
export const program = (script: McpScript, env?: Record<string, string>) => {
  const made = mcpProgram(script, env)
  onTestFinished(() => made.remove())
  return made
}

/** A server of HTTP that ends with its test. */
export const httpServer = async (script: McpScript, way?: 'streamable' | 'sse') => {
  const server = await startMcpServer(script, way)
  onTestFinished(() => server.stop())
  return server
}

/** Every way to reach a server, in both generations of the protocol. */
export const everyWay = [
  ['stdio, old', async (script: McpScript) => onProgram({ ...script, revision: 'old' })],
  ['stdio, new', async (script: McpScript) => onProgram({ ...script, revision: 'new' })],
  ['http, old', (script: McpScript) => onHttp({ ...script, revision: 'old' })],
  ['http, new', (script: McpScript) => onHttp({ ...script, revision: 'new' })],
  ['sse', (script: McpScript) => onHttp({ ...script, revision: 'old' }, 'sse')],
] as const

const onProgram = (script: McpScript) => {
  const { address, events, set } = program(script)
  return { address, events, set }
}

const onHttp = async (script: McpScript, way?: 'streamable' | 'sse') => {
  const server = await httpServer(script, way)
  return { address: server.address, events: () => server.events, set: server.set }
}

/** Resolves at the next moment at which this holds; asked at every change of the connection. */
export const until = (connection: McpConnection, holds: () => boolean): Promise<void> =>
  new Promise(resolve => {
    const look = () => {
      if (!holds()) return
      leave()
      resolve()
    }
    const leave = connection.onChange(look)
    look()
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
