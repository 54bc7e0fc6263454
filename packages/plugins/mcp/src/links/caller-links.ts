import { type Actor, isOracleError, ToolFailure } from '@sibyl/plugin'
import type { ServerIdentity } from '../servers-file/server-entry.ts'
import type { ServerLink } from './server-link.ts'

/** Maximum number of connections per server, and the time after which an unused one is closed, in milliseconds. */
const maxLinks = 50
const idleMs = 600_000

/** Connections to a server that acts for each caller: one per caller, never shared. */
export interface CallerLinks {
  /**
   * Returns the caller's connection, or creates it. Throws `ToolFailure` if the caller has not delegated the required
   * abilities, or if the right that they act under has ended.
   */
  of(actor: Actor): Promise<ServerLink>
  /** Returns the caller's open connection, if there is one. */
  peek(did: string): ServerLink | undefined
  readonly all: readonly ServerLink[]
  /** Closes the caller's connection, if there is one. */
  drop(did: string): Promise<void>
  dropAll(): Promise<void>
  close(): Promise<void>
}

export interface CallerLinksOptions {
  /** Name for users. */
  readonly server: string
  readonly identity: Extract<ServerIdentity, { kind: 'caller' }>
  /** Mints an invocation for a caller; rejects if they have not delegated it or if their right has ended. */
  mint(actor: Actor): Promise<string>
  /** Starts to connect, without waiting. @param token Mints an invocation for one request, or closes the connection. */
  connect(did: string, token: () => Promise<string>): ServerLink
}

/**
 * Manages the connections of callers. When the limit is reached, the least recently used one without a running call is
 * closed.
 */
export const createCallerLinks = ({ server, identity, mint, connect }: CallerLinksOptions): CallerLinks => {
  const links = new Map<string, { readonly link: ServerLink; timer: NodeJS.Timeout; caller: { actor: Actor } }>()
  let isClosed = false

  const drop = async (did: string) => {
    const entry = links.get(did)
    if (!entry) return
    links.delete(did)
    clearTimeout(entry.timer)
    await entry.link.close()
  }
  const dropAll = async () => {
    await Promise.all([...links.keys()].map(drop))
  }
  const isBusy = (did: string) => (links.get(did)?.link.connection.openCalls ?? 0) > 0
  const idle = (did: string) => {
    const timer = setTimeout(() => {
      const entry = links.get(did)
      if (entry && isBusy(did)) entry.timer = idle(did)
      else void drop(did)
    }, idleMs)
    timer.unref()
    return timer
  }

  /** Returns a token for a request on a caller's connection, under the right of its last use. */
  const tokenFor = async (caller: { readonly actor: Actor }): Promise<string> => {
    try {
      return await mint(caller.actor)
    } catch (error) {
      void drop(caller.actor.did)
      throw error
    }
  }

  return {
    async of(actor) {
      const { did } = actor
      try {
        await mint(actor)
      } catch (error) {
        await drop(did)
        throw notDelegated(server, identity, error)
      }
      if (isClosed) throw new ToolFailure(`The oracle is shutting down and no longer calls the MCP server ${server}.`)
      const known = links.get(did)
      clearTimeout(known?.timer)
      const caller = known?.caller ?? { actor }
      caller.actor = actor
      const link = known?.link ?? connect(did, () => tokenFor(caller))
      links.delete(did)
      links.set(did, { link, timer: idle(did), caller })
      if (links.size > maxLinks) {
        const longestUnused = [...links.keys()].find(one => one !== did && !isBusy(one))
        if (longestUnused !== undefined) void drop(longestUnused)
      }
      return link
    },
    peek: did => links.get(did)?.link,
    get all() {
      return [...links.values()].map(({ link }) => link)
    },
    drop,
    dropAll,
    close() {
      isClosed = true
      return dropAll()
    },
  }
}

const notDelegated = (
  server: string,
  { resource, ...identity }: CallerLinksOptions['identity'],
  error: unknown,
): Error => {
  if (!isOracleError(error)) return error instanceof Error ? error : new Error('minting failed')
  if (error.code !== 'delegation_missing') return new ToolFailure(error.message)
  const abilities = Array.isArray(error.facts.abilities) ? error.facts.abilities : identity.abilities
  return new ToolFailure(
    `The MCP server ${server} acts for each user under that user's delegation, and this user has not given one. Delegate ${abilities.join(' ')} on ${resource} to this oracle, and send the delegation with POST /delegation.`,
  )
}
