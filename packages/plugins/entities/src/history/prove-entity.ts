import { setImmediate } from 'node:timers/promises'
import canonicalize from 'canonicalize'
import { entitiesErrors } from '../errors/entities-errors.ts'
import type { EntityRecord } from '../records/entity-contract.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { type ChainPart, inRange, readChain, readPage } from './read-chain.ts'
import { type ChainLink, type ChainVerdict, type ChainViolation, chainStart, verifyChain } from './verify-chain.ts'

/** Reads the state of an entity that a proof compares with its links. */
export interface ProvenEntities {
  find(did: string): Promise<StoredEntity | undefined>
  records(entities: readonly StoredEntity[]): Promise<readonly EntityRecord[]>
  recordAt(did: string, at: number): Promise<EntityRecord | undefined>
}

export interface ProofDependencies {
  readonly read: EntitiesStorage['read']
  readonly reader: ProvenEntities
  /** The did:keys that may have signed: those of the oracle's DID document. */
  readonly keys: () => Promise<ReadonlySet<string>>
}

/** A page of a chain, and the result of its verification. */
export interface Proof {
  readonly links: readonly ChainLink[]
  readonly verdict: ProofVerdict
  /** The version after which the next page begins. */
  readonly next?: number
}

/** Verdict on a page of a chain; for the last page also on the entity. */
export interface ProofVerdict {
  readonly verified: boolean
  readonly fault?: { readonly version: number; readonly check: ChainViolation['check'] | 'entity' }
  /** Set where the entity was not compared, because its links are too large to be replayed. */
  readonly unchecked?: 'entity'
}

/** A time after every version. */
const end = new Date('9999-12-31T23:59:59.999Z').getTime()

/**
 * Verifies a page of an entity's chain, up to the first invalid link. On the last page it also verifies that the links
 * lead to the entity's current state, so that it detects both an altered entity and a chain that is truncated at its
 * end.
 *
 * @throws `history_unfinished`
 */
export const proveEntity = async (
  parts: ProofDependencies,
  entity: StoredEntity,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Proof> => {
  const page = await readPage(parts.read, entity, { after, limit })
  const links = page.parts.flatMap(part => part.links)
  const verdict = await verifyPage(page.parts, await linkAt(parts, entity, after), await parts.keys())
  const next = page.more ? links.at(-1)?.version : undefined
  if (next !== undefined) return { links, verdict, next }
  return { links, verdict: verdict.verified ? await verifyEntity(parts, entity.did) : verdict }
}

const linkAt = async (
  { read }: ProofDependencies,
  entity: StoredEntity,
  version: number,
): Promise<Pick<ChainLink, 'version' | 'hash'>> => {
  if (version === 0) return chainStart
  const [link] = await readChain(read, entity, { after: version - 1, before: version + 1, limit: 1 })
  return link ?? { version, hash: '' }
}

const verifyPage = async (
  parts: readonly ChainPart[],
  start: Pick<ChainLink, 'version' | 'hash'>,
  keys: ReadonlySet<string>,
): Promise<ChainVerdict> => {
  let before = start
  for (const { links } of parts) {
    const verdict = verifyChain(links, before, keys)
    if (!verdict.verified) return verdict
    before = links.at(-1) ?? before
    await setImmediate()
  }
  return { verified: true }
}

/** Maximum number of comparisons if the entity changes meanwhile. */
const maxReads = 5

const verifyEntity = async ({ read, reader }: ProofDependencies, did: string): Promise<ProofVerdict> => {
  for (let attempt = 1; ; attempt += 1) {
    const entity = await reader.find(did)
    if (!entity) return { verified: false, fault: { version: 0, check: 'entity' } }
    const [record] = await reader.records([entity])
    const [last] = await inRange(read, entity.id, { order: 'descending', limit: 1 }).select('hash').execute()
    const replayed = await reader.recordAt(did, end).catch(asTooLong)
    if (replayed === 'too-long') return { verified: true, unchecked: 'entity' }
    if (last?.hash === entity.hash && canonicalize(record) === canonicalize(replayed)) return { verified: true }
    const isStill = (await reader.find(did))?.version === entity.version
    if (isStill || attempt === maxReads) return { verified: false, fault: { version: entity.version, check: 'entity' } }
  }
}

const asTooLong = (error: unknown): 'too-long' => {
  if (entitiesErrors.history_too_long.is(error)) return 'too-long'
  throw error
}
