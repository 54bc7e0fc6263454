import { type AnyTransaction, type Storage, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreTables } from './core-tables.ts'
import { type PostedMessage, type PostResult, postMessage } from './post-message.ts'
import { removeSession } from './remove-session.ts'
import { rowByRow } from './row-by-row.ts'
import { type MessagePart, readJson, readMetadata, type StoredMessage } from './turn-message.ts'

/** A session as its owner sees it. */
export interface Session {
  readonly id: string
  readonly title: string
  readonly loadedPlugins: readonly string[]
  readonly runningTurn: string | undefined
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Reads and changes sessions; every call names the owner, so that another's id tells nothing. */
export interface SessionStore {
  /**
   * The newest first, at most `limit`, older than `before` (milliseconds since 1970) when given. Those in which the oracle
   * works by itself, begun by a turn of the channel `task`, are left out.
   */
  list(owner: string, limit: number, before?: number): Promise<Session[]>
  /** The ids of at most `limit` sessions, of whichever kind. */
  allIds(owner: string, limit: number): Promise<string[]>
  find(owner: string, id: string): Promise<Session | undefined>
  /** All messages, the oldest first; those after the message `after` alone, where there is one of that id. */
  messages(owner: string, id: string, after?: string): Promise<StoredMessage[]>
  /** Removes the session and all that belongs to it; false when there is none. */
  remove(owner: string, id: string): Promise<boolean>
  /** Adds plugins to those that are loaded; gives all of them, in the order they were loaded. */
  load(owner: string, id: string, plugins: readonly string[]): Promise<string[]>
  /** Adds something that the oracle says by itself, unless a turn runs there; the session is made where there is none. */
  post(message: PostedMessage): Promise<PostResult>
  /** The same as a part of somebody's transaction. */
  postWithin(tx: AnyTransaction, message: PostedMessage): Promise<PostResult>
}

/** Makes the store on the app's storage. */
export const createSessionStore = (storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>): SessionStore => ({
  async list(owner, limit, before) {
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
    return (await query.orderBy('updated_at', 'desc').orderBy('id').limit(limit).execute()).map(sessionOf)
  },
  async allIds(owner, limit) {
    const rows = await storage.read
      .selectFrom('core_sessions')
      .select('id')
      .where('owner', '=', owner)
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  },
  async find(owner, id) {
    const row = await storage.read
      .selectFrom('core_sessions')
      .selectAll()
      .where('owner', '=', owner)
      .where('id', '=', id)
      .executeTakeFirst()
    return row && sessionOf(row)
  },
  async messages(owner, id, after) {
    let query = storage.read
      .selectFrom('core_messages')
      .selectAll()
      .where('owner', '=', owner)
      .where('session_id', '=', id)
    if (after !== undefined) query = query.where('position', '>', positionOf(owner, id, after))
    return (await query.orderBy('position').execute()).map(messageOf)
  },
  remove: (owner, id) => removeSession(storage, owner, id),
  post: message => storage.write(tx => postMessage(tx, message), rowByRow),
  postWithin: (tx, message) => postMessage((tx as unknown as Transaction<CoreTables>).withoutPlugins(), message),
  load: (owner, id, plugins) =>
    storage.write(async tx => {
      const row = await tx
        .selectFrom('core_sessions')
        .select('loaded_plugins')
        .where('owner', '=', owner)
        .where('id', '=', id)
        .executeTakeFirst()
      const loaded = [...new Set([...readJson<string[]>(row?.loaded_plugins ?? null, []), ...plugins])]
      await tx
        .updateTable('core_sessions')
        .set({ loaded_plugins: JSON.stringify(loaded) })
        .where('owner', '=', owner)
        .where('id', '=', id)
        .execute()
      return loaded
    }),
})

/** The place of a message; 0, before all, where there is none of that id. */
const positionOf = (owner: string, sessionId: string, id: string) =>
  sql<number>`(select coalesce(max(m.position), 0) from core_messages m where m.owner = ${owner} and m.session_id = ${sessionId} and m.id = ${id})`

const sessionOf = (row: CoreTables['core_sessions']): Session => ({
  id: row.id,
  title: row.title,
  loadedPlugins: readJson<string[]>(row.loaded_plugins, []),
  runningTurn: row.running_turn ?? undefined,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
})

/** Turns a row of `core_messages` into a message. */
export const messageOf = (row: CoreTables['core_messages']): StoredMessage => ({
  id: row.id,
  role: row.role,
  parts: readJson<MessagePart[]>(row.parts, []),
  metadata: readMetadata(row.metadata),
  turnId: row.turn_id,
  createdAt: Number(row.created_at),
})
