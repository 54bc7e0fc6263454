import { connectService, type McpService } from '@sibyl/mcp-client'
import type { Host } from '@sibyl/plugin'
import { z } from 'zod'
import type { FactStore } from '../facts/fact-store.ts'
import { memoryErrors } from '../facts/memory-errors.ts'
import { callMemory, type McpMemoryParts } from './call-memory.ts'
import { graphMemory } from './graph-memory.ts'
import { factOfRemote, memoryEngine, ownFacts, remoteFact } from './memory-engine.ts'
import { type FactTools, type MemoryTools, serverMemoryTools, usualFactTools } from './memory-tool-names.ts'

export interface RemoteMemoryAddress {
  /** `MEMORY_MCP_URL`. */
  readonly url: string
  /** `MEMORY_ENGINE_URL`; undefined for a knowledge graph alone. */
  readonly engineUrl: string | undefined
  /** `MEMORY_MCP_TOKEN`. */
  readonly token: string | undefined
  /** `MEMORY_MCP_TOOLS`. */
  readonly tools: MemoryTools | undefined
  /** `MEMORY_FACTS_PER_PERSON`. */
  readonly factsPerPerson: number
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
/** Largest result of a tool: the facts of a person, twice, as structured content and as text. */
const maxResultCharacters = 2_000_000

const remedy = `Set MEMORY_MCP_TOOLS to tools of that server. For @modelcontextprotocol/server-memory: MEMORY_MCP_TOOLS=${serverMemoryTools}`

/** Connects to a remote memory once the oracle is running, without blocking the start. */
export const remoteMemory = (
  { background, log, clock }: Pick<Host, 'background' | 'log' | 'clock'>,
  { url, engineUrl, token, tools = { kind: 'facts', names: usualFactTools }, factsPerPerson }: RemoteMemoryAddress,
): RemoteMemory => {
  const service = connectService({
    name: 'memory',
    url,
    token,
    tools: { needed: Object.fromEntries(Object.values(tools.names).map(name => [name, []])), remedy },
    limits: { callTimeoutMs: callLimitMs, longestCallMs: callLimitMs, maxResultCharacters },
    background,
    log,
    now: () => clock.now(),
  })
  if (tools.kind === 'graph') {
    const graph = graphMemory({ service, log, clock, tools: tools.names, factsPerPerson })
    return { store: graph, own: graph, service }
  }
  // The schema of the environment requires it for this kind.
  const engine = memoryEngine({ url: engineUrl!, token, log })
  const store: FactStore = { ...engine, ...mcpMemory({ service, log }, tools.names) }
  return { store, own: { ...store, forget: engine.forget }, service }
}

/** Minimum relevance of a fact that is added without a request. */
const relevantFrom = 0.5
const remembered = z.object({ fact: remoteFact, known: z.boolean().default(false) })
const recalled = z.object({ facts: z.array(remoteFact).max(1_000) })
const forgotten = z.object({ forgotten: z.boolean() })

/** Remembers, recalls and forgets through the tools of an MCP server; `subject` identifies the person by the DID only. */
const mcpMemory = (parts: McpMemoryParts, tools: FactTools): Pick<FactStore, 'remember' | 'recall' | 'forget'> => {
  const { log } = parts
  const call = callMemory(parts)

  return {
    async remember({ did }, { text, tags, importance }, key, signal) {
      const args = { subject: did, text, tags: [...tags], idempotencyKey: key }
      const given = importance === undefined ? args : { ...args, importance }
      const { fact, known } = await call(tools.remember, given, remembered, signal)
      if (ownFacts([fact], did, log).length === 0) throw memoryErrors.memory_refused()
      return { fact: factOfRemote(fact), isNew: !known }
    },
    async recall(did, text, limit, signal) {
      const query = text.slice(0, maxQuery).toWellFormed()
      const { facts } = await call(tools.recall, { subject: did, query, limit }, recalled, signal)
      return ownFacts(facts, did, log)
        .slice(0, limit)
        .map(fact => ({ fact: factOfRemote(fact), isRelevant: (fact.relevance ?? 0) >= relevantFrom }))
    },
    async forget(did, id, signal) {
      return (await call(tools.forget, { subject: did, id }, forgotten, signal)).forgotten
    },
  }
}

/** Maximum length of a query, in characters. */
const maxQuery = 2_000
