import { createTables } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { claimsTables } from './claims-tables.ts'

export const claimsMigrations = {
  '0100-base': createTables(claimsTables, async db => {
    // For collections from before 2026-11-29; delete it with `completeTable`.
    await sql`
      update claims_collection_parties set evaluates = false where exists (
        select 1 from claims_collections where id = collection_id and controller = party
        and replace(details ->> 'evaluators', '"' || controller || '"', '') = details ->> 'evaluators'
      )`.execute(db)
  }),
}
