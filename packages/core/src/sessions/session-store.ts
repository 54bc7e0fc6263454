import { type AnyTransaction, type Storage, sql, type WriteOptions } from '@sibyl/storage'
import type { ExpressionBuilder, RawBuilder, SqlBool, Transaction } from 'kysely'
import { type CoreRow, type CoreTables, rowByRow } from '../database/core-tables.ts'
import { countInSessions } from '../database/count-stored.ts'
import { readJson, storable } from '../database/stored-json.ts'
import { removeSession } from './remove-session.ts'
import { type MessagePart, readMetadata, type StoredMessage } from './stored-message.ts'

/** A session, as its owner reads it. */
export type Session = Readonly<ReturnType<typeof sessionOf>>

export interface SessionListOptions {
  readonly limit: number
  /** Only sessions older than this, in milliseconds since 1970. */
  readonly before?: number | undefined
  /** The time and id of the last session of the page before. */
  readonly behind?: readonly [updatedAt: number, id: string] | undefined
  /** Only sessions with a greater id, in the order of their ids. */
  readonly afterId?: string | undefined
  /** Only sessions with this text in their title, or in a message of the user in one of the latest `maxSearched`. */
  readonly text?: string | undefined
}

/** Creates the store on the storage of the app. */
export const createSessionStore = (storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>) => ({
  /** Returns the newest first. Sessions of the oracle's own work, started by a turn of the channel `task`, are omitted. */
  async list(owner: string, { limit, before, behind, afterId, text }: SessionListOptions): Promise<Session[]> {
    let query = storage.read
      .selectFrom('core_sessions')
      .selectAll()
      .where('owner', '=', owner)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('core_turns')
              .select('core_turns.id')
              .whereRef('core_turns.id', '=', 'core_sessions.first_turn')
              .where('core_turns.channel', '=', 'task'),
          ),
        ),
      )
    if (before !== undefined) query = query.where('updated_at', '<', before)
    if (behind) {
      const [updatedAt, id] = behind
      query = query.where(eb =>
        eb.or([eb('updated_at', '<', updatedAt), eb.and([eb('updated_at', '=', updatedAt), eb('id', '>', id)])]),
      )
    }
    if (text !== undefined) query = query.where(containsText(owner, text))
    if (afterId !== undefined) {
      return (await query.where('id', '>', afterId).orderBy('id').limit(limit).execute()).map(sessionOf)
    }
    return (await query.orderBy('updated_at', 'desc').orderBy('id').limit(limit).execute()).map(sessionOf)
  },
  /** Returns the ids of at most `limit` sessions of any kind. */
  async allIds(owner: string, limit: number): Promise<string[]> {
    const rows = await storage.read
      .selectFrom('core_sessions')
      .select('id')
      .where('owner', '=', owner)
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  },
  async find(owner: string, id: string) {
    const row = await storage.read
      .selectFrom('core_sessions')
      .selectAll()
      .where(eb => eb.and({ owner, id }))
      .executeTakeFirst()
    return row && { ...sessionOf(row), approvedTools: readJson<string[]>(row.approved_tools, []) }
  },
  /** Returns all messages, or the first `limit`, oldest first; only those after the message `after`, if it exists. */
  async messages(owner: string, id: string, after?: string, limit?: number): Promise<StoredMessage[]> {
    let query = storage.read
      .selectFrom('core_messages')
      .selectAll()
      .where(eb => eb.and({ owner, session_id: id }))
    if (after !== undefined) query = query.where('position', '>', positionOf(owner, id, after))
    if (limit !== undefined) query = query.limit(limit)
    return (await query.orderBy('position').execute()).map(messageOf)
  },
  /** Returns the code of the latest turn, if it failed or was interrupted. */
  async failure(owner: string, id: string): Promise<string | undefined> {
    const row = await storage.read
      .selectFrom('core_turns')
      .select(['status', 'code'])
      .where(eb => eb.and({ owner, session_id: id }))
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.status === 'failed' || row?.status === 'interrupted' ? (row.code ?? 'turn_failed') : undefined
  },
  async message(owner: string, id: string, messageId: string): Promise<StoredMessage | undefined> {
    const row = await storage.read
      .selectFrom('core_messages')
      .selectAll()
      .where(eb => eb.and({ owner, session_id: id, id: messageId }))
      .executeTakeFirst()
    return row && messageOf(row)
  },
  /** Removes the session and its data; false if it does not exist. @param log That of `removeSession`. */
  remove: (owner: string, id: string, log?: WriteOptions<unknown>['log']) => removeSession(storage, owner, id, log),
  /** Adds a post of the oracle, unless a turn is running; creates the session if it does not exist. */
  post: (message: PostedMessage): Promise<PostResult> => storage.write(tx => postMessage(tx, message), rowByRow),
  /** Does the same within a transaction of the caller. */
  postWithin: (tx: AnyTransaction, message: PostedMessage): Promise<PostResult> =>
    postMessage((tx as unknown as Transaction<CoreTables>).withoutPlugins(), message),
  /** Adds plugins to the loaded ones; returns all of them, in the order in which they were loaded. */
  load: (owner: string, id: string, plugins: readonly string[]): Promise<string[]> =>
    storage.write(async tx => {
      const row = await tx
        .selectFrom('core_sessions')
        .select('loaded_plugins')
        .where(eb => eb.and({ owner, id }))
        .executeTakeFirst()
      const loaded = [...new Set([...readJson<string[]>(row?.loaded_plugins ?? null, []), ...plugins])]
      await tx
        .updateTable('core_sessions')
        .set({ loaded_plugins: JSON.stringify(loaded) })
        .where(eb => eb.and({ owner, id }))
        .execute()
      return loaded
    }),
})

/** Reads and changes sessions; every call has the owner, so that ids of other users reveal nothing. */
export type SessionStore = ReturnType<typeof createSessionStore>

/** The latest sessions of a user whose messages are searched. */
export const maxSearched = 200

/** Returns the condition that a session has a text in its title, or in a message of its user if it is one of the latest. */
const containsText = (owner: string, text: string) => (eb: ExpressionBuilder<CoreTables, 'core_sessions'>) => {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const has = (column: string) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
  const latest = eb
    .selectFrom('core_sessions as latest')
    .select('latest.id')
    .where('latest.owner', '=', owner)
    .orderBy('latest.updated_at', 'desc')
    .limit(maxSearched)
  const content = eb
    .selectFrom('core_turns')
    .select('core_turns.session_id')
    .where('core_turns.owner', '=', owner)
    .where('core_turns.session_id', 'in', latest)
    .where(has('core_turns.text'))
  return eb.or([has('core_sessions.title'), eb('core_sessions.id', 'in', content)])
}

/** Returns the position after a session's last message. */
export const nextPosition = (owner: string | RawBuilder<string>, sessionId: string | RawBuilder<string>) =>
  sql<number>`(select coalesce(max(m.position), 0) + 1 from core_messages m where m.owner = ${owner} and m.session_id = ${sessionId})`

/** Returns the position of a message; 0, before all, if it does not exist. */
const positionOf = (owner: string, sessionId: string, id: string) =>
  sql<number>`(select coalesce(max(m.position), 0) from core_messages m where m.owner = ${owner} and m.session_id = ${sessionId} and m.id = ${id})`

const sessionOf = (row: CoreRow<'core_sessions'>) => ({
  id: row.id,
  title: row.title,
  loadedPlugins: readJson<readonly string[]>(row.loaded_plugins, []),
  runningTurn: row.running_turn ?? undefined,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
})

/** Turns a row of `core_messages` into a message. */
export const messageOf = (row: CoreRow<'core_messages'>): StoredMessage => ({
  id: row.id,
  role: row.role,
  parts: readJson<MessagePart[]>(row.parts, []),
  metadata: readMetadata(row.metadata),
  turnId: row.turn_id,
  createdAt: Number(row.created_at),
})

/** A message that the oracle posts to a session, without a turn. */
export interface PostedMessage {
  readonly owner: string
  readonly sessionId: string
  /** Posts with the same id in one session are one. */
  readonly id: string
  readonly text: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The result of a post: written now or before, or the session is busy with a turn. */
export type PostResult = 'posted' | { readonly busyWith: string }

/** Bytes of a post besides its text, rounded up. */
const storedPostBytes = 500

/** Adds an assistant message to a session without a running turn, and creates the session if it does not exist. */
export const postMessage = async (tx: Transaction<CoreTables>, message: PostedMessage): Promise<PostResult> => {
  const { owner, sessionId, id, now } = message
  const text = storable(message.text)
  // Writes, so that no turn begins there before the end.
  const session = await tx
    .insertInto('core_sessions')
    .values({
      owner,
      id: sessionId,
      title: sessionTitle(text),
      loaded_plugins: '[]',
      approved_tools: '[]',
      first_turn: '',
      running_turn: null,
      created_at: now,
      updated_at: now,
      bytes: 0,
    })
    .onConflict(conflict => conflict.columns(['owner', 'id']).doUpdateSet({ updated_at: now }))
    .returning('running_turn')
    .executeTakeFirstOrThrow()
  if (session.running_turn !== null) {
    return (await isPosted(tx, message)) ? 'posted' : { busyWith: session.running_turn }
  }
  const posted = await tx
    .insertInto('core_messages')
    .values({
      owner,
      session_id: sessionId,
      id,
      position: nextPosition(owner, sessionId),
      role: 'assistant',
      parts: JSON.stringify([{ type: 'text', text, state: 'done' }]),
      metadata: JSON.stringify({ sessionId, outcome: 'done' }),
      turn_id: '',
      created_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (posted) {
    await countInSessions(tx, [{ did: owner, sessionId, bytes: storedPostBytes + Buffer.byteLength(text) }])
  }
  return 'posted'
}

const isPosted = async (tx: Transaction<CoreTables>, { owner, sessionId, id }: PostedMessage): Promise<boolean> => {
  const row = await tx
    .selectFrom('core_messages')
    .select('id')
    .where(eb => eb.and({ owner, session_id: sessionId, id }))
    .executeTakeFirst()
  return row !== undefined
}

/** Longest title of a session, in characters. */
const longest = 80

/** Returns the title of a session that starts with a text: the start of its first line. */
export const sessionTitle = (text: string): string => storable(text.trim().split('\n', 1)[0]!.trim().slice(0, longest))
