import { bodyErrors, type Clock, cleanText, type Logger, readText } from '@sibyl/plugin'
import { didText } from '@sibyl/protocol'
import { z } from 'zod'
import type { EntityHit } from '../records/found-records.ts'

/**
 * The query of a remote index: one POST with `{ query, variables: { q, first } }`. Its schema has at least
 *
 *     type Query { search(q: String!, first: Int!): [Entity!]! }
 *     type Entity { did: String!, type: String!, protocol: String, excerpt: String }
 *
 * `q` is the user's input, at most 500 characters; `first` is from 1 to 50.
 */
export const remoteSearchQuery =
  'query Search($q: String!, $first: Int!) { search(q: $q, first: $first) { did type protocol excerpt } }'

export interface RemoteHit extends Omit<EntityHit, 'entity'> {
  readonly protocol?: string
}

/** Result of a remote index; `incomplete` is the reason if results are missing. */
export interface RemoteAnswer {
  readonly hits: readonly RemoteHit[]
  readonly incomplete?: string
}

/** An index of entities at another host. */
export interface RemoteIndex {
  /** Never rejects. @param first maximum number of results */
  search(query: string, first: number): Promise<RemoteAnswer>
}

const maxBytes = 256 * 1024
const maxQuery = 500

/** Text of another host: without control characters, truncated. */
const foreignText = (maxLength: number) =>
  z.string().transform(text => cleanText(text.slice(0, 4 * maxLength), { maxLength, ellipsis: '' }))

const remoteEntity = z.object({
  did: didText,
  type: foreignText(64).pipe(z.string().min(1)),
  protocol: didText.nullish(),
  excerpt: foreignText(200).nullish(),
})

const remoteAnswer = z.object({ data: z.object({ search: z.array(z.unknown()) }) })

/** Reason for which a remote index returned nothing, without its own text. */
type Failure =
  | 'could not be reached'
  | 'failed'
  | 'took too long'
  | 'refused the query'
  | 'gave an answer of another form'

/** Failures that may be temporary. */
const passing: readonly Failure[] = ['could not be reached', 'failed', 'took too long']

export interface RemoteIndexOptions {
  readonly url: string
  readonly log: Pick<Logger, 'warn'>
  readonly clock: Clock
  /** Time limit of both attempts together. @default 3000 */
  readonly timeLimitMs?: number
}

/** Time for which an unavailable index is not called, in milliseconds, so that searches do not wait for it. */
const restMs = 10_000

/**
 * Creates the client of the index at `DOMAIN_INDEXER_URL`: one POST, and one retry after a network failure. An
 * unavailable index is not called for ten seconds.
 */
export const createRemoteIndex = ({ url, log, clock, timeLimitMs = 3_000 }: RemoteIndexOptions): RemoteIndex => {
  const source = new URL(url).host
  let down: { readonly reason: Failure; readonly until: number } | undefined

  const ask = async (variables: { readonly q: string; readonly first: number }, signal: AbortSignal) => {
    const first = await post(url, variables, signal)
    const again = typeof first === 'string' && passing.includes(first) && !signal.aborted
    return again ? await post(url, variables, signal) : first
  }

  return {
    async search(query, first) {
      if (down && clock.now() < down.until) return incomplete(source, down.reason)
      const q = query.slice(0, maxQuery).toWellFormed()
      const answer = await ask({ q, first }, AbortSignal.timeout(timeLimitMs))
      if (typeof answer === 'string') {
        log.warn('The remote index of entities is unavailable', { source, reason: answer })
        if (passing.includes(answer)) down = { reason: answer, until: clock.now() + restMs }
        return incomplete(source, answer)
      }
      const hits = answer.slice(0, first).flatMap(entity => hitOf(entity, source))
      return { hits }
    },
  }
}

const incomplete = (source: string, reason: Failure): RemoteAnswer => ({
  hits: [],
  incomplete: `The index at ${source} ${reason}; the results are entities of this oracle only.`,
})

const hitOf = (entity: unknown, source: string): readonly RemoteHit[] => {
  const read = remoteEntity.safeParse(entity)
  if (!read.success) return []
  const { did, type, protocol, excerpt } = read.data
  return [{ source, did, type, ...(protocol ? { protocol } : {}), ...(excerpt ? { excerpt } : {}) }]
}

const post = async (
  url: string,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<readonly unknown[] | Failure> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' },
      body: JSON.stringify({ query: remoteSearchQuery, operationName: 'Search', variables }),
      redirect: 'manual',
      signal,
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      return response.status >= 500 || response.status === 429 ? 'failed' : 'refused the query'
    }
    return entitiesIn(await readText(response, { maxBytes }))
  } catch (error) {
    if (bodyErrors.response_too_large.is(error)) return 'gave an answer of another form'
    return signal.aborted ? 'took too long' : 'could not be reached'
  }
}

const entitiesIn = (text: string): readonly unknown[] | Failure => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'gave an answer of another form'
  }
  const read = remoteAnswer.safeParse(json)
  if (read.success) return read.data.data.search
  const failed = z.object({ errors: z.array(z.unknown()).min(1) }).safeParse(json).success
  return failed ? 'refused the query' : 'gave an answer of another form'
}
