import type { McpConnection } from '@sibyl/mcp-client'
import { ToolFailure, type Turn } from '@sibyl/plugin'
import { createValueRedactor } from '@sibyl/plugin/host'
import type { ServerEntry, ServerIdentity } from '../servers-file/server-entry.ts'
import { createCallerLinks } from './caller-links.ts'
import type { ServerContext } from './server-context.ts'
import { connectServer, type LinkView, type ServerLink } from './server-link.ts'

/** The server's description of itself. */
export interface ServerWords {
  readonly title: string
  readonly instructions?: string
  readonly tools: readonly string[]
}

/** Access to a server: over one shared connection, or one per caller. */
export interface ServerWays {
  /** Returns the connection for the turn's caller. Throws `ToolFailure`. */
  use(turn: Pick<Turn, 'actor'>): Promise<ServerLink>
  /** Returns the open connection for a caller, if there is one. */
  peek(did: string): ServerLink | undefined
  all(): readonly ServerLink[]
  /** Returns the connection whose content every caller may know. */
  shared(): ServerLink | undefined
  /** Returns the server's public description of itself; the same object until it changes. */
  words(): ServerWords | undefined
  state(): 'ready' | 'pending' | 'degraded'
  reason(): string | undefined
  /** Connects if no caller is needed; resolves once it is ready or known to be unreachable. Never rejects. */
  start(signal: AbortSignal): Promise<void>
  /** Closes all connections, and starts again. Never rejects. */
  reconnect(signal: AbortSignal): Promise<void>
  /** Closes the connection of a caller. */
  forget(did: string): Promise<void>
  close(): Promise<void>
}

/** Number of recent invocations that are redacted from the server's responses. */
const keptTokens = 20

export const serverWays = (entry: ServerEntry, context: ServerContext): ServerWays =>
  entry.identity.kind === 'oracle' ? sharedWay(entry, context) : callerWay(entry, entry.identity, context)

const sharedWay = (entry: ServerEntry, context: ServerContext): ServerWays => {
  const redact = createValueRedactor(entry.secrets)
  let link: ServerLink | undefined
  let content: { readonly server: object; readonly view: LinkView; readonly words: ServerWords } | undefined
  let isClosed = false
  const open = (): ServerLink => {
    if (isClosed || !context.mayConnect()) throw new ToolFailure(`The MCP server ${entry.name} is not connected.`)
    link ??= connectServer(entry, context, { caller: '', redact })
    return link
  }
  const start = async (signal: AbortSignal) => {
    if (isClosed) return
    await open()
      .connection.ready(signal)
      .catch(() => {})
  }
  return {
    use: async () => open(),
    peek: () => link,
    all: () => (link ? [link] : []),
    shared: () => link,
    words() {
      const { view, connection } = link ?? {}
      const server = connection?.server
      if (!view || !server) return undefined
      if (content?.server !== server || content.view !== view)
        content = { server, view, words: wordsOf(server, view, redact) }
      return content.words
    },
    state: () => link?.connection.state ?? 'pending',
    reason: () => link?.reason,
    start,
    async reconnect(signal) {
      const last = link
      link = undefined
      await last?.close()
      await start(signal)
    },
    forget: async () => {},
    async close() {
      isClosed = true
      await link?.close()
    },
  }
}

const wordsOf = (
  { name, instructions }: NonNullable<McpConnection['server']>,
  { tools }: LinkView,
  redact: (text: string) => string,
): ServerWords => ({
  title: redact(name),
  ...(instructions === undefined ? {} : { instructions: redact(instructions) }),
  tools: tools.map(tool => tool.name),
})

const callerWay = (
  entry: ServerEntry,
  identity: Extract<ServerIdentity, { kind: 'caller' }>,
  context: ServerContext,
): ServerWays => {
  const links = createCallerLinks({
    server: entry.name,
    identity,
    mint: actor => context.mint(actor, identity),
    connect(did, mint) {
      let minted: readonly string[] = []
      let redact = createValueRedactor(entry.secrets)
      const headers = async () => {
        const token = await mint()
        minted = [...minted.slice(1 - keptTokens), token]
        redact = createValueRedactor([...entry.secrets, ...minted])
        return { Authorization: `Bearer ${token}` }
      }
      return connectServer(entry, context, { caller: did, headers, redact: text => redact(text) })
    },
  })
  return {
    async use({ actor }) {
      if (!context.mayConnect()) throw new ToolFailure(`The MCP server ${entry.name} is not connected.`)
      return links.of(actor)
    },
    peek: did => links.peek(did),
    all: () => links.all,
    shared: () => undefined,
    words: () => undefined,
    state: () => 'ready',
    reason: () => undefined,
    start: async () => {},
    reconnect: links.dropAll,
    forget: did => links.drop(did),
    close: () => links.close(),
  }
}
