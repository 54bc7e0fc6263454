import { bodyErrors, type Logger, listErrors, readText, withTimeout } from '@sibyl/plugin'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { type Fact, maxFactText, maxTag, maxTags, usualImportance } from '../facts/fact.ts'
import type { FactStore } from '../facts/fact-store.ts'
import { memoryErrors } from '../facts/memory-errors.ts'

/** Schema of a fact from a remote memory; invalid facts are rejected, and long members are truncated. */
export const remoteFact = z.object({
  subject: z.string().min(1).max(500),
  /** No character that could begin a new line. */
  id: z
    .string()
    .max(100)
    .regex(/^[^\p{C}\s]+$/u),
  text: z.string().transform(text => text.slice(0, maxFactText)),
  tags: z
    .array(z.string().transform(tag => tag.slice(0, maxTag)))
    .default([])
    .transform(tags => tags.slice(0, maxTags)),
  importance: z.int().min(1).max(5).default(usualImportance),
  createdAt: z.iso.datetime({ offset: true }),
  updatedAt: z.iso.datetime({ offset: true }).optional(),
  /** Relevance for the query, from 0 to 1. */
  relevance: z.number().optional(),
})

export type RemoteFact = z.output<typeof remoteFact>

/** Converts a fact from a remote memory. */
export const factOfRemote = ({ id, text, tags, importance, createdAt, updatedAt = createdAt }: RemoteFact): Fact => ({
  id,
  text: text.toWellFormed(),
  tags: tags.map(tag => tag.toWellFormed()),
  importance,
  createdAt: Date.parse(createdAt),
  updatedAt: Date.parse(updatedAt),
})

/** Options of the HTTP API of a remote memory. */
export interface MemoryEngineDependencies {
  /** `MEMORY_ENGINE_URL`. */
  readonly url: string
  /** `MEMORY_MCP_TOKEN`. */
  readonly token: string | undefined
  readonly log: Pick<Logger, 'warn'>
  /** Time limit of one request. @default 10_000 */
  readonly limitMs?: number
}

/** Ids that a URL would resolve as a step to another path, possibly that of all facts. */
const isPathStep = /^\.{1,2}$/
/** Maximum size of a response, in bytes. */
const maxBytes = 4_000_000
const page = z.object({ facts: z.array(remoteFact).max(1_000), next: z.string().min(1).max(1_000).nullish() })
const gone = z.object({ forgotten: z.int().min(0) })

/** Lists and deletes facts of a remote memory through its HTTP API; facts of other people are dropped. */
export const memoryEngine = ({
  url,
  token,
  log,
  limitMs = 10_000,
}: MemoryEngineDependencies): Pick<FactStore, 'list' | 'forget' | 'forgetAll'> => {
  const request = async (
    method: 'GET' | 'DELETE',
    path: string,
    query: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ) => {
    const address = new URL(url)
    address.pathname = `${address.pathname.replace(/\/$/, '')}${path}`
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    const headers = { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    const send = async (limit: AbortSignal) => {
      const response = await fetch(address, { method, headers, redirect: 'manual', signal: limit })
      return { status: response.status, body: parseJson(await readText(response, { maxBytes })) }
    }
    try {
      return await withTimeout(send, { timeoutMs: limitMs, signal })
    } catch (cause) {
      signal?.throwIfAborted()
      if (bodyErrors.response_too_large.is(cause)) throw memoryErrors.memory_refused({ cause })
      throw memoryErrors.memory_unavailable({ cause })
    }
  }

  /** Throws the error of an unexpected status. */
  const refuse = (status: number): never => {
    log.warn('the remote memory rejected a request', { status })
    throw status >= 500 || status === 429 ? memoryErrors.memory_unavailable() : memoryErrors.memory_refused()
  }

  return {
    async list(did, limit, cursor, signal) {
      const query = { subject: did, limit: String(limit), ...(cursor === undefined ? {} : { cursor }) }
      const { status, body } = await request('GET', '/facts', query, signal)
      if (status === 400 && cursor !== undefined) throw listErrors.cursor_invalid()
      if (status !== 200) return refuse(status)
      const read = page.safeParse(body)
      if (!read.success) throw memoryErrors.memory_refused()
      const { facts, next } = read.data
      return { facts: ownFacts(facts, did, log).map(factOfRemote), ...(next ? { next } : {}) }
    },
    async forget(did, id, signal) {
      if (isPathStep.test(id)) return false
      const path = `/facts/${encodeURIComponent(id.toWellFormed())}`
      const { status } = await request('DELETE', path, { subject: did }, signal)
      if (status === 404) return false
      return status === 204 ? true : refuse(status)
    },
    async forgetAll(did, signal) {
      const { status, body } = await request('DELETE', '/facts', { subject: did }, signal)
      if (status !== 200) return refuse(status)
      const read = gone.safeParse(body)
      if (!read.success) throw memoryErrors.memory_refused()
      return read.data.forgotten
    },
  }
}

/** Returns the facts of the requested person; facts of other people are logged and dropped. */
export const ownFacts = <Told extends { readonly subject: string }>(
  facts: readonly Told[],
  did: string,
  log: Pick<Logger, 'warn'>,
): readonly Told[] => {
  const own = facts.filter(({ subject }) => subject === did)
  if (own.length < facts.length) {
    log.warn('the remote memory returned facts of another person; they were dropped', {
      facts: facts.length - own.length,
    })
  }
  return own
}
