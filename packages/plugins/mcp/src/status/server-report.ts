import type { WaitingTool } from '../fingerprints/tool-book.ts'
import type { ServerLink } from '../links/server-link.ts'
import type { McpServer } from '../servers/mcp-server.ts'

/** How a server is, for whom it is shown. */
export interface ServerReport {
  readonly name: string
  readonly state: 'ready' | 'pending' | 'degraded'
  readonly reason?: string
  /** How many tools are offered. */
  readonly tools: number
  readonly leftOut: readonly { readonly name: string; readonly fault: string }[]
  /** The names of tools that are refused until the operator confirms them. */
  readonly changed: readonly string[]
  /** The names of tools that appeared later and are refused until the operator confirms them. */
  readonly added: readonly string[]
}

/** How a server is, as seen over one connection; `undefined` where nobody has connected yet. */
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

/** One line on a server: `notes is ready (3 tools)`. */
export const reportLine = ({ name, state, reason, tools, leftOut, changed, added }: ServerReport): string => {
  const counts = [
    tools === 1 ? '1 tool' : `${tools} tools`,
    ...(leftOut.length > 0 ? [`${leftOut.length} left out`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed and refused until the operator confirms them`] : []),
    ...(added.length > 0 ? [`${added.length} new and refused until the operator confirms them`] : []),
  ].join(', ')
  if (state === 'ready') return `${name} is ready (${counts})`
  if (state === 'pending') return `${name} is being reached`
  return `${name} is away${reason === undefined ? '' : `: ${reason.replace(/[.!?]$/, '')}`}`
}

/** The members of a definition that are different, in words: `description and inputSchema`. */
export const changedMembers = ({ changes }: Pick<WaitingTool, 'changes'>): string =>
  changes.map(({ member }) => member).join(' and ')
