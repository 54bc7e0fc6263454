import { createCalls } from './calls/create-calls.ts'
import type { McpConnection, McpState, McpTool } from './connection/mcp-connection.ts'
import type { McpConnectionOptions } from './connection/mcp-connection-options.ts'
import { defaultMcpLimits } from './connection/mcp-limits.ts'
import { McpCallFailed, McpError, McpTimeout, McpUnavailable } from './errors/mcp-errors.ts'
import { defaultBackOff, pause } from './link/back-off.ts'
import { type Link, StaleSession } from './link/link.ts'
import type { ServerKnowledge } from './link/link-over.ts'

/** A connection that lasted this long, in milliseconds, restarts with the shortest back-off when it is lost. */
const steadyMs = 10_000

/**
 * Connects to a server in the background and stays connected: nothing waits for it, and it never throws.
 *
 * @example
 * const notes = connectMcp({ name: 'notes', address: { kind: 'http', url, headers: {} }, log: host.log })
 * await notes.ready(signal)
 */
export const connectMcp = (options: McpConnectionOptions): McpConnection => {
  const { name, address, headers, authProvider, authorized, log, now = Date.now, backOffMs = defaultBackOff } = options
  const limits = { ...defaultMcpLimits, ...options.limits }
  const stop = new AbortController()
  const known: ServerKnowledge = {}
  const listeners = new Set<() => void>()
  let state: McpState = 'pending'
  let reason: string | undefined
  let link: Link | undefined
  let server: McpConnection['server']
  let offers = { resources: false, prompts: false }
  let tools: readonly McpTool[] = []
  let leftOut: McpConnection['leftOut'] = []

  const change = (next: McpState, why?: string) => {
    state = next
    reason = why
    for (const listener of [...listeners]) listener()
  }

  /** Resolves with the connection once it is ready; the reason rejects where it is not. */
  const whenReady = (signal?: AbortSignal) =>
    new Promise<Link>((resolve, reject) => {
      const settle = () => {
        if (state === 'pending' && !signal?.aborted) return
        listeners.delete(settle)
        signal?.removeEventListener('abort', settle)
        if (state === 'ready' && link) resolve(link)
        else reject(new McpUnavailable(reason ?? `The MCP server ${name} is not connected yet.`))
      }
      listeners.add(settle)
      signal?.addEventListener('abort', settle, { once: true })
      settle()
    })

  /** The connection after this one, which the server knows no more. */
  const renew = async (stale: Link, signal?: AbortSignal) => {
    if (link === stale) {
      change('pending')
      await stale.end(new BeginAgain(`The MCP server ${name} started a new session.`))
    }
    return whenReady(signal)
  }

  /** Repeats a read-only request if the server has lost the session. */
  const reading = async <T>(read: (link: Link) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const first = await whenReady(signal)
    try {
      return await read(first)
    } catch (error) {
      if (error instanceof StaleSession) return read(await renew(first, signal))
      throw error
    }
  }

  const calls = createCalls({ server: name, limits, now, log, link: whenReady, renew })

  /** All pages together have the time of a connection; it does not hold up the end of one. */
  const list = async (from: Link) => {
    const deadline = AbortSignal.timeout(limits.connectTimeoutMs)
    try {
      const listed = await from.listTools(AbortSignal.any([stop.signal, deadline]))
      tools = listed.tools
      leftOut = listed.leftOut
    } catch (error) {
      if (!deadline.aborted || stop.signal.aborted) throw error
      const seconds = limits.connectTimeoutMs / 1000
      throw new McpTimeout(`The MCP server ${name} did not list its tools within ${seconds} seconds.`)
    }
  }

  let isListing = false
  let listAgain = false
  let relists = 0
  let calmSince = Number.NEGATIVE_INFINITY
  /** Lists the tools again: one list at a time, with growing delays while the server keeps changing them. */
  const relist = async () => {
    listAgain = true
    if (isListing || !link) return
    isListing = true
    while (listAgain && link) {
      listAgain = false
      if (now() - calmSince >= steadyMs) relists = 0
      try {
        await list(link)
        change(state, reason)
      } catch (error) {
        if (error instanceof StaleSession && link) void renew(link).catch(() => {})
        const facts = { server: name, why: sentence(error) }
        if (!stop.signal.aborted) {
          log[relists === 0 ? 'warn' : 'debug']('The tools of an MCP server could not be listed again', facts)
        }
      }
      await pause(backOffMs(relists++), stop.signal)
      calmSince = now()
    }
    isListing = false
  }

  /** One life of the connection, from its beginning to its loss. */
  const live = async (): Promise<{ made?: Link; why: unknown; readyMs: number }> => {
    let made: Link | undefined
    try {
      const { openLink } = await import('./link/open-link.ts')
      const onToolsChanged = () => void relist()
      const { signal } = stop
      const { question: onQuestion } = calls
      made = await openLink({
        name,
        address,
        limits,
        headers,
        authProvider,
        authorized,
        log,
        now,
        known,
        signal,
        onQuestion,
        onToolsChanged,
      })
      await list(made)
      if (signal.aborted) return { made, why: undefined, readyMs: 0 }
      link = made
      server = made.server
      offers = made.offers
      const began = now()
      const facts = { server: name, tools: tools.length, leftOut: leftOut.length }
      if (known.isAway) log.info('An MCP server is connected again', facts)
      else log.debug('An MCP server is ready', facts)
      known.isAway = false
      change('ready')
      if (listAgain) void relist()
      return { made, why: await made.lost, readyMs: now() - began }
    } catch (error) {
      return { ...(made && { made }), why: error, readyMs: 0 }
    }
  }

  const run = async () => {
    let attempt = 0
    while (!stop.signal.aborted) {
      const { made, why, readyMs } = await live()
      link = undefined
      if (readyMs >= steadyMs) attempt = 0
      const atOnce = why instanceof BeginAgain && attempt === 0
      if (!atOnce && !stop.signal.aborted) change('degraded', sentence(why))
      await made?.end()
      if (stop.signal.aborted) break
      if (atOnce) {
        attempt++
        continue
      }
      const waitMs = backOffMs(attempt++)
      const facts = { server: name, why: sentence(why), waitMs: Math.round(waitMs) }
      log[known.isAway ? 'debug' : 'warn']('An MCP server is unreachable; the connection is retried', facts)
      known.isAway = true
      await pause(waitMs, stop.signal)
    }
    change('degraded', `The connection to the MCP server ${name} was closed.`)
  }

  const sentence = (error: unknown): string =>
    error instanceof McpError ? error.message : `The MCP server ${name} is unreachable.`

  const running = run()

  return {
    get state() {
      return state
    },
    get reason() {
      return reason
    },
    get server() {
      return server
    },
    get offers() {
      return offers
    },
    get tools() {
      return tools
    },
    get leftOut() {
      return leftOut
    },
    get openCalls() {
      return calls.open
    },
    async ready(signal) {
      await whenReady(signal)
    },
    async call(tool, args, callOptions) {
      await whenReady(callOptions?.signal)
      const found = tools.find(one => one.name === tool)
      if (!found) throw new McpCallFailed(`The MCP server ${name} has no tool with this name.`)
      return calls.call(found, args, callOptions)
    },
    resources: signal => reading(on => on.resources(signal), signal),
    resourceTemplates: signal => reading(on => on.resourceTemplates(signal), signal),
    read: (uri, signal) => reading(on => on.read(uri, signal), signal),
    prompts: signal => reading(on => on.prompts(signal), signal),
    prompt: (prompt, args, signal) => reading(on => on.prompt(prompt, args, signal), signal),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      stop.abort()
      calls.stop(new McpUnavailable(`The connection to the MCP server ${name} was closed.`))
      await link?.end(new McpUnavailable(`The connection to the MCP server ${name} was closed.`))
      await running
    },
  }
}

/** The server knows the session no more; a new one is begun at once. */
class BeginAgain extends McpUnavailable {}
