import { type Actor, isOracleError, ToolFailure } from '@sibyl/plugin'
import type { ServerIdentity } from '../servers-file/server-entry.ts'
import type { ServerLink } from './server-link.ts'

/** The most connections of one server that are kept, and how long one is kept that nobody uses, in milliseconds. */
const maxLinks = 50
const idleMs = 600_000

/** The connections of one server that acts for each person: one a person, never handed to another. */
export interface CallerLinks {
  /**
   * The person's own, made where there is none. Throws `ToolFailure` while they have not delegated what it takes, and once
   * the right has ended that they act under.
   */
  of(actor: Actor): Promise<ServerLink>
  /** The person's own where there is one just now. */
  peek(did: string): ServerLink | undefined
  readonly all: readonly ServerLink[]
  /** Closes the person's own, where there is one. */
  drop(did: string): Promise<void>
  close(): Promise<void>
}

/** What they are made of. */
export interface CallerLinksOptions {
  /** As people call it. */
  readonly server: string
  readonly identity: Extract<ServerIdentity, { kind: 'caller' }>
  /** Mints an invocation for that person; rejects where they have not delegated it, or their right has ended. */
  mint(actor: Actor): Promise<string>
  /** Connects; nothing waits for it. @param token Mints an invocation for one request, or closes the connection. */
  connect(did: string, token: () => Promise<string>): ServerLink
}

/** Keeps the connections of people; the one unused for longest makes room, none in the midst of a call. */
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

  /** A token for a request of a person's connection, under the right that they used it by last. */
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
      if (isClosed) throw new ToolFailure(`The oracle is ending; the MCP server ${server} is no longer asked.`)
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
    async close() {
      isClosed = true
      await Promise.all([...links.keys()].map(drop))
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
    `The MCP server ${server} acts for each person by a delegation of theirs, and this person has given none. They delegate ${abilities.join(' ')} on ${resource} to this oracle and send it with POST /delegation; then it works.`,
  )
}
