import { setImmediate } from 'node:timers/promises'
import canonicalize from 'canonicalize'
import type { EntityReader } from '../reading/entity-reader.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { readChain } from './read-chain.ts'
import { readPage } from './read-page.ts'
import { type ChainFault, type ChainLink, type ChainVerdict, chainStart, verifyChain } from './verify-chain.ts'

/** What a proof rests on. */
export interface ProofParts {
  readonly read: EntitiesStorage['read']
  readonly reader: Pick<EntityReader, 'find' | 'records' | 'recordAt'>
  /** The did:keys that may have signed: those of the oracle's DID document. */
  readonly keys: () => Promise<ReadonlySet<string>>
}

/** A page of a chain, and what was found of it. */
export interface Proof {
  readonly links: readonly ChainLink[]
  readonly verdict: ProofVerdict
  /** The version after which the next page begins. */
  readonly next?: number
}

/** What was found of a page of a chain, and at its end of the entity. */
export interface ProofVerdict {
  readonly verified: boolean
  readonly fault?: { readonly version: number; readonly check: ChainFault['check'] | 'entity' }
}

/** So many links are verified before others get their turn. */
const verifiedAtOnce = 50

/** After every version. */
const end = new Date('9999-12-31T23:59:59.999Z').getTime()

/**
 * Verifies a page of an entity's chain; on the last one also that the entity is what all its links say, so that neither an
 * altered entity nor a chain that is cut off at its end passes.
 */
export const proveEntity = async (
  parts: ProofParts,
  entity: StoredEntity,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Proof> => {
  const { links, more } = await readPage(parts.read, entity, { after, limit })
  const verdict = await verifyPage(links, await linkAt(parts, entity, after), await parts.keys())
  const next = more ? links.at(-1)?.version : undefined
  if (next !== undefined) return { links, verdict, next }
  return { links, verdict: verdict.verified ? await verifyEntity(parts, entity.did) : verdict }
}

const linkAt = async (
  { read }: ProofParts,
  entity: StoredEntity,
  version: number,
): Promise<Pick<ChainLink, 'version' | 'hash'>> => {
  if (version === 0) return chainStart
  const [link] = await readChain(read, entity, { after: version - 1, before: version + 1, limit: 1 })
  return link ?? { version, hash: '' }
}

const verifyPage = async (
  links: readonly ChainLink[],
  start: Pick<ChainLink, 'version' | 'hash'>,
  keys: ReadonlySet<string>,
): Promise<ChainVerdict> => {
  let before = start
  for (let from = 0; from < links.length; from += verifiedAtOnce) {
    const part = links.slice(from, from + verifiedAtOnce)
    const verdict = verifyChain(part, before, keys)
    if (!verdict.verified) return verdict
    before = part.at(-1) ?? before
    await setImmediate()
  }
  return { verified: true }
}

/** How often it is looked again where the entity changes meanwhile. */
const mostLooks = 5

const verifyEntity = async ({ read, reader }: ProofParts, did: string): Promise<ProofVerdict> => {
  for (let look = 1; ; look += 1) {
    const entity = await reader.find(did)
    if (!entity) return { verified: false, fault: { version: 0, check: 'entity' } }
    const [record] = await reader.records([entity])
    const [last] = await readChain(read, entity, { order: 'descending', limit: 1 })
    const isSame = last?.hash === entity.hash && canonicalize(record) === canonicalize(await reader.recordAt(did, end))
    if (isSame) return { verified: true }
    const isStill = (await reader.find(did))?.version === entity.version
    if (isStill || look === mostLooks) return { verified: false, fault: { version: entity.version, check: 'entity' } }
  }
}
