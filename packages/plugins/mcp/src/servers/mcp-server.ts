import type { McpTool } from '@sibyl/mcp-client'
import type { Capability, Manifest, Tool, Tools } from '@sibyl/plugin'
import type { ServerContext } from '../links/server-context.ts'
import type { LinkView, ServerLink } from '../links/server-link.ts'
import { type ServerWords, serverWays } from '../links/server-ways.ts'
import type { ServerEntry } from '../servers-file/server-entry.ts'
import { resourceToolNames, resourceTools } from '../tools/resource-tools.ts'
import { type ServerToolContext, serverTool } from '../tools/server-tool.ts'
import { toolName } from '../tools/tool-name.ts'
import { serverManifest } from './server-manifest.ts'

/** A server of the file, with its connections and its capability. */
export interface McpServer {
  readonly entry: ServerEntry
  readonly capability: Capability
  /** Returns the connection that is shown to a caller: the oracle's own, or the caller's if there is one. */
  linkOf(did: string): ServerLink | undefined
  /** Returns all open connections. */
  links(): readonly ServerLink[]
  /** Returns the name of a tool in a conversation, without the server's prefix. */
  nameOf(tool: string): string
  /** Connects if no caller is needed; resolves once it is ready or known to be unreachable. Never rejects. */
  start(signal: AbortSignal): Promise<void>
  /** Closes all connections, and starts again. Never rejects. */
  reconnect(signal: AbortSignal): Promise<void>
  /** Closes the connection of a caller. */
  forget(did: string): Promise<void>
  close(): Promise<void>
}

/** Creates a server without connecting it. */
export const createMcpServer = (entry: ServerEntry, context: ServerContext): McpServer => {
  const ways = serverWays(entry, context)
  const made = new WeakMap<McpTool, Tool>()
  const toolContext: ServerToolContext = {
    entry,
    held: context.held,
    now: context.now,
    link: ({ turn }) => ways.use(turn),
  }

  const nameOf = (tool: string, link: ServerLink | undefined) =>
    toolName(entry.name, tool, context.prefixes, link && resourceToolNames(link.connection.offers))

  const toolsOf = (link: ServerLink, view: LinkView): Tools => {
    const own = view.tools.map(tool => {
      const known = made.get(tool) ?? serverTool(tool, context.toolStore.fingerprint(tool), toolContext)
      made.set(tool, known)
      return [nameOf(tool.name, link), known] as const
    })
    return { ...Object.fromEntries(own), ...resourceTools(resourceToolNames(link.connection.offers), toolContext) }
  }

  let manifest: { readonly words: ServerWords | undefined; readonly value: Manifest } | undefined
  let known: { readonly view: LinkView; readonly tools: Tools } | undefined

  return {
    entry,
    capability: {
      name: entry.name,
      get manifest() {
        const words = ways.words()
        if (!manifest || manifest.words !== words) {
          manifest = { words, value: serverManifest(entry, context.prefixes, words) }
        }
        return manifest.value
      },
      async tools(turn) {
        const link = await ways.use(turn)
        return toolsOf(link, await link.check())
      },
      state: ways.state,
      reason: ways.reason,
      knownTools() {
        const link = ways.shared()
        if (!link) return {}
        if (known?.view !== link.view) known = { view: link.view, tools: toolsOf(link, link.view) }
        return known.tools
      },
    },
    linkOf: ways.peek,
    links: ways.all,
    nameOf: tool => nameOf(tool, ways.all()[0]),
    start: ways.start,
    reconnect: ways.reconnect,
    forget: ways.forget,
    close: ways.close,
  }
}
