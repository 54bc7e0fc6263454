import type { WaitingTool } from '../fingerprints/tool-store.ts'
import type { ServerLink } from '../links/server-link.ts'
import type { McpServer } from '../servers/mcp-server.ts'

/** State of a server for a caller. */
export interface ServerReport {
  readonly name: string
  readonly state: 'ready' | 'pending' | 'degraded'
  readonly reason?: string
  /** Number of offered tools. */
  readonly tools: number
  readonly leftOut: readonly { readonly name: string; readonly fault: string }[]
  /** Names of changed tools that are rejected until the operator confirms them. */
  readonly changed: readonly string[]
  /** Names of new tools that are rejected until the operator confirms them. */
  readonly added: readonly string[]
}

/** Returns the state of a server over one connection; undefined without a connection. */
export const serverReport = ({ entry, capability }: McpServer, link: ServerLink | undefined): ServerReport => {
  const state = link?.connection.state ?? capability.state()
  const reason = link?.reason
  return {
    name: entry.name,
    state,
    ...(reason === undefined || state === 'ready' ? {} : { reason }),
    tools: link?.view.tools.length ?? 0,
    leftOut: link?.view.leftOut ?? [],
    changed: link?.view.changed ?? [],
    added: link?.view.added ?? [],
  }
}

/** Returns one line about a server: `notes is ready (3 tools)`. */
export const reportLine = ({ name, state, reason, tools, leftOut, changed, added }: ServerReport): string => {
  const counts = [
    tools === 1 ? '1 tool' : `${tools} tools`,
    ...(leftOut.length > 0 ? [`${leftOut.length} left out`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed and rejected until the operator confirms them`] : []),
    ...(added.length > 0 ? [`${added.length} new and rejected until the operator confirms them`] : []),
  ].join(', ')
  if (state === 'ready') return `${name} is ready (${counts})`
  if (state === 'pending') return `${name} is connecting`
  return `${name} is unreachable${reason === undefined ? '' : `: ${reason.replace(/[.!?]$/, '')}`}`
}

/** Returns the changed members of a definition as text: `description and inputSchema`. */
export const changedMembers = ({ changes }: Pick<WaitingTool, 'changes'>): string =>
  changes.map(({ member }) => member).join(' and ')
