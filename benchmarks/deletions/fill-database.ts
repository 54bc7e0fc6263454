import { createHash, randomUUID } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** Person whom the benchmark erases. */
export const person = 'did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG'

/** Data of the person: sessions, turns of each, facts and words of each. */
const size = { sessions: 10, turns: 1_000, facts: 5_000, words: 10 }

type Values = Readonly<Record<string, SQLInputValue>>

/** Writes rows; a column that is not named gets an empty value where it needs one. */
const fill = (database: DatabaseSync, table: string, count: number, row: (number: number) => Values): void => {
  const columns = database.prepare(`pragma table_info(${table})`).all() as unknown as readonly Column[]
  const names = new Set(Object.keys(row(0)))
  const used = columns.filter(
    ({ name, notnull, dflt_value }) => names.has(name) || (notnull === 1 && dflt_value === null),
  )
  const marks = used.map(() => '?').join(', ')
  const insert = database.prepare(`insert into ${table} (${used.map(({ name }) => name).join(', ')}) values (${marks})`)
  database.exec('begin')
  for (let number = 0; number < count; number += 1) {
    const values = row(number)
    insert.run(...used.map(({ name, type }) => values[name] ?? (type.toLowerCase().includes('text') ? '' : 0)))
  }
  database.exec('commit')
}

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: unknown
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Fills in nonces that have expired, and turns of others that ended long ago, each with events. */
export const fillRows = (path: string, rows: number): void => {
  const database = new DatabaseSync(path)
  fill(database, 'core_spent_nonces', rows, number => ({ expires_at: 0, hash: hashOf(`nonce ${number}`) }))
  const ids = Array.from({ length: rows }, () => randomUUID())
  const turn = (number: number) => ({
    id: ids[number]!,
    owner: 'did:key:other',
    session_id: `s${number}`,
    message_key: `m${number}`,
    status: 'done',
    ended_at: 0,
    hooks_called: 1,
  })
  fill(database, 'core_turns', rows, turn)
  fill(database, 'core_turn_events', rows, number => ({
    turn_id: ids[number]!,
    first_id: 1,
    body: 'x'.repeat(600),
    created_at: 0,
  }))
  database.close()
}

/** Fills in all that there is of a person. */
export const fillPerson = (path: string): void => {
  const database = new DatabaseSync(path)
  const { sessions, turns, facts, words } = size
  const all = sessions * turns
  const sessionOf = (number: number): string => `session-${Math.floor(number / turns)}`
  fill(database, 'core_sessions', sessions, number => ({
    owner: person,
    id: sessionOf(number * turns),
    loaded_plugins: '[]',
    approved_tools: '[]',
  }))
  const ids = Array.from({ length: all }, () => randomUUID())
  fill(database, 'core_turns', all, number => ({
    id: ids[number]!,
    owner: person,
    session_id: sessionOf(number),
    message_key: `m${number}`,
    status: 'done',
    ended_at: 2_000_000_000_000,
    hooks_called: 1,
  }))
  fill(database, 'core_turn_events', all, number => ({
    turn_id: ids[number]!,
    first_id: 1,
    body: 'x'.repeat(600),
    created_at: 2_000_000_000_000,
  }))
  fill(database, 'core_messages', all * 2, number => ({
    owner: person,
    session_id: sessionOf(Math.floor(number / 2)),
    id: `message-${number}`,
    position: number,
    role: number % 2 === 0 ? 'user' : 'assistant',
    parts: JSON.stringify([{ type: 'text', text: 'What the weather was like. '.repeat(10) }]),
    metadata: '{}',
  }))
  fill(database, 'memory_people', 1, () => ({ person: 1, did: person, holder: person, facts }))
  fill(database, 'memory_facts', facts, number => ({
    person: 1,
    id: `fact-${number}`,
    text: `The meter of house ${number} is read on Mondays.`,
    tags: '[]',
    saying: hashOf(`fact ${number}`),
  }))
  fill(database, 'memory_words', facts * words, number => ({
    person: 1,
    root: `word-${(number * 7) % 2_000}`,
    fact: Math.floor(number / words) + 1 + (number % words) * facts,
  }))
  database.close()
}
