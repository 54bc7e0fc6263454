import type { Migrations } from '@sibyl/storage'
import { expect, test } from 'vitest'
import { capture } from './capture-plugin.ts'
import { samplePlugin } from './sample-plugin.ts'
import { testApp } from './test-app.ts'

test('tells every table of every migration, and none that SQLite keeps for itself', async () => {
  const migrations: Migrations = {
    '001': async (db, column) => {
      await db.schema.createTable('stray').addColumn('number', column.serial).execute()
    },
    '002': async (db, column) => {
      await db.schema.createTable('tides_level').addColumn('height', column.real).execute()
    },
  }
  const { plugin, tables } = capture(samplePlugin('tides', { migrations }))
  await using _ = await testApp({ plugins: [plugin] })
  expect(await tables).toEqual(['stray', 'tides_level'])
})
