import type { Clock, Host } from '@sibyl/core'
import { sql, toJson } from '@sibyl/core/storage'
import type { McpTool } from '@sibyl/mcp-client'
import type { McpTables, McpToolRow } from './mcp-tables.ts'
import { type DefinitionChange, definitionChanges, definitionOf, fingerprintOf } from './tool-definition.ts'

/** How long the tools of a person who does not come back are kept, in milliseconds. */
const keptMs = 90 * 86_400_000
const dayMs = 86_400_000

/** The most tools of one server that are remembered, so that none can fill the database with names. */
const maxRemembered = 1_000

/** Whose tools: a server's name, and the DID of the person whose connection it is, empty where that is the oracle's own. */
export interface ToolSource {
  readonly server: string
  readonly caller: string
}

/** What of a server's tools may be offered. */
export interface JudgedTools {
  readonly accepted: readonly McpTool[]
  /** Those whose definition is another than the one that was accepted. */
  readonly changed: readonly McpTool[]
  /** Those that were never seen before on a server that was. */
  readonly added: readonly McpTool[]
  /** Those that were never seen before, of a server that has shown too many others. */
  readonly tooMany: readonly McpTool[]
}

/** A tool that waits for the operator. */
export interface ChangedTool {
  readonly server: string
  readonly tool: string
  /** Of the new definition. */
  readonly fingerprint: string
  readonly changedAt: number
  readonly changes: readonly DefinitionChange[]
}

/** Remembers the definition of each tool from when it was first seen, for all processes on one database. */
export interface ToolBook {
  /** A tool's fingerprint, made once. */
  fingerprint(tool: McpTool): string
  /** Compares tools with what was accepted; one that was never seen is accepted. */
  judge(source: ToolSource, tools: readonly McpTool[]): Promise<JudgedTools>
  /** The tools that wait for the operator. */
  changed(server?: string): Promise<readonly ChangedTool[]>
  /** Accepts new definitions by their fingerprints; gives the names of those that are accepted now. */
  confirm(
    server: string,
    tools: readonly { readonly name: string; readonly fingerprint: string }[],
  ): Promise<readonly string[]>
  /** Forgets the tools of people who have not come for 90 days. */
  forgetOld(): Promise<void>
}

/** Makes the book on the plugin's tables. */
export const createToolBook = (storage: Host<unknown, McpTables>['storage'], clock: Clock): ToolBook => {
  const fingerprints = new WeakMap<McpTool, string>()
  const fingerprint = (tool: McpTool): string => {
    const known = fingerprints.get(tool) ?? fingerprintOf(tool)
    fingerprints.set(tool, known)
    return known
  }

  const rowsOf = async ({ server, caller }: ToolSource) => {
    const rows = await storage.read
      .selectFrom('mcp_tools')
      .select(['tool', 'fingerprint', 'changed_fingerprint', 'seen_at'])
      .where('server', '=', server)
      .where('caller', '=', caller)
      .execute()
    return new Map(rows.map(row => [row.tool, row]))
  }

  const write = (
    source: ToolSource,
    { fresh, altered, reverted }: Record<'fresh' | 'altered' | 'reverted', McpTool[]>,
  ) =>
    storage.write(async tx => {
      const now = clock.now()
      const own = tx.updateTable('mcp_tools').where('server', '=', source.server).where('caller', '=', source.caller)
      if (fresh.length > 0) {
        const values = fresh.map(tool => newRow(source, tool, fingerprint(tool), now))
        await tx
          .insertInto('mcp_tools')
          .values(values)
          .onConflict(it => it.doNothing())
          .execute()
      }
      for (const tool of altered) {
        await own
          .set({
            changed_fingerprint: fingerprint(tool),
            changed_definition: toJson(definitionOf(tool)),
            changed_at: now,
          })
          .where('tool', '=', tool.name)
          .where('fingerprint', '!=', fingerprint(tool))
          .execute()
      }
      for (const tool of reverted) {
        await own
          .set({ changed_fingerprint: null, changed_definition: null, changed_at: null })
          .where('tool', '=', tool.name)
          .where('fingerprint', '=', fingerprint(tool))
          .execute()
      }
      await own.set({ seen_at: now }).execute()
    })

  return {
    fingerprint,
    async judge(source, tools) {
      let rows = await rowsOf(source)
      const wasKnown = rows.size > 0
      const unseen = tools.filter(({ name }) => !rows.has(name))
      const fresh = unseen.slice(0, Math.max(maxRemembered - rows.size, 0))
      const altered = tools.filter(tool => isOther(rows.get(tool.name), fingerprint(tool)))
      const reverted = tools.filter(tool => {
        const row = rows.get(tool.name)
        return row !== undefined && row.changed_fingerprint !== null && row.fingerprint === fingerprint(tool)
      })
      const untold = altered.filter(tool => rows.get(tool.name)?.changed_fingerprint !== fingerprint(tool))
      const [first] = rows.values()
      const isStale = first !== undefined && first.seen_at < clock.now() - dayMs
      if (fresh.length + untold.length + reverted.length > 0 || isStale) {
        await write(source, { fresh, altered: untold, reverted })
        if (fresh.length > 0) rows = await rowsOf(source)
      }
      const isAccepted = (tool: McpTool) => rows.get(tool.name)?.fingerprint === fingerprint(tool)
      return {
        accepted: tools.filter(isAccepted),
        changed: tools.filter(tool => rows.has(tool.name) && !isAccepted(tool)),
        tooMany: unseen.slice(fresh.length),
        added: wasKnown ? fresh.filter(isAccepted) : [],
      }
    },
    async changed(server) {
      let query = storage.read.selectFrom('mcp_tools').selectAll().where('changed_fingerprint', 'is not', null)
      if (server !== undefined) query = query.where('server', '=', server)
      const rows = await query.orderBy('server').orderBy('tool').limit(1_000).execute()
      return distinct(
        rows.flatMap(row => {
          const { changed_fingerprint: fingerprint, changed_definition: after, changed_at: changedAt } = row
          if (fingerprint === null || after === null || changedAt === null) return []
          const changes = definitionChanges(row.definition, after)
          return [{ server: row.server, tool: row.tool, fingerprint, changedAt, changes }]
        }),
      )
    },
    confirm: (server, tools) =>
      storage.write(async tx => {
        const confirmed: string[] = []
        for (const { name, fingerprint } of tools) {
          await tx
            .updateTable('mcp_tools')
            .set({
              fingerprint,
              definition: sql.ref<never>('changed_definition'),
              changed_fingerprint: null,
              changed_definition: null,
              changed_at: null,
              confirmed_at: clock.now(),
            })
            .where('server', '=', server)
            .where('tool', '=', name)
            .where('changed_fingerprint', '=', fingerprint)
            .execute()
          const accepted = await tx
            .selectFrom('mcp_tools')
            .select('tool')
            .where('server', '=', server)
            .where('tool', '=', name)
            .where('fingerprint', '=', fingerprint)
            .executeTakeFirst()
          if (accepted) confirmed.push(name)
        }
        return confirmed
      }),
    async forgetOld() {
      const before = clock.now() - keptMs
      await storage.write(tx =>
        tx.deleteFrom('mcp_tools').where('caller', '!=', '').where('seen_at', '<', before).execute(),
      )
    },
  }
}

const isOther = (row: Pick<McpToolRow, 'fingerprint'> | undefined, fingerprint: string): boolean =>
  row !== undefined && row.fingerprint !== fingerprint

const newRow = ({ server, caller }: ToolSource, tool: McpTool, fingerprint: string, now: number) => ({
  server,
  caller,
  tool: tool.name,
  fingerprint,
  definition: toJson(definitionOf(tool)),
  first_seen_at: now,
  seen_at: now,
  changed_fingerprint: null,
  changed_definition: null,
  changed_at: null,
  confirmed_at: null,
})

/** One of each, where the same change waits for several people. */
const distinct = (tools: readonly ChangedTool[]): ChangedTool[] => {
  const seen = new Set<string>()
  return tools.filter(({ server, tool, fingerprint }) => {
    const key = JSON.stringify([server, tool, fingerprint])
    return !seen.has(key) && seen.add(key)
  })
}
