import type { Host, PersonalRecords } from '@sibyl/plugin'
import type { McpTables } from './fingerprints/mcp-tables.ts'
import type { McpServer } from './servers/mcp-server.ts'

/**
 * Creates the personal records: the tools that each server showed to a person. An erasure closes the person's
 * connections first, so that none writes again.
 */
export const callerRecords = (
  storage: Host<unknown, McpTables>['storage'],
  servers: readonly Pick<McpServer, 'forget'>[],
): PersonalRecords => ({
  async export(did) {
    const rows = await storage.read
      .selectFrom('mcp_tools')
      .select(['server', 'tool', 'first_seen_at', 'seen_at'])
      .where('caller', '=', did)
      .orderBy('server')
      .orderBy('tool')
      .execute()
    if (rows.length === 0) return undefined
    return rows.map(({ server, tool, first_seen_at, seen_at }) => ({
      server,
      tool,
      firstSeenAt: new Date(first_seen_at).toISOString(),
      seenAt: new Date(seen_at).toISOString(),
    }))
  },
  async erase(did) {
    await Promise.all(servers.map(server => server.forget(did)))
    await storage.write(tx => tx.deleteFrom('mcp_tools').where('caller', '=', did).execute(), {
      isolation: 'read committed',
      scrub: true,
    })
  },
})
