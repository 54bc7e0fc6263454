import { connectService, jsonOfResult, McpCallFailed, McpError, type McpService } from '@sibyl/mcp-client'
import type { Host, Logger } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import type { FactStore } from '../facts/fact-store.ts'
import { memoryErrors } from '../facts/memory-errors.ts'
import { factOfRemote, memoryEngine, ownFacts, remoteFact } from './memory-engine.ts'

export interface RemoteMemoryAddress {
  /** `MEMORY_MCP_URL`. */
  readonly url: string
  /** `MEMORY_ENGINE_URL`. */
  readonly engineUrl: string
  /** `MEMORY_MCP_TOKEN`. */
  readonly token: string | undefined
}

/** A remote memory: its facts, and the state of its connection. */
export interface RemoteMemory {
  /** For the agent: through the tools of the MCP server. */
  readonly store: FactStore
  /** For the user: the same facts, deleted through the HTTP API. */
  readonly own: FactStore
  readonly service: Pick<McpService, 'state' | 'reason' | 'close'>
}

/** Time limit of a call, in milliseconds. */
const callLimitMs = 20_000

/** Connects to a remote memory once the oracle is running, without blocking the start. */
export const remoteMemory = (
  { background, log, clock }: Pick<Host, 'background' | 'log' | 'clock'>,
  { url, engineUrl, token }: RemoteMemoryAddress,
): RemoteMemory => {
  const service = connectService({
    name: 'memory',
    url,
    token,
    limits: { callTimeoutMs: callLimitMs, longestCallMs: callLimitMs },
    background,
    log,
    now: () => clock.now(),
  })
  const engine = memoryEngine({ url: engineUrl, token, log })
  const store: FactStore = { ...engine, ...mcpMemory({ service, log }) }
  return { store, own: { ...store, forget: engine.forget }, service }
}

/** Dependencies of the MCP tools of a remote memory. */
export interface McpMemoryDependencies {
  readonly service: Pick<McpService, 'call'>
  readonly log: Pick<Logger, 'warn'>
}

/** Minimum relevance of a fact that is added without a request. */
const relevantFrom = 0.5
const remembered = z.object({ fact: remoteFact, known: z.boolean().default(false) })
const recalled = z.object({ facts: z.array(remoteFact).max(1_000) })
const forgotten = z.object({ forgotten: z.boolean() })

/**
 * Remembers, recalls and forgets through the tools of an MCP server; `subject` identifies the person by the DID only.
 */
export const mcpMemory = ({
  service,
  log,
}: McpMemoryDependencies): Pick<FactStore, 'remember' | 'recall' | 'forget'> => {
  const call = async <Schema extends z.ZodType>(
    tool: string,
    args: JsonObject,
    schema: Schema,
    signal?: AbortSignal,
  ): Promise<z.output<Schema>> => {
    const outcome = await answerOf(service, tool, args, signal)
    const read = schema.safeParse(outcome)
    if (read.success) return read.data
    log.warn('the remote memory returned an invalid response', { tool })
    throw memoryErrors.memory_refused()
  }

  return {
    async remember({ did }, { text, tags, importance }, key, signal) {
      const args = { subject: did, text, tags: [...tags], idempotencyKey: key }
      const given = importance === undefined ? args : { ...args, importance }
      const { fact, known } = await call('remember', given, remembered, signal)
      if (ownFacts([fact], did, log).length === 0) throw memoryErrors.memory_refused()
      return { fact: factOfRemote(fact), isNew: !known }
    },
    async recall(did, text, limit, signal) {
      const query = text.slice(0, maxQuery).toWellFormed()
      const { facts } = await call('recall', { subject: did, query, limit }, recalled, signal)
      return ownFacts(facts, did, log)
        .slice(0, limit)
        .map(fact => ({ fact: factOfRemote(fact), isRelevant: (fact.relevance ?? 0) >= relevantFrom }))
    },
    async forget(did, id, signal) {
      return (await call('forget', { subject: did, id }, forgotten, signal)).forgotten
    },
  }
}

/** Maximum length of a query, in characters. */
const maxQuery = 2_000

/** Returns the result of a tool: its structured content, or the JSON of its text. */
const answerOf = async (
  service: Pick<McpService, 'call'>,
  tool: string,
  args: JsonObject,
  signal?: AbortSignal,
): Promise<unknown> => {
  const result = await service.call(tool, args, signal).catch((error: unknown) => {
    signal?.throwIfAborted()
    if (!(error instanceof McpError)) throw error
    throw error instanceof McpCallFailed
      ? memoryErrors.memory_refused({ cause: error })
      : memoryErrors.memory_unavailable({ cause: error })
  })
  if (result.isError || result.isCut) throw memoryErrors.memory_refused()
  return jsonOfResult(result)
}
