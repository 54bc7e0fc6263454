import { toJson } from '@sibyl/plugin/storage'
import type { ClaimsStorage, ClaimsTransaction, CollectionDetails } from '../definitions/claims-tables.ts'
import { type Collection, collectionOf } from './collection.ts'

/** Properties of a collection that may change. */
export type CollectionChange = Pick<
  Collection,
  'closed' | 'confirm' | 'quota' | 'opensAt' | 'closesAt' | 'leastProtocolVersion' | 'acceptedProtocolVersion'
>

export type CollectionStore = ReturnType<typeof createCollectionStore>

export const createCollectionStore = (storage: ClaimsStorage) => ({
  async find(id: string, tx?: ClaimsTransaction) {
    const row = await (tx ?? storage.read)
      .selectFrom('claims_collections')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && collectionOf(row)
  },
  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Collection>> {
    if (ids.length === 0) return new Map()
    const rows = await storage.read
      .selectFrom('claims_collections')
      .selectAll()
      .where('id', 'in', [...ids])
      .execute()
    return new Map(rows.map(row => [row.id, collectionOf(row)]))
  },
  /** Returns a page of collections, newest first. @param after The last id of the previous page. */
  async list(
    { protocol, open }: { readonly protocol?: string; readonly open?: boolean },
    limit: number,
    after?: string,
  ): Promise<readonly Collection[]> {
    let query = storage.read.selectFrom('claims_collections').selectAll().orderBy('id', 'desc').limit(limit)
    if (protocol !== undefined) query = query.where('protocol', '=', protocol)
    if (open) query = query.where('closed', '=', false)
    if (after !== undefined) query = query.where('id', '<', after)
    return (await query.execute()).map(row => collectionOf(row))
  },
  /** Stores a new collection; does nothing if its id exists. */
  async insert(collection: Collection, tx: ClaimsTransaction): Promise<void> {
    const row = await tx
      .insertInto('claims_collections')
      .values({
        id: collection.id,
        title: collection.title,
        controller: collection.controller,
        protocol: collection.protocol ?? null,
        details: detailsOf(collection),
        ...changeable(collection),
        taken: collection.taken,
        created_at: collection.createdAt,
        updated_at: collection.updatedAt,
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return
    const parties = [...new Set([collection.controller, ...collection.evaluators])]
    await tx
      .insertInto('claims_collection_parties')
      .values(
        parties.map(party => ({
          party,
          collection_id: collection.id,
          evaluates: collection.evaluators.includes(party),
        })),
      )
      .execute()
  },
  async change(before: Collection, change: CollectionChange, at: number, tx: ClaimsTransaction): Promise<void> {
    await tx
      .updateTable('claims_collections')
      .set({ ...changeable(change), details: detailsOf({ ...before, ...change }), updated_at: at })
      .where('id', '=', before.id)
      .execute()
  },
  /** Counts one more claim if the quotas and the controller allow it. */
  async take(id: string, asset: string | undefined, tx: ClaimsTransaction): Promise<'taken' | 'collection' | 'asset'> {
    const counted = await tx
      .updateTable('claims_collections')
      .set(column => ({ taken: column('taken', '+', 1) }))
      .where(eb => eb.and({ id, closed: false }))
      .where(where => where.or([where('quota_all', 'is', null), where('taken', '<', where.ref('quota_all'))]))
      .returning('quota_per_asset')
      .executeTakeFirst()
    if (!counted) return 'collection'
    if (asset === undefined) return 'taken'
    const quota = counted.quota_per_asset ?? Number.MAX_SAFE_INTEGER
    const ofAsset = await tx
      .insertInto('claims_asset_counts')
      .values({ collection_id: id, asset, taken: 1 })
      .onConflict(conflict =>
        conflict
          .columns(['collection_id', 'asset'])
          .doUpdateSet(column => ({ taken: column('claims_asset_counts.taken', '+', 1) }))
          .where('claims_asset_counts.taken', '<', quota),
      )
      .returning('taken')
      .executeTakeFirst()
    return ofAsset ? 'taken' : 'asset'
  },
})

const detailsOf = ({
  submitters,
  evaluators,
  evaluation,
  confirm,
  conditions,
  guidance,
  verifier,
  credentialType,
}: CollectionDetails) =>
  toJson({ submitters, evaluators, evaluation, confirm, conditions, guidance, verifier, credentialType })

const changeable = (change: CollectionChange) => ({
  closed: change.closed,
  least_version: change.leastProtocolVersion ?? null,
  accepted_version: change.acceptedProtocolVersion ?? null,
  quota_all: change.quota.all ?? null,
  quota_per_asset: change.quota.perAsset ?? null,
  opens_at: change.opensAt ?? null,
  closes_at: change.closesAt ?? null,
})
