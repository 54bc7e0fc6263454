import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OracleAppOptions } from '@sibyl/core'
import type { McpServerAddress } from '@sibyl/mcp-client'
import type { CapabilityRecord } from '@sibyl/protocol'
import { type RecordedLogger, recordedLogger, type TestApp, testApp } from '@sibyl/testing'
import { mcp } from './mcp.ts'

/** The operator's token of the oracles that are tested. */
export const operatorToken = 'operator-token-of-a-test-0123456789'

/** A server as it stands in the file. */
export type ServerJson = Readonly<Record<string, unknown>>

/** The member of a file that leads to a test server, marked as trusted unless `more` says otherwise. */
export const serverAt = (address: McpServerAddress, more: ServerJson = {}): ServerJson => {
  const { sibyl = {}, ...others } = more
  const members = { ...others, sibyl: { trusted: true, ...Object(sibyl) } }
  return address.kind === 'http'
    ? { url: address.url, ...members }
    : { command: address.command, args: address.args, env: address.env, ...members }
}

/** A booted oracle with MCP servers. */
export interface OracleWithServers extends TestApp {
  readonly log: RecordedLogger
  /** The capabilities as the operator sees them, once all servers settled. */
  capability(name: string): Promise<CapabilityRecord | undefined>
  /** Resolves once the server is in that state. */
  until(name: string, state: CapabilityRecord['state']): Promise<void>
  /** Calls a route as the operator. */
  operator(method: string, path: string, json?: unknown): Promise<Response>
  /** What a tool gave back in a stream, or the text of its failure. */
  resultOf(stream: { events: readonly { type: string; [key: string]: unknown }[] }, tool: string): unknown
}

/** Boots an oracle with these servers in its file. Ends with `await using`. */
export const oracleWith = async (
  servers: Readonly<Record<string, ServerJson>>,
  options: Partial<OracleAppOptions> = {},
): Promise<OracleWithServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-servers-'))
  const file = join(folder, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: servers }))
  const log = recordedLogger()
  const oracle = await testApp({
    plugins: [mcp()],
    logger: log,
    ...options,
    env: { MCP_SERVERS_FILE: file, ORACLE_OPERATOR_TOKEN: operatorToken, ...options.env },
  })
  rmSync(folder, { recursive: true })
  const operator = (method: string, path: string, json?: unknown) =>
    oracle.app.request(path, {
      method,
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
  const find = (name: string) => oracle.app.capabilities().find(one => one.name === name)
  return {
    ...oracle,
    log,
    async capability(name) {
      const answer = await operator('GET', '/capabilities')
      const { capabilities } = (await answer.json()) as { capabilities: CapabilityRecord[] }
      return capabilities.find(one => one.name === name)
    },
    async until(name, state) {
      await seen(() => find(name)?.state === state)
    },
    operator,
    resultOf({ events }, tool) {
      const call = events.find(({ type, toolName }) => type === 'tool-input-available' && toolName === tool)
      const end = events.findLast(
        ({ type, toolCallId }) =>
          toolCallId === call?.toolCallId && /^tool-output-(available|error|denied)$/.test(type),
      )
      return end?.output ?? end?.errorText ?? end?.type
    },
    [Symbol.asyncDispose]: () => oracle.app.close(),
  }
}

/** Resolves once something is so; the test's own time limit ends it otherwise. */
export const seen = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 5))
}
