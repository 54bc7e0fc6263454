import { definePlugin, defineTool } from '@sibyl/plugin'
import { type JsonColumn, type Migrations, sql, toJson } from '@sibyl/plugin/storage'
import { scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

interface Tables {
  tally_entry: { id: string; counts: JsonColumn<Record<string, number>> }
}

const migrations: Migrations = {
  '001': async (db, column) => {
    await db.schema
      .createTable('tally_entry')
      .addColumn('id', column.text, id => id.primaryKey())
      .addColumn('counts', column.json, counts => counts.notNull())
      .modifyEnd(column.storedByKey)
      .execute()
  },
}

const tally = definePlugin<z.ZodObject, Tables>({
  name: 'tally',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Tally', summary: 'Counts.', whenToUse: ['something is to be counted'], load: 'always' },
  migrations,
  setup: host => ({
    tools: {
      count: defineTool({
        description: 'Counts a word.',
        input: z.object({ word: z.string().max(20) }),
        effect: 'write',
        async execute({ word }) {
          await host.storage.write(tx =>
            tx
              .insertInto('tally_entry')
              .values({ id: word, counts: toJson({ [word]: 1 }) })
              .execute(),
          )
          const { total } = await host.storage.read
            .selectFrom('tally_entry')
            .select(sql<number>`count(*)`.as('total'))
            .executeTakeFirstOrThrow()
          const row = await host.storage.read.selectFrom('tally_entry').selectAll().executeTakeFirstOrThrow()
          return { total, counts: row.counts }
        },
      }),
    },
  }),
})

test('a plugin stores JSON in its own table with @sibyl/plugin/storage', async () => {
  await using oracle = await testApp({
    plugins: [tally],
    model: scriptedModel([{ tool: 'count', input: { word: 'pump' } }, 'Counted.']),
  })
  const { events } = await oracle.chat('Count pump')
  expect(events.find(event => event.type === 'tool-output-available')?.output).toEqual({
    total: 1,
    counts: { pump: 1 },
  })
})
