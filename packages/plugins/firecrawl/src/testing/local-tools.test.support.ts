import type { Host, Tool, ToolCall } from '@sibyl/plugin'
import { createGuardedFetch, type GuardedFetch } from '@sibyl/plugin/outbound'
import type { JsonValue } from '@sibyl/protocol'
import { testLimits } from '@sibyl/testing'
import { embeddedParts, type FirecrawlOptions } from '../embedded-parts.ts'
import { type FirecrawlEnv, firecrawlEnv } from '../fetching/firecrawl-env.ts'

/** Stands for the world; `insideHost` for the house. */
export const outsideHost = '127.0.0.2'
export const insideHost = '127.0.0.1'

/** A guard for which `outsideHost` is the one public address. Each look-up of a name gives the next of its addresses. */
export const worldFetch = (names: Readonly<Record<string, readonly string[]>> = {}): GuardedFetch => {
  const asked = new Map<string, number>()
  return createGuardedFetch({
    async resolve(hostname) {
      const addresses = names[hostname] ?? []
      const count = asked.get(hostname) ?? 0
      asked.set(hostname, count + 1)
      const address = addresses[Math.min(count, addresses.length - 1)]
      if (address === undefined) throw new Error('ENOTFOUND')
      return [{ address, family: 4 }]
    },
    rules: allowPrivate => address => address === outsideHost || (allowPrivate && address === insideHost),
  })
}

/** What `scrape_url` gives. */
export interface Scraped {
  readonly url: string
  readonly status: number
  readonly language?: string
  readonly content: { readonly source: string; readonly notice: string; readonly text: string }
  readonly isArticle: boolean
  readonly truncated: boolean
  readonly nextOffset?: number
  readonly links?: { readonly text: string }
}

/** What `crawl_site` gives. */
export interface Crawled {
  readonly url: string
  readonly count: number
  readonly pages: readonly { readonly url: string; readonly nextOffset?: number }[]
  readonly content: { readonly text: string }
  readonly skipped: readonly { readonly url: string; readonly reason: string }[]
  readonly stopped?: string
}

/** The plugin's tools, without an oracle around them. */
export interface LocalTools {
  scrape(
    url: string,
    input?: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
    actorDid?: string,
  ): Promise<Scraped>
  crawl(url: string, input?: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Crawled>
  /** Parts that the tools added to the answer. */
  readonly parts: { readonly name: string; readonly data: JsonValue }[]
  /** Moves the clock on. */
  wait(milliseconds: number): void
  close(): Promise<void>
}

/** Makes them. @param env variables beside `FIRECRAWL_MCP_URL` */
export const localTools = (env: Readonly<Record<string, string>> = {}, options: FirecrawlOptions = {}): LocalTools => {
  let now = Date.now()
  let pages = 0
  const parsed = firecrawlEnv.parse({ FIRECRAWL_MCP_URL: 'embedded:', FIRECRAWL_PAGES_PER_MINUTE: '600', ...env })
  const host = {
    env: parsed,
    clock: { now: () => now },
    identity: { publicDid: 'did:web:oracle.example.org' },
    limits: {
      ...testLimits(),
      async take({ perMinute }: { readonly perMinute: number }) {
        pages += 1
        return { allowed: pages <= perMinute, limit: perMinute, remaining: perMinute - pages, endsInMs: 1_000 }
      },
    },
  } as unknown as Host<FirecrawlEnv>
  const { tools, dispose } = embeddedParts(host, { crawlPauseMs: 0, ...options })
  const parts: LocalTools['parts'] = []
  const call = async (name: string, input: unknown, signal = new AbortController().signal, actorDid = 'did:key:z1') => {
    const tool: Tool = (tools as Readonly<Record<string, Tool>>)[name]!
    const toolCall = {
      turn: { actor: { did: actorDid, via: 'ucan' } },
      signal,
      emit: (part: LocalTools['parts'][number]) => parts.push(part),
    }
    return tool.output?.parse(await tool.execute(tool.input.parse(input), toolCall as unknown as ToolCall))
  }
  return {
    scrape: async (url, input, signal, actorDid) =>
      (await call('scrape_url', { url, ...input }, signal, actorDid)) as Scraped,
    crawl: async (url, input, signal) => (await call('crawl_site', { url, ...input }, signal)) as Crawled,
    parts,
    wait(milliseconds) {
      now += milliseconds
    },
    close: async () => dispose?.(),
  }
}
