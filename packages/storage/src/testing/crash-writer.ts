import { openStorage } from '../open-storage.ts'

interface Tables {
  entry: { id: string; text: string }
}

/**
 * A process for tests to kill: opens the database of its first argument, says `open <recovered>`, then writes until its
 * end, from many places at once, and says each id once its write is acknowledged.
 */
const [url = '', prefix = '', writers = '8'] = process.argv.slice(2)
const storage = await openStorage<Tables>({ url })
await storage.migrate('crash', {
  '001': async (db, column) => {
    await db.schema.createTable('entry').addColumn('id', column.text).addColumn('text', column.text).execute()
  },
})
process.stdout.write(`open ${storage.recovered}\n`)
let count = 0
const write = async (): Promise<void> => {
  for (;;) {
    const id = `${prefix}-${++count}`
    await storage.write(tx =>
      tx
        .insertInto('entry')
        .values({ id, text: 'x'.repeat(200) })
        .execute(),
    )
    process.stdout.write(`${id}\n`)
  }
}
await Promise.all(Array.from({ length: Number(writers) }, write))
