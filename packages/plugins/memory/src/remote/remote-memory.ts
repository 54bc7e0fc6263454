import { connectService, type McpService } from '@sibyl/mcp-client'
import type { Host } from '@sibyl/plugin'
import type { FactStore } from '../facts/fact-store.ts'
import { mcpMemory } from './mcp-memory.ts'
import { memoryEngine } from './memory-engine.ts'

export interface RemoteMemoryAddress {
  /** `MEMORY_MCP_URL`. */
  readonly url: string
  /** `MEMORY_ENGINE_URL`. */
  readonly engineUrl: string
  /** `MEMORY_MCP_TOKEN`. */
  readonly token: string | undefined
}

/** A remote memory: its facts, and how the connection to it is. */
export interface RemoteMemory {
  /** For the agent: by the tools of the MCP server. */
  readonly store: FactStore
  /** For the person: the same facts, forgotten by the HTTP API. */
  readonly own: FactStore
  readonly service: Pick<McpService, 'state' | 'reason' | 'close'>
}

/** How long a call may take, in milliseconds. */
const callLimitMs = 20_000

/** Connects to a remote memory once the oracle is up; nothing waits for it. */
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
