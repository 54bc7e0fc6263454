import type { McpTool } from '@sibyl/mcp-client'
import { toJson } from '@sibyl/plugin/storage'
import type { McpToolRow } from './mcp-tables.ts'
import { definitionOf } from './tool-definition.ts'

/** The most tools of one server that are remembered, so that none can fill the database with names. */
const maxRemembered = 1_000

/** Whose tools: a server's name, and the DID of the person whose connection it is, empty where that is the oracle's own. */
export interface ToolSource {
  readonly server: string
  readonly caller: string
}

/** The fingerprint of a tool of which no definition was accepted. */
export const noFingerprint = ''

/** The columns of a tool that waits for nobody. */
export const noChange = { changed_fingerprint: null, changed_definition: null, changed_at: null }

type KnownTool = Pick<McpToolRow, 'fingerprint' | 'changed_fingerprint'>

/** The tools of which a row has to be written: unseen ones, as many as are remembered, and others than the rows say. */
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

/** Makes the row of a tool that was never seen before. */
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
