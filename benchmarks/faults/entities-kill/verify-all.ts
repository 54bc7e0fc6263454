import type { EntityRecord } from '@sibyl/plugin-entities/records'
import { call, mustCall } from '../entities/call.ts'
import { someAtATime } from '../entities/some-at-a-time.ts'
import { type KeyDocument, linkVerifier, type ProofLink } from '../entities/verify-links.ts'
import type { Random } from '../frame/random.ts'
import type { KnownEntity } from './known-entity.ts'

const namesSought = 400

/** Results of the routes. */
export interface Found {
  links: number
  /** Chains that the oracle, or a stranger, does not find whole. */
  broken: string[]
  lists: number
  searches: number
  /** Entities that a list or a search does not find, or finds by what they were before. */
  astray: string[]
}

/** Verifies every chain, reads lists by properties, and searches by names, through the routes. */
export const verifyAll = async (url: string, known: readonly KnownEntity[], random: Random): Promise<Found> => {
  const found: Found = { links: 0, broken: [], lists: 0, searches: 0, astray: [] }
  const there = known.filter(({ did }) => did !== undefined)
  const document = (await (await fetch(`${url}/.well-known/did.json`)).json()) as KeyDocument
  const firstFault = linkVerifier(document)
  await someAtATime(there, async ({ did = '', state }) => {
    const path = `/v1/entities/${encodeURIComponent(did)}/proof`
    const answer = await call<{ links: ProofLink[]; verified: boolean }>(url, { path, by: 'oracle' })
    const { links = [], verified } = answer?.body ?? {}
    const fault = firstFault(links)
    found.links += links.length
    const isWhole =
      verified && fault === undefined && links.length === state.version && links.every(link => link.did === did)
    if (!isWhole) found.broken.push(JSON.stringify({ did, verified, fault, links: links.length, state }))
  })
  for (const name of ['batch', 'stage']) {
    const wanted = Map.groupBy(there, ({ state }) => String(state.properties[name]))
    await someAtATime([...wanted], async ([value, members]) => {
      found.lists += 1
      const listed = await listAll(url, `property.${name}=${value}`)
      compare(
        `${name} ${value}`,
        listed,
        members.map(({ did = '' }) => did),
        found,
      )
    })
  }
  const sample = there.length <= namesSought ? there : Array.from({ length: namesSought }, () => random.pick(there))
  await someAtATime(sample, async ({ did = '', state, oldNames }) => {
    const isInUse = state.status === 'active'
    found.searches += 1
    compare('name', await search(url, String(state.properties.name)), isInUse ? [did] : [], found)
    for (const name of oldNames.slice(-2)) compare('old name', await search(url, name), [], found)
  })
  return found
}

const compare = (what: string, dids: readonly string[], wanted: readonly string[], found: Found): void => {
  const [one, other] = [new Set(dids), new Set(wanted)]
  const astray = [...dids.filter(did => !other.has(did)), ...wanted.filter(did => !one.has(did))]
  if (astray.length > 0 || dids.length !== wanted.length)
    found.astray.push(`by ${what}: ${astray.join(' ') || 'twice'}`)
}

const listAll = async (url: string, filter: string): Promise<readonly string[]> => {
  const dids: string[] = []
  let cursor = ''
  for (;;) {
    const path = `/v1/entities?limit=200&${filter}${cursor}`
    const page = await mustCall<{ entities: EntityRecord[]; next?: string }>(url, { path, by: 'oracle' })
    dids.push(...page.entities.map(({ did }) => did))
    if (page.next === undefined) return dids
    cursor = `&cursor=${encodeURIComponent(page.next)}`
  }
}

const search = async (url: string, word: string): Promise<readonly string[]> => {
  const { hits } = await mustCall<{ hits: { did: string }[] }>(url, { path: `/v1/search?q=${word}`, by: 'oracle' })
  return hits.map(({ did }) => did)
}
