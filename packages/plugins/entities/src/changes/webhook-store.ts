import { type Full, fullOfRows, type LimitShare } from '@sibyl/plugin'
import { toJson } from '@sibyl/plugin/storage'
import type { EntitiesStorage, WebhookRow } from '../storage/entities-tables.ts'
import type { ChangePosition } from './change.ts'

/** Maximum number of webhooks: per holder, and in total. */
export const maxWebhooks = { ofHolder: 20, ofAll: 1_000 } as const

export type WebhookProgress = Partial<
  Pick<
    WebhookRow,
    | 'state'
    | 'transaction'
    | 'sequence'
    | 'failures'
    | 'failing_since'
    | 'next_try_at'
    | 'last_failure'
    | 'delivered_at'
  >
>

export type WebhookStore = ReturnType<typeof createWebhookStore>

const webhookOf = (row: WebhookRow) => ({
  id: row.id,
  owner: row.owner,
  /** The caller who registered it; undefined in rows from before the column existed. */
  maker: row.maker ?? undefined,
  url: row.url,
  filters: row.filters,
  signer: row.signer,
  state: row.state,
  /** Position of the last completed change. */
  position: { transaction: row.transaction, sequence: row.sequence },
  failures: row.failures,
  failingSince: row.failing_since ?? undefined,
  nextTryAt: row.next_try_at ?? undefined,
  lastFailure: row.last_failure ?? undefined,
  deliveredAt: row.delivered_at ?? undefined,
  createdAt: row.created_at,
})

export type Webhook = Readonly<ReturnType<typeof webhookOf>>

export const createWebhookStore = (storage: EntitiesStorage) => {
  const rows = () => storage.read.selectFrom('entities_webhooks').selectAll()
  return {
    async find(id: string): Promise<Webhook | undefined> {
      const row = await rows().where('id', '=', id).executeTakeFirst()
      return row && webhookOf(row)
    },
    /** Returns the webhooks of an owner, or all that receive changes; oldest first. */
    async list(of: { readonly owner: string } | 'active'): Promise<readonly Webhook[]> {
      const query = of === 'active' ? rows().where('state', '=', 'active') : rows().where('owner', '=', of.owner)
      return (await query.orderBy('created_at').orderBy('id').execute()).map(webhookOf)
    },
    /** Returns the limit that prevents another webhook; undefined once it is stored. */
    insert: (
      {
        id,
        owner,
        maker,
        url,
        filters,
        signer,
        position,
        createdAt,
      }: Pick<Webhook, 'id' | 'owner' | 'maker' | 'url' | 'filters' | 'signer' | 'position' | 'createdAt'>,
      share: LimitShare,
    ): Promise<Full | undefined> =>
      storage.write(async tx => {
        const holder = 'coalesce(holder, owner)'
        const rows = tx.selectFrom('entities_webhooks')
        const full = await fullOfRows(rows, share, { perHolder: maxWebhooks.ofHolder, holder })
        if (full) return full
        await tx
          .insertInto('entities_webhooks')
          .values({
            id,
            owner,
            holder: share.holder,
            origin: share.network ?? null,
            maker: maker ? toJson(maker) : null,
            url,
            filters: toJson(filters),
            signer,
            state: 'active',
            ...position,
            run: 1,
            failures: 0,
            failing_since: null,
            next_try_at: null,
            last_failure: null,
            delivered_at: null,
            created_at: createdAt,
          })
          .execute()
        return undefined
      }),
    /** Stores the progress from a position; false if the webhook has ended or has another position. */
    progress: (id: string, { transaction, sequence }: ChangePosition, progress: WebhookProgress): Promise<boolean> =>
      storage.write(async tx => {
        const { numUpdatedRows } = await tx
          .updateTable('entities_webhooks')
          .set(progress)
          .where(eb => eb.and({ id, state: 'active', transaction, sequence }))
          .executeTakeFirst()
        return Number(numUpdatedRows) > 0
      }),
    /** Returns false if its owner has no webhook with that id. */
    remove: (id: string, owner: string): Promise<boolean> =>
      storage.write(async tx => {
        const { numDeletedRows } = await tx
          .deleteFrom('entities_webhooks')
          .where(eb => eb.and({ id, owner }))
          .executeTakeFirst()
        return Number(numDeletedRows) > 0
      }),
  }
}
