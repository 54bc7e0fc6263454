import type { McpServer } from './mcp-server.ts'

/** How many servers are reached at once while the oracle starts. */
const atOnce = 8

/** Connects the servers, a few at a time, in their order. Never rejects. */
export const startServers = async (servers: readonly McpServer[], signal: AbortSignal): Promise<void> => {
  const waiting = servers.values()
  const work = async () => {
    for (const server of waiting) {
      if (signal.aborted) return
      await server.start(signal)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
