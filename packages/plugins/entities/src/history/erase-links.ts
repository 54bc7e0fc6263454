import type { Host } from '@sibyl/plugin'
import { toJson } from '@sibyl/plugin/storage'
import { isObject, type JsonValue } from '@sibyl/protocol'
import type { EntitiesStorage, EntitiesTransaction, LinkErasure } from '../storage/entities-tables.ts'
import { signErasure } from './link-erasure.ts'
import { readPage } from './read-chain.ts'
import { lockEntity } from './snapshot-store.ts'
import type { ChainLink } from './verify-chain.ts'

/** Members of a change that users write. Those of a Protocol are a template for others, and stay. */
const personalMembers: readonly string[] = ['properties', 'services', 'alsoKnownAs']

/** Person whose data is erased from a link, and the extent of the erasure. */
export interface LinkErasing {
  readonly did: string
  /** Replacement for the DID. */
  readonly mark: string
  /** True if the entity was the person's, so that the content of its changes is removed as well. */
  readonly isTheirs: boolean
}

/** Returns the part of a link that stays after an erasure; the link itself if it has no data of the person. */
const withoutPerson = (link: ChainLink, { did, mark, isTheirs }: LinkErasing): ChainLink => {
  const left = isTheirs ? withoutMembers(link.change) : link.change
  const change = replaced(left, did, mark)
  const by = link.by === did ? mark : link.by
  return by === link.by && change === link.change ? link : { ...link, by, change }
}

const withoutMembers = (change: JsonValue): JsonValue => {
  if (!isObject(change)) return change
  if (!Object.keys(change).some(name => personalMembers.includes(name))) return change
  return Object.fromEntries(Object.entries(change).filter(([name]) => !personalMembers.includes(name)))
}

/** Replaces a DID everywhere in a value; returns the same value if it does not occur. */
const replaced = (value: JsonValue, did: string, mark: string): JsonValue => {
  if (value === did) return mark
  if (typeof value !== 'object' || value === null || !JSON.stringify(value).includes(did)) return value
  if (Array.isArray(value)) return value.map(item => replaced(item, did, mark))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, did, mark)]))
}

/** A link after an erasure. */
export interface ErasedLinkRow {
  readonly link: ChainLink
  readonly erasure: LinkErasure
}

export interface EraseLinksDependencies {
  readonly storage: Pick<EntitiesStorage, 'read' | 'write'>
  readonly identity: Pick<Host['identity'], 'did' | 'sign'>
  readonly now: () => number
}

const pageSize = 200

/** Number of links in one write, so that no write takes long. */
const writtenAtOnce = 100

/**
 * Erases a person from the links of an entity in several writes. Each link is independent: after a crash, the
 * next erasure continues with the others.
 *
 * @returns the last few links, signed, for the caller to write
 */
export const eraseMostLinks = async (
  { storage, identity, now }: EraseLinksDependencies,
  entity: { readonly id: string; readonly did: string },
  erasing: LinkErasing,
): Promise<readonly ErasedLinkRow[]> => {
  let rows: ErasedLinkRow[] = []
  for (let after = 0; ; ) {
    const { parts, more } = await readPage(storage.read, entity, { after, limit: pageSize })
    const links = parts.flatMap(part => part.links)
    for (const link of links) {
      const left = withoutPerson(link, erasing)
      if (left !== link) rows.push({ link: left, erasure: await signErasure(identity, left, now()) })
      if (rows.length < writtenAtOnce) continue
      const full = rows
      rows = []
      await storage.write(tx => writeErasedLinks(tx, entity.id, full), inParts)
    }
    after = links.at(-1)?.version ?? after
    if (!more) return rows
    await new Promise(resume => setImmediate(resume))
  }
}

const inParts = { isolation: 'read committed', scrub: true, log: 'copied' } as const

/** Replaces links by their erased form, and deletes the snapshots that were built from them. */
export const writeErasedLinks = async (
  tx: EntitiesTransaction,
  entityId: string,
  rows: readonly ErasedLinkRow[],
): Promise<void> => {
  await lockEntity(tx, entityId)
  await tx.deleteFrom('entities_snapshots').where('entity_id', '=', entityId).execute()
  for (const { link, erasure } of rows) {
    await tx
      .updateTable('entities_events')
      .set({ by: link.by, change: toJson(link.change), erasure: toJson(erasure) })
      .where(eb => eb.and({ entity_id: entityId, version: link.version, hash: link.hash }))
      .execute()
  }
}
