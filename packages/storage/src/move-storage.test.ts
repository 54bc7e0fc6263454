import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Migrations } from './migrations/migrations.ts'
import { type MovedStorage, type MoveProgress, moveStorage } from './move-storage.ts'
import { openStorage } from './open-storage.ts'
import { sql } from './sql/kysely.ts'
import { createTables } from './tables/create-tables.ts'
import { defineTable } from './tables/define-table.ts'
import type { TablesOf } from './tables/table.ts'
import { column } from './tables/table-column.ts'
import { onEachEngine } from './testing/each-engine.test.helper.ts'

const kinds = defineTable('port_kinds', {
  number: column.serial(),
  title: column.text().nullable(),
  large: column.bigInteger(),
  level: column.real(),
  isOpen: column.boolean(),
  tags: column.json(z.unknown()).nullable(),
  bytes: column.bytes(),
})
const visits = defineTable(
  'port_visits',
  { port: column.text(), at: column.timestamp() },
  { primaryKey: ['port', 'at'] },
)
type Tables = TablesOf<[typeof kinds, typeof visits]>

const migrations: Migrations = {
  '0100-base': createTables([kinds, visits], async (db, types) => {
    await sql`insert into port_visits (port, at) values ('by its migration', 0)`.execute(db)
    await db.schema.createTable('port_keyless').addColumn('text', types.text).execute()
  }),
}
const owners = [{ name: 'core', migrations }]
const visitCount = 2_500

/** Moves in a process that kills itself once so many rows are copied or compared. */
const moveUntilKilled = async (from: string, to: string, step: MoveProgress['step'], rows: number) => {
  const program = `
    const { moveStorage } = await import(${JSON.stringify(new URL('./move-storage.ts', import.meta.url).href)})
    await moveStorage({
      from: ${JSON.stringify(from)},
      to: ${JSON.stringify(to)},
      owners: [{ name: 'core', migrations: { '0100-base': async (db, column) => {
        await db.schema.createTable('port_keyless').addColumn('text', column.text).execute()
        await db.schema.createTable('port_kinds').addColumn('number', column.serial).addColumn('title', column.text)
          .addColumn('large', column.integer).addColumn('level', column.real).addColumn('is_open', column.boolean)
          .addColumn('tags', column.json).addColumn('bytes', column.bytes).execute()
        await db.schema.createTable('port_visits').addColumn('port', column.text).addColumn('at', column.timestamp)
          .addPrimaryKeyConstraint('port_visits_key', ['port', 'at']).execute()
      } } }],
      onProgress: shown => shown.step === '${step}' && shown.done >= ${rows} && process.kill(process.pid, 'SIGKILL'),
    })`
  const args = ['--no-warnings', '--conditions=sibyl-source', '--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

const folder = mkdtempSync(join(tmpdir(), 'sibyl-move-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newFile = () => `file:${join(folder, `${++files}.db`)}`

await onEachEngine('moveStorage', engine => {
  const addKind = (isOpen = false) => sql<{ number: number }>`
    insert into port_kinds (title, large, level, is_open, tags, bytes)
    values (${null}, ${1}, ${1}, ${isOpen}, ${null}, ${new Uint8Array()}) returning number`

  const filled = async () => {
    const url = await engine.emptyDatabase()
    const storage = await engine.open<Tables>({ url })
    await storage.migrate('core', migrations)
    await storage.write(async tx => {
      await sql`insert into port_kinds (title, large, level, is_open, tags, bytes) values
        ('ä\u{1F600}''', ${2n ** 62n}, 0.1, ${true}, '{"b": 1,"a":[null]}', ${new Uint8Array([0, 255])}),
        ('', ${-(2n ** 63n)}, 5, ${false}, 'null', ${new Uint8Array()})`.execute(tx)
      await addKind(true).execute(tx)
      await sql`delete from port_kinds where number = 3`.execute(tx)
      await sql`insert into port_keyless (text) values ('same'), ('same'), (null)`.execute(tx)
      const rows = Array.from({ length: visitCount }, (_, at) => ({ port: `port ${at % 7}`, at }))
      await tx.insertInto('port_visits').values(rows).execute()
    })
    await storage.close()
    return url
  }

  test('copies every value to each engine and back, and continues the numbers', async () => {
    const from = await filled()
    const shown: MoveProgress[] = []
    const hops = engine.name === 'postgres' ? [await engine.emptyDatabase(), newFile()] : [newFile()]
    hops.push(await engine.emptyDatabase())
    let [last, total] = [from, visitCount + 6]
    let digests: unknown
    for (const to of hops) {
      const moved = await moveStorage({ from: last, to, owners, onProgress: one => shown.push(one) })
      expect(moved).toMatchObject({ left: [], problems: [] })
      expect(moved.tables.map(({ name, rows }) => [name, rows])).toEqual([
        ['port_keyless', 3],
        ['port_kinds', 2],
        ['port_visits', visitCount + 1],
      ])
      digests ??= moved.tables
      expect(moved.tables).toEqual(digests)
      expect(shown.at(-1)).toEqual({ step: 'compare', table: 'port_visits', done: total, total })
      last = to
    }
    const storage = await engine.open<Tables>({ url: last })
    await storage.migrate('core', migrations)
    expect(await storage.write(async tx => (await addKind().execute(tx)).rows)).toEqual([{ number: 4 }])
    const { rows } = await sql`select tags from port_kinds order by number`.execute(storage.read)
    expect(rows).toEqual([{ tags: { b: 1, a: [null] } }, { tags: null }, { tags: null }])
  })

  test('continues after kill -9, and the database cannot be used until the end', { tags: 'long' }, async () => {
    const from = await filled()
    const to = engine.name === 'postgres' ? newFile() : ((await engine.emptyDatabase()) as string)
    for (const [source, target] of [
      [from, to],
      [to, await engine.emptyDatabase()],
    ] as const) {
      for (const [step, rows] of [
        ['copy', 56],
        ['copy', 1_000],
        ['compare', 1],
      ] as const) {
        await moveUntilKilled(source, target, step, rows)
        const begun = await openStorage({ url: target })
        await expect(begun.migrate('core', migrations)).rejects.toMatchObject({ code: 'move_unfinished' })
        await begun.close()
      }
      const other = { from: await filled(), to: target, owners }
      await expect(moveStorage(other)).rejects.toThrow('The target has a part of a move from another database.')
      const shown: MoveProgress[] = []
      const { tables } = await moveStorage({ from: source, to: target, owners, onProgress: one => shown.push(one) })
      expect(tables.map(({ rows }) => rows)).toEqual([3, 2, visitCount + 1])
      expect(shown.filter(({ step }) => step === 'copy').at(-1)?.done).toBe(visitCount + 6)
      const storage = await openStorage({ url: target })
      expect(await storage.migrate('core', migrations)).toEqual([])
      await storage.close()
    }
  })

  test('refuses databases that are in use, the same, not empty or not of an oracle', async () => {
    const from = await filled()
    const move = (target: string, source = from) => moveStorage({ from: source, to: target, owners })
    await expect(move(from)).rejects.toThrow('The target is the database that DATABASE_URL names.')
    await expect(move('memory:')).rejects.toThrow('A database in memory is gone after the move.')
    await expect(move('mysql://localhost/x')).rejects.toMatchObject({ code: 'database_url_invalid' })
    await expect(move(await filled())).rejects.toThrow(
      "The target is not empty: it has tables, such as 'port_keyless'.",
    )
    await expect(move(newFile(), await engine.emptyDatabase())).rejects.toMatchObject({ code: 'move_refused' })
    const missing = newFile()
    await expect(move(newFile(), missing)).rejects.toThrow('The oracle has no database yet.')
    expect(existsSync(missing.slice('file:'.length))).toBe(false)

    const inUse = engine.name === 'sqlite' ? 'database_in_use' : 'move_refused'
    const target = await engine.emptyDatabase()
    for (const url of [from, target]) {
      const oracle = await openStorage({ url })
      await expect(move(target)).rejects.toMatchObject({ code: inUse })
      await oracle.close()
    }
  })

  test('an oracle cannot start while its database is moved', async () => {
    const from = await filled()
    let refused: Promise<unknown> | undefined
    const whileMoved = () => {
      refused ??= openStorage({ url: from }).catch(error => error.code)
    }
    await moveStorage({ from, to: newFile(), owners, onProgress: whileMoved })
    expect(await refused).toBe(engine.name === 'sqlite' ? 'database_in_use' : 'move_unfinished')
  })

  test('names what no owner has, and leaves it behind only on request', async () => {
    const from = await filled()
    const storage = await openStorage({ url: from })
    await storage.migrate('gone', {
      '1': async (db, types) => db.schema.createTable('gone_notes').addColumn('text', types.text).execute(),
    })
    await storage.write(tx => sql`alter table port_visits add column gone integer`.execute(tx))
    await storage.close()
    await expect(moveStorage({ from, to: await engine.emptyDatabase(), owners })).rejects.toThrow(
      'No plugin of this project has these tables of the database: gone_notes, port_visits.gone.',
    )
    const moved = await moveStorage({ from, to: await engine.emptyDatabase(), owners, leaveUnknown: true })
    expect(moved.left).toEqual(['gone_notes', 'port_visits.gone'])
  })

  test('reports rows that changed during the move', async () => {
    const from = await filled()
    const finish = async (to: MovedStorage) => {
      await to.write(tx => sql`update port_kinds set level = 0.2 where number = 1`.execute(tx))
      return []
    }
    const moving = moveStorage({ from, to: newFile(), owners: [{ name: 'core', migrations, finish }] })
    await expect(moving).rejects.toThrow("After the move, the table 'port_kinds' differs: 2 rows in the source, 2 in")
  })
})
