import { type Clock, erasedMark, type Host, type PersonalRecords, type StoredSpace } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import type { JsonValue } from '@sibyl/protocol'
import { webhookRecordOf } from '../changes/webhook-record.ts'
import type { WebhookStore } from '../changes/webhook-store.ts'
import { eraseMostLinks, writeErasedLinks } from '../history/erase-links.ts'
import type { EntityReader } from '../reading/entity-reader.ts'
import type { WebhookRecord } from '../records/webhook-records.ts'
import type { EdgeRow, EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { findEntities } from '../storage/entity-rows.ts'
import type { EntityWriter } from '../writing/entity-writer.ts'

export interface PersonEntitiesDependencies {
  readonly storage: EntitiesStorage
  readonly identity: Pick<Host['identity'], 'did' | 'sign'>
  readonly reader: Pick<EntityReader, 'records'>
  readonly writer: Pick<EntityWriter, 'erase'>
  readonly webhooks: Pick<WebhookStore, 'list'>
  readonly clock: Clock
  readonly space: StoredSpace
}

const pageSize = 50

/**
 * Creates the personal records: entities that a person controls, and their webhooks. An erasure gives the entities to
 * the oracle, removes their content and the content of their chains' links, and removes the person's DID from all
 * links. Hashes, order and signatures stay valid.
 */
export const personEntities = (dependencies: PersonEntitiesDependencies): PersonalRecords => {
  const { storage, identity, reader, writer, webhooks, clock, space } = dependencies
  const now = () => clock.now()

  const controlled = (did: string, after: string) =>
    storage.read
      .selectFrom('entities_entities')
      .select('id')
      .where('controller', '=', did)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute()

  /** Removes the DID from the chains of entities that others control. */
  const eraseFromOthers = async (did: string): Promise<void> => {
    const erasing = { did, mark: erasedMark(did), isTheirs: false }
    for (;;) {
      const rows = await storage.read
        .selectFrom('entities_events')
        .select('entity_id')
        .distinct()
        .where('by', '=', did)
        .limit(pageSize)
        .execute()
      if (rows.length === 0) return
      const ids = rows.map(row => row.entity_id)
      const entities = await findEntities(storage.read, ids)
      if (entities.size === 0) return
      for (const entity of entities.values()) {
        const links = await eraseMostLinks({ storage, identity, now }, entity, erasing)
        await storage.write(
          async tx => {
            await writeErasedLinks(tx, entity.id, links)
            await tx.deleteFrom('entities_replies').where('entity_id', '=', entity.id).execute()
          },
          { isolation: 'read committed', scrub: true },
        )
      }
    }
  }

  return {
    async export(did) {
      const entities: JsonValue[] = []
      for (let after = ''; ; ) {
        const ids = (await controlled(did, after)).map(({ id }) => id)
        const found = await findEntities(storage.read, ids)
        for (const record of await reader.records([...found.values()])) entities.push({ ...record } as JsonValue)
        after = ids.at(-1) ?? after
        if (ids.length < pageSize) break
      }
      const own: readonly WebhookRecord[] = (await webhooks.list({ owner: did })).map(webhookRecordOf)
      if (entities.length + own.length === 0) return undefined
      return { entities, webhooks: own.map(webhook => ({ ...webhook })) as JsonValue }
    },
    async erase(did) {
      for (;;) {
        const rows = await controlled(did, '')
        if (rows.length === 0) break
        await Promise.all(rows.map(({ id }) => writer.erase(id, did)))
      }
      await eraseFromOthers(did)
      await moveEdges(storage, did, erasedMark(did))
      await storage.write(
        async tx => {
          await tx.deleteFrom('entities_webhooks').where('owner', '=', did).execute()
          await space.erase(tx, did, await bytesLeft(tx, did))
        },
        { isolation: 'read committed', scrub: true },
      )
    },
  }
}

/** Returns the bytes of the links that stay: of protocols, and of entities of others. */
const bytesLeft = async (tx: EntitiesTransaction, did: string): Promise<number> => {
  const { rows } = await sql<{ bytes: number | null }>`
    select sum(2 * octet_length(cast(change as text))) as bytes from entities_events
    where by = ${erasedMark(did)}`.execute(tx)
  return Number(rows[0]?.bytes ?? 0)
}

const edgesAtOnce = 200

/** Moves the edges of a node, such as those of the verifier of a claim, to another node; duplicates are dropped. */
const moveEdges = async (storage: EntitiesStorage, from: string, to: string): Promise<void> => {
  const ofNode = sql`from_node = ${from} or to_node = ${from}`
  for (;;) {
    const { rows } = await sql<EdgeRow>`
      select from_node, relationship, to_node, created_at from entities_edges where ${ofNode} limit ${sql.lit(edgesAtOnce)}
    `.execute(storage.read)
    if (rows.length === 0) return
    const moved = (node: string) => (node === from ? to : node)
    await storage.write(
      async tx => {
        for (const { from_node, relationship, to_node, created_at } of rows) {
          const edge = { from_node: moved(from_node), relationship, to_node: moved(to_node), created_at }
          await tx
            .insertInto('entities_edges')
            .values(edge)
            .onConflict(conflict => conflict.doNothing())
            .execute()
          await tx
            .deleteFrom('entities_edges')
            .where(eb => eb.and({ from_node, relationship, to_node }))
            .execute()
        }
      },
      { isolation: 'read committed', scrub: true, log: 'copied' },
    )
  }
}
