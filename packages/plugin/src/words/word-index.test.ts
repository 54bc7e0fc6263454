import { type Migrations, searchWords } from '@sibyl/storage'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { wordIndex } from './word-index.ts'

interface NoteTables {
  ports_words: { person: number; root: string; note: number }
}

const migrations: Migrations = {
  '1': async (db, { integer, text, storedByKey }) => {
    await db.schema
      .createTable('ports_words')
      .addColumn('person', integer, c => c.notNull())
      .addColumn('root', text, c => c.notNull())
      .addColumn('note', integer, c => c.notNull())
      .addPrimaryKeyConstraint('ports_words_key', ['person', 'root', 'note'])
      .modifyEnd(storedByKey)
      .execute()
  },
}

await onEachEngineWith<NoteTables>('ports', migrations)('a word index', engine => {
  const open = async (notes: Readonly<Record<number, string>>) => {
    const storage = await engine.open()
    const index = wordIndex(engine.name, { table: 'ports_words', owner: 'person', word: 'root', item: 'note' })
    const wordsOf = (text: string) => [...new Set(searchWords(text))]
    await storage.write(async tx => {
      for (const [note, text] of Object.entries(notes)) {
        await index.add(tx, { owner: 1, item: Number(note) }, wordsOf(text))
      }
    })
    const find = (words: readonly string[], limits = {}) => index.find(storage.read, 1, words, limits)
    return { storage, index, find, wordsOf }
  }

  test('finds items by words, the newest first, and by beginnings of words', async () => {
    const { find } = await open({ 1: 'High tide', 2: 'tidewater', 3: 'Low tides', 4: 'Ebb' })
    const found = await find(['tid', 'tide', 'high', 'none'])
    expect(found.get('tid')).toEqual({ exact: [3, 1], longer: [] })
    expect(found.get('tide')).toEqual({ exact: [], longer: [2] })
    expect(found.get('high')).toEqual({ exact: [1], longer: [] })
    expect(found.get('none')).toEqual({ exact: [], longer: [] })
    expect(await find([])).toEqual(new Map())
  })

  test('finds in other scripts, and what looks like SQL', async () => {
    const { find } = await open({ 1: 'Жалюзи', 2: '東京港', 3: "o'clock; drop" })
    expect((await find(['жалюзи'])).get('жалюзи')?.exact).toEqual([1])
    expect((await find(['東京'])).get('東京')?.exact).toEqual([2])
    expect((await find(["' or 1=1 --"])).get("' or 1=1 --")).toEqual({ exact: [], longer: [] })
  })

  test('finds at most so many', async () => {
    const { find } = await open(
      Object.fromEntries(Array.from({ length: 9 }, (_, index) => [index + 1, 'tides tideway'])),
    )
    const found = await find(['tid', 'tidew'], { exact: 2, longer: 3 })
    expect(found.get('tid')?.exact).toEqual([9, 8])
    expect(found.get('tidew')?.longer).toHaveLength(3)
  })

  test('finds only items of one owner', async () => {
    const { storage, index, find } = await open({ 1: 'tide' })
    await storage.write(tx => index.add(tx, { owner: 2, item: 7 }, ['tide']))
    expect((await find(['tide'])).get('tide')?.exact).toEqual([])
    expect((await index.find(storage.read, 2, ['tide'])).get('tide')?.exact).toEqual([7])
  })

  test('removes some words of an item, or all', async () => {
    const { storage, index, find, wordsOf } = await open({ 1: 'high tide', 2: 'high water' })
    await storage.write(tx => index.remove(tx, { owner: 1, item: 1 }, wordsOf('tides')))
    expect((await find(['tid', 'high'])).get('tid')?.exact).toEqual([])
    expect((await find(['high'])).get('high')?.exact).toEqual([2, 1])
    await storage.write(tx => index.remove(tx, { owner: 1, item: 2 }))
    expect((await find(['high'])).get('high')?.exact).toEqual([1])
    await storage.write(async tx => {
      await index.add(tx, { owner: 1, item: 3 }, [])
      await index.remove(tx, { owner: 1, item: 1 }, [])
    })
    expect((await find(['high'])).get('high')?.exact).toEqual([1])
  })
})
