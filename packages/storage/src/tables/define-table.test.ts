import type { Insertable, Selectable } from 'kysely'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openJobs } from '../jobs/open-jobs.ts'
import type { Migration, Migrations } from '../migrations/migrations.ts'
import { deleteInParts } from '../parts/delete-in-parts.ts'
import type { JsonColumn } from '../sql/json-text.ts'
import { type Generated, sql } from '../sql/kysely.ts'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'
import { camelCaseStorage, camelCaseTransaction } from './camel-case-storage.ts'
import { createTables } from './create-tables.ts'
import { defineTable } from './define-table.ts'
import type { TablesOf } from './table.ts'
import { column } from './table-column.ts'
import { tableViolations } from './table-violations.ts'

const tides = defineTable(
  'ports_tides',
  {
    tide: column.serial(),
    port: column.text(),
    kind: column.text<'high' | 'low'>(),
    highAt: column.timestamp(),
    metres: column.real().nullable(),
    isSpring: column.boolean(),
    warnings: column.json(z.array(z.object({ wind_force: z.int() }))),
    source: column.json(z.object({ url: z.string() })).nullable(),
    chart: column.bytes().nullable(),
    holder: column.text().since('0002-holders'),
  },
  {
    unique: { ports_tides_once: ['port', 'highAt'] },
    indexes: { ports_tides_by_time: ['highAt'], ports_tides_by_holder: ['holder', 'highAt'] },
  },
)
const visits = defineTable(
  'ports_visits',
  { port: column.text(), shipName: column.text(), visits: column.integer() },
  { primaryKey: ['port', 'shipName'], storedByKey: true },
)
const marks = defineTable('ports_marks', { mark: column.text().primaryKey(), note: column.text().unique().nullable() })

type PortTables = TablesOf<[typeof tides, typeof visits, typeof marks]>

const migrations: Migrations = {
  '0001-tides': async (db, types) => {
    for (const table of [tides, visits, marks]) await table.create(db, types)
  },
  '0002-holders': async (db, types) => {
    await db
      .insertInto('ports_tides')
      .values({ port: 'Aden', kind: 'low', high_at: 1, is_spring: false, warnings: '[]' })
      .execute()
    await tides.addColumns('0002-holders')(db, types)
    await db.updateTable('ports_tides').set({ holder: 'Harbour master' }).execute()
  },
}

const tide = {
  port: 'Bari',
  kind: 'high' as const,
  highAt: new Date(5_000),
  metres: 1.5,
  isSpring: true,
  warnings: [{ wind_force: 9 }],
  source: null,
  chart: null,
  holder: 'Harbour master',
}

test('the row type has columns in camelCase with their own types', () => {
  type Row = Selectable<PortTables['ports_tides']>
  expectTypeOf<Row['kind']>().toEqualTypeOf<'high' | 'low'>()
  expectTypeOf<Row['highAt']>().toEqualTypeOf<number>()
  expectTypeOf<Row['metres']>().toEqualTypeOf<number | null>()
  expectTypeOf<Row['warnings']>().toEqualTypeOf<{ wind_force: number }[]>()
  expectTypeOf<Row['source']>().toEqualTypeOf<{ url: string } | null>()
  type New = Insertable<PortTables['ports_tides']>
  expectTypeOf<New>().toExtend<{ tide?: number | undefined; metres?: number | null; highAt: number | Date }>()
  expectTypeOf<Selectable<{ id: Generated<number>; tags: JsonColumn<string[]> }>['id']>().toEqualTypeOf<number>()
})

test('values checks JSON by its schema, and leaves out what is not given', () => {
  expect(tides.values({ warnings: [{ wind_force: 9 }] })).toEqual({ warnings: '[{"wind_force":9}]' })
  expect(tides.values({ source: null, metres: null })).toEqual({ source: null, metres: null })
  expect(() => tides.values({ warnings: [{ wind_force: 1.5 }] })).toThrow('expected int')
  // @ts-expect-error: there is no such column
  tides.values({ depth: 3 })
})

await onEachEngine('defined tables', engine => {
  const open = async () => {
    const storage = await engine.open<PortTables>()
    await storage.migrate('ports', migrations)
    return { storage, tables: camelCaseStorage<PortTables>(storage) }
  }

  test('are as the migrations create them', async () => {
    const { storage } = await open()
    expect(await tableViolations(storage, [tides, visits, marks])).toEqual([])
  })

  test('hold rows with columns in camelCase, and leave JSON as it is', async () => {
    const { tables } = await open()
    await tables.write(tx => tx.insertInto('ports_tides').values(tides.values(tide)).execute())
    const rows = await tables.read
      .selectFrom('ports_tides')
      .selectAll()
      .where('highAt', '>', 0)
      .orderBy('tide')
      .execute()
    expect(rows).toMatchObject([
      { port: 'Aden', holder: 'Harbour master' },
      { ...tide, highAt: 5_000, tide: expect.any(Number) },
    ])
    await tables.write(tx =>
      tx
        .insertInto('ports_visits')
        .values({ port: 'Bari', shipName: 'Argo', visits: 1 })
        .onConflict(conflict => conflict.columns(['port', 'shipName']).doUpdateSet({ visits: 2 }))
        .execute(),
    )
    const deleted = await deleteInParts(tables, {
      table: 'ports_visits',
      key: ['port', 'shipName'],
      where: eb => eb('shipName', '=', 'Argo'),
    })
    expect(deleted).toBe(1)
  })

  test('keep unique columns unique', async () => {
    const { tables } = await open()
    const insert = () => tables.write(tx => tx.insertInto('ports_tides').values(tides.values(tide)).execute())
    await insert()
    await expect(insert()).rejects.toMatchObject({ code: 'constraint_violated' })
  })

  test('share a transaction with those who have their own names of columns', async () => {
    const { storage, tables } = await open()
    const jobs = await openJobs({ storage })
    onTestFinished(() => jobs.stop({ graceMs: 0 }))
    const ran = Promise.withResolvers<unknown>()
    jobs.define('ports/notify', z.object({ port_name: z.string() }), async data => ran.resolve(data))
    await jobs.start()
    await tables.write(async tx => {
      await tx.insertInto('ports_tides').values(tides.values(tide)).execute()
      await jobs.enqueue('ports/notify', { port_name: 'Bari' }, { tx })
      const others = camelCaseTransaction<PortTables>(tx)
      expect(await others.selectFrom('ports_tides').select('highAt').where('port', '=', 'Bari').execute()).toEqual([
        { highAt: 5_000 },
      ])
    })
    expect(await ran.promise).toEqual({ port_name: 'Bari' })
  })

  test('complete those of an earlier version', async () => {
    const storage = await engine.open<PortTables>()
    await storage.migrate('ports', {
      '0001-marks': async db => {
        await db.schema
          .createTable('ports_marks')
          .addColumn('mark', 'text', one => one.primaryKey())
          .execute()
        await db.insertInto('ports_marks').values({ mark: 'buoy' }).execute()
      },
    })
    const completed = defineTable(
      'ports_marks',
      {
        mark: column.text().primaryKey(),
        note: column.text().nullable(),
        lights: column.integer().default(2),
        isLit: column.boolean().default(true),
      },
      { indexes: { ports_marks_lit: { columns: ['isLit'], unique: true, where: 'is_lit = true' } } },
    )
    const finish: Migration = async db => void (await db.updateTable('ports_marks').set({ note: 'red' }).execute())
    const base = { '0100-base': createTables([completed, visits], finish) }
    expect(await storage.migrate('ports', base)).toEqual(['0100-base'])
    expect(await tableViolations(storage, [completed, visits])).toEqual([])
    const rows = () => sql`select * from ports_marks`.execute(storage.read)
    expect((await rows()).rows).toEqual([{ mark: 'buoy', note: 'red', lights: 2, is_lit: true }])
    const insert = storage.write(tx => sql`insert into ports_marks (mark) values ('pier')`.execute(tx))
    await expect(insert).rejects.toMatchObject({ code: 'constraint_violated' })
  })

  test('reject those of an older version whose rows lack a value, without a change', async () => {
    const storage = await engine.open<PortTables>()
    await storage.migrate('ports', { '0001-marks': marks.create })
    const owned = defineTable('ports_marks', { ...marks.columns, holder: column.text().filled() })
    const base = { '0100-base': createTables([visits, owned]) }
    await expect(storage.migrate('ports', base)).rejects.toMatchObject({
      code: 'migration_failed',
      message: expect.stringContaining('has no column holder, so it is of a version before 2026-11-24'),
    })
    expect(await tableViolations(storage, [marks, visits])).toEqual(['The table ports_visits does not exist.'])
  })

  test('differ from the database in named columns', async () => {
    const { storage } = await open()
    const drifted = defineTable(
      'ports_tides',
      {
        tide: column.text(),
        port: column.text().nullable(),
        kind: column.integer(),
        highAt: column.timestamp(),
        metres: column.real(),
        isSpring: column.boolean(),
        warnings: column.json(z.unknown()),
        source: column.json(z.unknown()).nullable(),
        chart: column.bytes().nullable(),
        depth: column.real(),
      },
      { primaryKey: ['port'] },
    )
    const none = defineTable('ports_none', { none: column.text() })
    const [text, integer] = engine.name === 'sqlite' ? ['text', 'integer'] : ['text', 'bigint']
    expect(await tableViolations(storage, [drifted, none])).toEqual([
      `ports_tides.tide is ${integer} instead of ${text}.`,
      'ports_tides.port may not be null.',
      `ports_tides.kind is ${text} instead of ${integer}.`,
      'ports_tides.metres may be null.',
      'The column ports_tides.depth does not exist.',
      'ports_tides.holder is not defined.',
      'ports_tides has the primary key (tide) instead of (port).',
      'The table ports_none does not exist.',
    ])
  })
})
