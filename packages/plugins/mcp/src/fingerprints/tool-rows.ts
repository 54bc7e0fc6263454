import type { McpTool } from '@sibyl/mcp-client'
import { toJson } from '@sibyl/plugin/storage'
import type { McpToolRow } from './mcp-tables.ts'
import { definitionOf } from './tool-definition.ts'

/** Maximum number of stored tools per server, so that no server can fill the database. */
const maxRemembered = 1_000

/** Source of tools: a server's name, and the DID of the connection's caller, empty for the oracle's own connection. */
export interface ToolSource {
  readonly server: string
  readonly caller: string
}

/** Fingerprint of a tool without an accepted definition. */
export const noFingerprint = ''

/** Columns of a tool that has no pending change. */
export const noChange = { changed_fingerprint: null, changed_definition: null, changed_at: null }

type KnownTool = Pick<McpToolRow, 'fingerprint' | 'changed_fingerprint'>

/** Returns the tools whose rows must be written: new ones up to the limit, and those that differ from their rows. */
export const differences = (
  rows: ReadonlyMap<string, KnownTool>,
  tools: readonly McpTool[],
  fingerprint: (tool: McpTool) => string,
): Record<'fresh' | 'altered' | 'reverted', readonly McpTool[]> => {
  const known = tools.flatMap(tool => {
    const row = rows.get(tool.name)
    return row === undefined ? [] : [{ tool, row, now: fingerprint(tool) }]
  })
  return {
    fresh: tools.filter(({ name }) => !rows.has(name)).slice(0, Math.max(maxRemembered - rows.size, 0)),
    altered: known
      .filter(({ row, now }) => row.fingerprint !== now && row.changed_fingerprint !== now)
      .map(({ tool }) => tool),
    reverted: known
      .filter(({ row, now }) => row.fingerprint === now && row.changed_fingerprint !== null)
      .map(({ tool }) => tool),
  }
}

export const newRow = (
  { server, caller }: ToolSource,
  tool: McpTool,
  fingerprint: string,
  now: number,
  state: 'first' | 'confirmed' | 'waiting',
) => {
  const definition = toJson(definitionOf(tool))
  const change =
    state === 'waiting'
      ? { changed_fingerprint: fingerprint, changed_definition: definition, changed_at: now }
      : noChange
  return {
    server,
    caller,
    tool: tool.name,
    fingerprint: state === 'waiting' ? noFingerprint : fingerprint,
    definition,
    first_seen_at: now,
    seen_at: now,
    ...change,
    confirmed_at: state === 'confirmed' ? now : null,
  }
}
