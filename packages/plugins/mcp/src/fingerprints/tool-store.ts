import type { McpTool } from '@sibyl/mcp-client'
import type { Clock, Host } from '@sibyl/plugin'
import { deleteInParts, sql, toJson } from '@sibyl/plugin/storage'
import type { McpTables } from './mcp-tables.ts'
import { type DefinitionChange, definitionChanges, definitionOf, fingerprintOf } from './tool-definition.ts'
import { differences, newRow, noChange, noFingerprint, type ToolSource } from './tool-rows.ts'

/** Retention of a caller's tools after the last visit, in milliseconds. */
const keptMs = 90 * 86_400_000
const dayMs = 86_400_000

/** Tools of a server by whether they may be offered. */
export interface JudgedTools {
  readonly accepted: readonly McpTool[]
  /** Tools whose definition differs from the accepted one; they wait for the operator. */
  readonly changed: readonly McpTool[]
  /** Tools that appeared after the first connection to the server; they wait for the operator. */
  readonly added: readonly McpTool[]
  /** New tools of a server that has already shown too many others. */
  readonly tooMany: readonly McpTool[]
}

/** A new or changed tool that waits for the operator. */
export interface WaitingTool {
  readonly server: string
  readonly tool: string
  /** True if no definition of it was accepted before. */
  readonly isNew: boolean
  /** Fingerprint of the new definition. */
  readonly fingerprint: string
  readonly changedAt: number
  readonly changes: readonly DefinitionChange[]
}

type McpStorage = Host<unknown, McpTables>['storage']

/** Creates the store of tool definitions since their first use, for all processes on one database. */
export const createToolStore = (storage: McpStorage, clock: Clock) => {
  const fingerprints = new WeakMap<McpTool, string>()
  /** Returns a tool's fingerprint; it is computed once. */
  const fingerprint = (tool: McpTool): string => {
    const known = fingerprints.get(tool) ?? fingerprintOf(tool)
    fingerprints.set(tool, known)
    return known
  }

  const rowsOf = async (database: McpStorage['read'], { server, caller }: ToolSource) => {
    const rows = await database
      .selectFrom('mcp_tools')
      .select(['tool', 'fingerprint', 'changed_fingerprint', 'seen_at'])
      .where(eb => eb.and({ server, caller }))
      .execute()
    return new Map(rows.map(row => [row.tool, row]))
  }

  /** Returns which of these definitions the operator has confirmed, for any caller. */
  const confirmedAmong = async (tx: McpStorage['read'], server: string, tools: readonly McpTool[]) => {
    const rows = await tx
      .selectFrom('mcp_tools')
      .select('fingerprint')
      .where('server', '=', server)
      .where('confirmed_at', 'is not', null)
      .where('fingerprint', 'in', tools.map(fingerprint))
      .execute()
    return new Set(rows.map(row => row.fingerprint))
  }

  const write = (source: ToolSource, tools: readonly McpTool[]) =>
    storage.write(async tx => {
      const now = clock.now()
      const rows = await rowsOf(tx, source)
      const isFirst = rows.size === 0
      const own = tx.updateTable('mcp_tools').where('server', '=', source.server).where('caller', '=', source.caller)
      const { fresh, altered, reverted } = differences(rows, tools, fingerprint)
      const open = isFirst ? [] : [...fresh, ...altered]
      const confirmed = open.length === 0 ? new Set<string>() : await confirmedAmong(tx, source.server, open)
      const isConfirmed = (tool: McpTool) => confirmed.has(fingerprint(tool))
      if (fresh.length > 0) {
        const values = fresh.map(tool =>
          newRow(source, tool, fingerprint(tool), now, isFirst ? 'first' : isConfirmed(tool) ? 'confirmed' : 'waiting'),
        )
        await tx
          .insertInto('mcp_tools')
          .values(values)
          .onConflict(it => it.doNothing())
          .execute()
      }
      for (const tool of altered) {
        const change = isConfirmed(tool)
          ? { fingerprint: fingerprint(tool), definition: toJson(definitionOf(tool)), confirmed_at: now, ...noChange }
          : {
              changed_fingerprint: fingerprint(tool),
              changed_definition: toJson(definitionOf(tool)),
              changed_at: now,
            }
        await own.set(change).where('tool', '=', tool.name).execute()
      }
      for (const tool of reverted) await own.set(noChange).where('tool', '=', tool.name).execute()
      await own.set({ seen_at: now }).execute()
    })

  return {
    fingerprint,
    /**
     * Compares tools with the accepted ones. On the first connection to a server all of its tools are accepted. A tool
     * that appears later waits for the operator, like a changed one.
     */
    async judge(source: ToolSource, tools: readonly McpTool[]): Promise<JudgedTools> {
      let rows = await rowsOf(storage.read, source)
      const { fresh, altered, reverted } = differences(rows, tools, fingerprint)
      const [first] = rows.values()
      const isStale = first !== undefined && first.seen_at < clock.now() - dayMs
      if (fresh.length + altered.length + reverted.length > 0 || isStale) {
        await write(source, tools)
        rows = await rowsOf(storage.read, source)
      }
      const isAccepted = (tool: McpTool) => rows.get(tool.name)?.fingerprint === fingerprint(tool)
      const refused = tools.filter(tool => rows.has(tool.name) && !isAccepted(tool))
      const isNew = ({ name }: McpTool) => rows.get(name)?.fingerprint === noFingerprint
      return {
        accepted: tools.filter(isAccepted),
        changed: refused.filter(tool => !isNew(tool)),
        added: refused.filter(isNew),
        tooMany: tools.filter(({ name }) => !rows.has(name)),
      }
    },
    /** Returns the tools that wait for the operator. */
    async waiting(server?: string): Promise<readonly WaitingTool[]> {
      let query = storage.read.selectFrom('mcp_tools').selectAll().where('changed_fingerprint', 'is not', null)
      if (server !== undefined) query = query.where('server', '=', server)
      const rows = await query.orderBy('server').orderBy('tool').limit(1_000).execute()
      return distinct(
        rows.flatMap(row => {
          const { changed_fingerprint: fingerprint, changed_definition: after, changed_at: changedAt } = row
          if (fingerprint === null || after === null || changedAt === null) return []
          const isNew = row.fingerprint === noFingerprint
          const changes = definitionChanges(isNew ? undefined : row.definition, after)
          return [{ server: row.server, tool: row.tool, isNew, fingerprint, changedAt, changes }]
        }),
      )
    },
    /** Accepts new definitions by their fingerprints; returns the names of the tools that are now accepted. */
    confirm: (
      server: string,
      tools: readonly { readonly name: string; readonly fingerprint: string }[],
    ): Promise<readonly string[]> =>
      storage.write(async tx => {
        const confirmed: string[] = []
        for (const { name, fingerprint } of tools) {
          await tx
            .updateTable('mcp_tools')
            .set({
              fingerprint,
              definition: sql.ref<never>('changed_definition'),
              ...noChange,
              confirmed_at: clock.now(),
            })
            .where(eb => eb.and({ server, tool: name, changed_fingerprint: fingerprint }))
            .execute()
          const accepted = await tx
            .selectFrom('mcp_tools')
            .select('tool')
            .where(eb => eb.and({ server, tool: name, fingerprint }))
            .executeTakeFirst()
          if (accepted) confirmed.push(name)
        }
        return confirmed
      }),
    /** Deletes the tools of callers who have not connected for 90 days. */
    async forgetOld(): Promise<void> {
      const before = clock.now() - keptMs
      await deleteInParts(storage, {
        table: 'mcp_tools',
        key: ['server', 'caller', 'tool'],
        where: eb => eb.and([eb('caller', '!=', ''), eb('seen_at', '<', before)]),
      })
    },
  }
}

export type ToolStore = ReturnType<typeof createToolStore>

/** Returns each change once, even if it waits for several callers. */
const distinct = (tools: readonly WaitingTool[]): WaitingTool[] => {
  const seen = new Set<string>()
  return tools.filter(({ server, tool, fingerprint }) => {
    const key = JSON.stringify([server, tool, fingerprint])
    return !seen.has(key) && seen.add(key)
  })
}
