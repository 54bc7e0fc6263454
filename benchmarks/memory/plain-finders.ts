import type { LabelledFacts } from '@sibyl/plugin-memory/testing'
import type { Storage } from '@sibyl/storage'
import { sql } from '@sibyl/storage'
import type { Finder } from './finder.ts'

/** Returns the words of a question as a ten-line search would: at least three letters, without stop words. */
const wordsOf = (question: string): readonly string[] =>
  [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])].filter(word => !small.has(word)).slice(0, 24)

const small = new Set(
  'and are did does for has have her his how not that the their they this was what when where which who with you'.split(
    ' ',
  ),
)
const people = ['ada', 'ben']

/** The same facts in a table of their own, found by LIKE and by what each engine has for full text. */
export const plainFinders = async (storage: Storage, facts: LabelledFacts['facts']): Promise<readonly Finder[]> => {
  const isSqlite = storage.engine === 'sqlite'
  await storage.migrate('plain', {
    '001': async (db, column) => {
      await db.schema
        .createTable('plain_facts')
        .addColumn('fact', column.serial)
        .addColumn('person', column.text)
        .addColumn('text', column.text)
        .execute()
      await db.schema.createIndex('plain_facts_person').on('plain_facts').column('person').execute()
      await (isSqlite
        ? sql`create virtual table plain_search using fts5 (text, content = 'plain_facts', content_rowid = 'fact', tokenize = 'porter unicode61')`
        : sql`alter table plain_facts add column words tsvector generated always as (to_tsvector('english', text)) stored`
      ).execute(db)
      if (!isSqlite) await sql`create index plain_facts_words on plain_facts using gin (words)`.execute(db)
    },
  })
  await storage.write(async tx => {
    const list = JSON.stringify(people.flatMap(person => facts.map(({ text }) => [person, text])))
    const rows = isSqlite ? sql`json_each(${list}) as item` : sql`json_array_elements(${list}::json) as item(value)`
    await sql`insert into plain_facts (person, text) select item.value ->> 0, item.value ->> 1 from ${rows}`.execute(tx)
    if (isSqlite) await sql`insert into plain_search (plain_search) values ('rebuild')`.execute(tx)
  })
  const texts = async (statement: ReturnType<typeof sql<{ text: string }>>) =>
    (await statement.execute(storage.read)).rows.map(({ text }) => text)

  const like: Finder = {
    name: 'LIKE, by how many words',
    find(question) {
      const hits = wordsOf(question).map(word => sql`(lower(text) like ${`%${word}%`})${isSqlite ? sql`` : sql`::int`}`)
      if (hits.length === 0) return Promise.resolve([])
      return texts(sql<{ text: string }>`
        select text from (select text, fact, ${sql.join(hits, sql` + `)} as hits from plain_facts where person = 'ada') as found
        where hits > 0 order by hits desc, fact desc limit 5`)
    },
  }
  const fullText: Finder = {
    name: isSqlite ? 'FTS5, porter, bm25' : 'tsvector, english, ts_rank',
    find(question) {
      const words = wordsOf(question)
      if (words.length === 0) return Promise.resolve([])
      return texts(
        isSqlite
          ? sql<{ text: string }>`
              select plain_facts.text from plain_search join plain_facts on fact = plain_search.rowid
              where plain_search match ${words.map(word => `"${word}"`).join(' OR ')} and person = 'ada'
              order by rank limit 5`
          : sql<{ text: string }>`
              select text from plain_facts, to_tsquery('english', ${words.map(word => `'${word}'`).join(' | ')}) as sought
              where words @@ sought and person = 'ada' order by ts_rank(words, sought) desc limit 5`,
      )
    },
  }
  return [like, fullText]
}
