import { randomBytes } from 'node:crypto'
import { createTables } from '@sibyl/plugin'
import { filesTables } from './files-tables.ts'

export const filesMigrations = {
  '0100-base': createTables(filesTables, async db => {
    const named = await db.selectFrom('files_store').select('store').executeTakeFirst()
    if (named) return
    const store = `store-${randomBytes(8).toString('hex')}`
    await db.insertInto('files_store').values({ store }).execute()
  }),
}
