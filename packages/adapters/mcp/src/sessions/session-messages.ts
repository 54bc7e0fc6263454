import { column, createTables, defineTable, retain, type TablesOf } from '@sibyl/plugin'
import { type CamelCaseStorage, requestTable } from '@sibyl/plugin/host'
import { type FixedStatement, type Migrations, runFixed } from '@sibyl/plugin/storage'
import { type JsonObject, parseJson } from '@sibyl/protocol'
import { readSessionId } from './session-id.ts'

/** Messages of clients for the process that runs the request which they are about. */
const messages = defineTable(
  'mcp_messages',
  {
    place: column.serial(),
    session: column.text(),
    /** JSON of the message; null marks the end of the session. */
    body: column.text().nullable(),
    at: column.timestamp(),
  },
  { indexes: { mcp_messages_by_session: ['session'], mcp_messages_by_time: ['at'] } },
)

const requests = requestTable('mcp_requests')

export type McpTables = TablesOf<readonly [typeof messages, typeof requests]>

export const mcpMigrations: Migrations & { readonly '0100-base': ReturnType<typeof createTables> } = {
  '0100-base': createTables([messages]),
  '0101-requests': createTables([requests]),
}

/** A process reads its messages twice a second; what none has read by then is about nothing. */
const keptMs = 60_000
const endedKeptMs = 30 * 24 * 3_600_000

/** The most rows of messages, and of ended sessions: beyond it the oldest are deleted. */
const maxMessages = 1_000
const maxEnded = 100_000

/** A message that was received elsewhere; without one, the session has ended. */
export interface SessionMessage {
  readonly place: number
  readonly session: string
  readonly message?: JsonObject
}

/** Creates the store of messages. */
export const createSessionMessages = (storage: CamelCaseStorage<McpTables>, now: () => number) => {
  const { engine, read, write } = storage
  const insert = (session: string, body: string | null) =>
    write(async tx => {
      const { place } = await tx
        .insertInto('mcp_messages')
        .values({ session, body, at: now() })
        .returning('place')
        .executeTakeFirstOrThrow()
      await tx
        .deleteFrom('mcp_messages')
        .where('place', '<=', place - (body === null ? maxEnded : maxMessages))
        .where('body', body === null ? 'is' : 'is not', null)
        .execute()
    })
  const remove = async (places: readonly number[]) => {
    await write(tx => tx.deleteFrom('mcp_messages').where('place', 'in', places).execute(), { scrub: true })
  }
  return {
    /** Whether there are other processes. */
    areShared: engine === 'postgres',
    add: (session: string, message: object): Promise<void> => insert(session, JSON.stringify(message)),
    end: (session: string): Promise<void> => insert(session, null),
    hasEnded: async (session: string): Promise<boolean> => (await runFixed(read, endOf, { session })).length > 0,
    async of(sessions: readonly string[]): Promise<readonly SessionMessage[]> {
      const rows = await read.selectFrom('mcp_messages').selectAll().where('session', 'in', sessions).execute()
      return rows.map(({ place, session, body }) => ({
        place,
        session,
        ...(body === null ? {} : { message: parseJson(body) as JsonObject }),
      }))
    },
    remove,
    /** Deletes the messages of a caller, which may have what they answered. */
    async erase(did: string): Promise<void> {
      const rows = await read
        .selectFrom('mcp_messages')
        .select(['place', 'session'])
        .where('body', 'is not', null)
        .execute()
      const own = rows.filter(({ session }) => readSessionId(session, did) !== undefined)
      if (own.length > 0) await remove(own.map(({ place }) => place))
    },
    retention: retain(storage, {
      table: 'mcp_messages',
      key: ['place'],
      where: (eb, at) =>
        eb.or([eb('at', '<', at - endedKeptMs), eb.and([eb('body', 'is not', null), eb('at', '<', at - keptMs)])]),
    }),
  }
}

/** Messages between the processes that serve a session. */
export type SessionMessages = ReturnType<typeof createSessionMessages>

const endOf: FixedStatement<McpTables, { readonly session: string }, { readonly place: number }> = (db, value) =>
  db
    .selectFrom('mcp_messages')
    .select('place')
    .where('session', '=', value('session'))
    .where('body', 'is', null)
    .limit(1)
