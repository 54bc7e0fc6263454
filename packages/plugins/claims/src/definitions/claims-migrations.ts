import { type Migrations, sql } from '@sibyl/plugin/storage'
import type { CollectionDetails } from './claims-tables.ts'

type StoredCollection = { readonly id: string; readonly controller: string; readonly details: CollectionDetails }

export const claimsMigrations: Migrations = {
  '0001-collections': async (db, { text, integer, timestamp, json, boolean, storedByKey }) => {
    await db.schema
      .createTable('claims_collections')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('title', text, column => column.notNull())
      .addColumn('controller', text, column => column.notNull())
      .addColumn('protocol', text)
      .addColumn('details', json, column => column.notNull())
      .addColumn('closed', boolean, column => column.notNull())
      .addColumn('opens_at', timestamp)
      .addColumn('closes_at', timestamp)
      .addColumn('quota_all', integer)
      .addColumn('quota_per_asset', integer)
      .addColumn('taken', integer, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('updated_at', timestamp, column => column.notNull())
      .execute()
    await db.schema
      .createIndex('claims_collections_protocol')
      .on('claims_collections')
      .columns(['protocol', 'id'])
      .execute()
    await db.schema
      .createTable('claims_collection_parties')
      .addColumn('party', text, column => column.notNull())
      .addColumn('collection_id', text, column => column.notNull())
      .addPrimaryKeyConstraint('claims_collection_parties_key', ['party', 'collection_id'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema
      .createTable('claims_asset_counts')
      .addColumn('collection_id', text, column => column.notNull())
      .addColumn('asset', text, column => column.notNull())
      .addColumn('taken', integer, column => column.notNull())
      .addPrimaryKeyConstraint('claims_asset_counts_key', ['collection_id', 'asset'])
      .modifyEnd(storedByKey)
      .execute()
  },
  '0002-claims': async (db, { text, integer, timestamp, json, boolean, storedByKey }) => {
    await db.schema
      .createTable('claims_claims')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('collection_id', text, column => column.notNull())
      .addColumn('asset', text)
      .addColumn('asset_controller', text)
      .addColumn('type', text, column => column.notNull())
      .addColumn('data', json, column => column.notNull())
      .addColumn('evidence', json, column => column.notNull())
      .addColumn('submitter', text, column => column.notNull())
      .addColumn('channel', text, column => column.notNull())
      .addColumn('protocol', text)
      .addColumn('protocol_version', integer)
      .addColumn('state', text, column => column.notNull())
      .addColumn('verdict', json)
      .addColumn('decided_by', text)
      .addColumn('decided_at', timestamp)
      .addColumn('overruled', boolean, column => column.notNull())
      .addColumn('credential_status', text)
      .addColumn('credential_id', text)
      .addColumn('content_key', text, column => column.unique())
      .addColumn('request_key', text, column => column.unique())
      .addColumn('request_hash', text, column => column.notNull())
      .addColumn('version', integer, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('updated_at', timestamp, column => column.notNull())
      .execute()
    for (const column of ['state', 'collection_id', 'asset', 'submitter', 'asset_controller'] as const) {
      await db.schema.createIndex(`claims_claims_${column}`).on('claims_claims').columns([column, 'id']).execute()
    }
    await db.schema
      .createTable('claims_transitions')
      .addColumn('claim_id', text, column => column.notNull())
      .addColumn('position', integer, column => column.notNull())
      .addColumn('action', text, column => column.notNull())
      .addColumn('from_state', text)
      .addColumn('to_state', text, column => column.notNull())
      .addColumn('by', text, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .addColumn('why', text)
      .addColumn('protocol', text)
      .addColumn('protocol_version', integer)
      .addPrimaryKeyConstraint('claims_transitions_key', ['claim_id', 'position'])
      .modifyEnd(storedByKey)
      .execute()
  },
  '0003-protocol-versions': async (db, { integer }) => {
    await db.schema.alterTable('claims_collections').addColumn('least_version', integer).execute()
    await db.schema.alterTable('claims_collections').addColumn('accepted_version', integer).execute()
  },
  '0003-by-person': async db => {
    await db.schema.createIndex('claims_claims_decided_by').on('claims_claims').column('decided_by').execute()
    await db.schema.createIndex('claims_transitions_by').on('claims_transitions').column('by').execute()
  },
  '0004-queue': async (db, { boolean }) => {
    await db.schema
      .alterTable('claims_collection_parties')
      .addColumn('evaluates', boolean, column => column.notNull().defaultTo(true))
      .execute()
    for (let after = ''; ; ) {
      const rows = await db
        .selectFrom('claims_collections')
        .select(['id', 'controller', 'details'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(100)
        .execute()
      const collections = rows as unknown as StoredCollection[]
      for (const { id, controller, details } of collections) {
        if (details.evaluators.includes(controller)) continue
        await db
          .updateTable('claims_collection_parties')
          .set({ evaluates: false })
          .where('collection_id', '=', id)
          .where('party', '=', controller)
          .execute()
      }
      const last = collections.at(-1)
      if (!last) break
      after = last.id
    }
    await sql`
      create index claims_claims_waiting on claims_claims (id)
      where state in ('submitted', 'evaluating', 'disputed')
    `.execute(db)
  },
}
