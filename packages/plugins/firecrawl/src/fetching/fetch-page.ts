import { ToolFailure } from '@sibyl/plugin'
import { type GuardedAnswer, OutboundFailed, OutboundRefused, OutboundTimeout } from '@sibyl/plugin/outbound'
import { decodeText, isWideText } from './decode-text.ts'
import { decompress } from './decompress.ts'
import { looksLikeHtml, nameOfType, type PageKind, pageKindOf, readMediaType, sniffBinary } from './media-type.ts'
import type { SiteFetch } from './site-fetch.ts'
import type { SiteRobots } from './site-robots.ts'

/** A fetched page, decoded. */
export interface FetchedPage {
  /** Its address after redirects. */
  readonly address: URL
  readonly status: number
  readonly kind: PageKind
  readonly text: string
  /** Seconds between two requests, as requested by its site. */
  readonly crawlDelay: number | undefined
  /** False if the page is larger than the part that was read. */
  readonly isComplete: boolean
}

/** Fetches a page; throws a `ToolFailure` with the reason if it fails, or the reason of the signal. */
export type FetchPage = (address: URL, signal: AbortSignal) => Promise<FetchedPage>

export interface FetchPageOptions {
  readonly fetch: SiteFetch
  readonly robots: SiteRobots
  /** Maximum size of a page in bytes, also after decompression. */
  readonly maxBytes: number
  /** Time limit in milliseconds for all: robots.txt, redirects and the page. */
  readonly timeLimitMs: number
}

const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

export const createFetchPage = ({ fetch, robots, maxBytes, timeLimitMs }: FetchPageOptions): FetchPage => {
  const readAnswer = async (answer: GuardedAnswer, address: URL, signal: AbortSignal) => {
    const { status, headers } = answer
    if (status < 200 || status > 299) throw new ToolFailure(statusText(status))
    const encoding = headers.get('content-encoding')
    const { bytes, isComplete } = await decompress(answer.body, encoding, answer.isComplete, maxBytes, signal)
    const { type, charset } = readMediaType(headers.get('content-type'))
    const binary = sniffBinary(bytes, isWideText(bytes, charset))
    if (binary !== undefined) throw notRead(binary)
    const declared = pageKindOf(type)
    const text = decodeText(bytes, charset, declared !== 'text' && declared !== 'json')
    const kind = declared !== 'json' && looksLikeHtml(text) ? 'html' : (declared ?? 'text')
    return { address, status, kind, text, isComplete }
  }

  /** Each hop is a request of its own: its site's robots.txt is read, and its address is checked. */
  const follow = async (start: URL, signal: AbortSignal): Promise<FetchedPage> => {
    let address = start
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      demandWeb(address)
      const rules = await robots.rulesOf(address, signal)
      if (rules === 'refused') throw new ToolFailure(noRobots)
      if (!rules.allows(address.pathname + address.search)) throw new ToolFailure(disallowed)
      const answer = await fetch(address, { maxBytes, signal, onHead: demandReadable })
      const location = redirectStatuses.has(answer.status) ? answer.headers.get('location') : null
      if (location === null) return { ...(await readAnswer(answer, address, signal)), crawlDelay: rules.crawlDelay }
      if (!URL.canParse(location, address)) throw new ToolFailure('The page redirects to an invalid address.')
      address = new URL(location, address)
    }
    throw new ToolFailure('The page has too many redirects.')
  }

  return async (start, signal) => {
    const limit = AbortSignal.timeout(timeLimitMs)
    try {
      return await follow(start, AbortSignal.any([limit, signal]))
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted) throw new ToolFailure(`The page did not load within ${timeLimitMs / 1_000} s.`)
      throw asToolFailure(error)
    }
  }
}

/** Rejects addresses without a robots.txt; the request itself rejects all others. */
const demandWeb = ({ protocol, username, password }: URL): void => {
  if (protocol !== 'http:' && protocol !== 'https:') throw new OutboundRefused('scheme')
  if (username !== '' || password !== '') throw new OutboundRefused('credentials')
}

/** Rejects unsupported content before its body is received. A missing type is detected from the body. */
const demandReadable = ({ status, headers }: Pick<GuardedAnswer, 'status' | 'headers'>): void => {
  const { type } = readMediaType(headers.get('content-type'))
  if (status < 300 && type !== '' && pageKindOf(type) === undefined) throw notRead(type)
}

const notRead = (type: string): ToolFailure =>
  new ToolFailure(`The content is ${nameOfType(type)}, which is not supported. Only web pages and text can be read.`)

const noRobots = 'The robots.txt of the site is unavailable, so the page was not read. Try again later.'

const disallowed = 'The robots.txt of the site disallows robots on this page, so it was not read.'

const reasons: Readonly<Record<number, string>> = {
  401: 'it needs a login',
  402: 'it requires payment',
  403: 'access is forbidden',
  404: 'the page does not exist',
  410: 'the page no longer exists',
  429: 'it received too many requests',
  451: 'it is withheld for legal reasons',
}

const statusText = (status: number): string => {
  const reason = reasons[status] ?? (status >= 500 ? 'it has an internal error' : undefined)
  return `The site answered ${status}${reason === undefined ? '' : `: ${reason}`}.`
}

const asToolFailure = (error: unknown): unknown => {
  const isOutbound =
    error instanceof OutboundRefused || error instanceof OutboundFailed || error instanceof OutboundTimeout
  return isOutbound ? new ToolFailure(error.message, { cause: error }) : error
}
