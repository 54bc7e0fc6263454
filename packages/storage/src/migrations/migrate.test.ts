import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'
import type { Migration } from './migrations.ts'

const table =
  (name: string): Migration =>
  async (db, column) => {
    await db.schema.createTable(name).addColumn('id', column.text).execute()
  }

await onEachEngine('migrate', engine => {
  test('applies each migration once, by name, under its owner', async () => {
    const url = await engine.emptyDatabase()
    const storage = await engine.open({ url })
    expect(await storage.migrate('core', { '002_b': table('b'), '001_a': table('a') })).toEqual(['001_a', '002_b'])
    expect(await storage.migrate('core', { '001_a': table('a'), '002_b': table('b'), '003_c': table('c') })).toEqual([
      '003_c',
    ])
    expect(await storage.migrate('plugin', { '001_a': table('plugin_a') })).toEqual(['001_a'])
    await storage.close()
    const again = await engine.open({ url })
    expect(await again.migrate('plugin', { '001_a': table('plugin_a') })).toEqual([])
  })

  test('keeps none of the pending migrations when one fails', async () => {
    const storage = await engine.open<{ a: { id: string } }>()
    const failing = { '001_a': table('a'), '002_b': async () => Promise.reject(new Error('broken')) }
    await expect(storage.migrate('core', failing)).rejects.toMatchObject({
      code: 'migration_failed',
      message: expect.stringContaining("'002_b' of 'core' failed: broken"),
    })
    await expect(storage.read.selectFrom('a').selectAll().execute()).rejects.toThrow('a')
    expect(await storage.migrate('core', { '001_a': table('a') })).toEqual(['001_a'])
  })

  test('refuses a database that a newer version has used', async () => {
    const storage = await engine.open()
    await storage.migrate('core', { '001_a': table('a'), '002_b': table('b') })
    await expect(storage.migrate('core', { '001_a': table('a') })).rejects.toMatchObject({
      code: 'migration_unknown',
      facts: { owner: 'core', names: ['002_b'] },
    })
  })

  test('applies a migration in place of all earlier ones, once', async () => {
    const storage = await engine.open<{ sibyl_migrations: { name: string } }>()
    await storage.migrate('core', { '001_a': table('a'), '002_b': table('b') })
    const merged = { '100_base': table('c'), '101_d': table('d') }
    expect(await storage.migrate('core', merged)).toEqual(['100_base', '101_d'])
    expect(await storage.migrate('core', merged)).toEqual([])
    const rows = await storage.read.selectFrom('sibyl_migrations').select('name').orderBy('name').execute()
    expect(rows).toEqual([{ name: '100_base' }, { name: '101_d' }])
    await expect(storage.migrate('core', { '101_d': table('d') })).rejects.toMatchObject({ code: 'migration_unknown' })
  })

  test('refuses a new migration that sorts before an applied one', async () => {
    const storage = await engine.open()
    await storage.migrate('core', { '002_b': table('b') })
    await expect(storage.migrate('core', { '001_a': table('a'), '002_b': table('b') })).rejects.toMatchObject({
      code: 'migration_order',
    })
  })

  test('reads a table rightly after a migration changed it', async () => {
    const storage = await engine.open<{ a: { id: string; flag: boolean } }>()
    await storage.migrate('core', { '001_a': table('a') })
    await storage.write(tx => sql`insert into a (id) values ('x')`.execute(tx))
    const all = () => storage.read.selectFrom('a').selectAll().execute()
    expect(await all()).toEqual([{ id: 'x' }])
    await storage.migrate('core', {
      '001_a': table('a'),
      '002_flag': async (db, column) => {
        await db.schema
          .alterTable('a')
          .addColumn('flag', column.boolean, c => c.notNull().defaultTo(true))
          .execute()
        await db.updateTable('a').set({ id: 'y' }).execute()
      },
    })
    expect(await all()).toEqual([{ id: 'y', flag: true }])
  })

  test.runIf(engine.name === 'postgres')('concurrent processes wait for each other', async () => {
    const url = await engine.emptyDatabase()
    const storages = await Promise.all(Array.from({ length: 4 }, () => engine.open({ url })))
    const slow: Migration = async (db, column) => {
      await table('a')(db, column)
      await sql`select pg_sleep(0.1)`.execute(db)
    }
    const applied = await Promise.all(storages.map(storage => storage.migrate('core', { '001_a': slow })))
    expect(applied.flat()).toEqual(['001_a'])
  })
})
