import { definePlugin } from '@sibyl/plugin'
import type { Migrations } from '@sibyl/storage'
import { expect, test } from 'vitest'
import { capture } from './capture-plugin.ts'
import { testApp } from './test-app.ts'

test("lists every table of every migration, and none of SQLite's own", async () => {
  const migrations: Migrations = {
    '001': async (db, column) => {
      await db.schema.createTable('stray').addColumn('number', column.serial).execute()
    },
    '002': async (db, column) => {
      await db.schema.createTable('tides_level').addColumn('height', column.real).execute()
    },
  }
  const { plugin, tables } = capture(
    definePlugin({
      name: 'tides',
      version: '0.1.0',
      core: '^0.1.0',
      manifest: { title: 'Tides', summary: 'Tells the tides.', whenToUse: ['someone asks for the tide'] },
      migrations,
      setup: () => ({}),
    }),
  )
  await using _ = await testApp({ plugins: [plugin] })
  expect(await tables).toEqual(['stray', 'tides_level'])
})
