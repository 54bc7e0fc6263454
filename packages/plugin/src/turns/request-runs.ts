import { createHash } from 'node:crypto'
import {
  type AnyTransaction,
  type CamelCaseStorage,
  camelCaseTransaction,
  column,
  defineTable,
  type FixedStatement,
  runFixed,
  sql,
  type TablesOf,
} from '@sibyl/storage'
import type { Selectable } from 'kysely'
import type { Actor } from '../actors/actor.ts'
import { type Retention, retain } from '../limits/retention.ts'
import type { Refusal, StartedTurn, TurnRequest, Turns } from './turn.ts'

/** Time for which a turn goes on after its client disconnected, in milliseconds: SDKs repeat a request within it. */
const graceMs = 5_000
/** Time after its last use for which an answer is given to a repeat without a key, in milliseconds. */
const repeatedMs = 120_000
/** Time for which a request is kept after its last repeat, in milliseconds. */
const keyKeptMs = 24 * 3_600_000

/** Defines the table of the requests of an adapter. Times are milliseconds since 1970. */
export const requestTable = <Name extends string>(name: Name) =>
  defineTable(
    name,
    {
      owner: column.text(),
      /** Hash of the key of the client, or of the content if it has none. */
      key: column.text(),
      /** Hash of the content. */
      body: column.text(),
      session: column.text(),
      turn: column.text(),
      /** The id of the answer, if it has one besides the turn; else empty. */
      answer: column.text(),
      /** Whether its answer was stored. */
      isSaved: column.boolean(),
      /** The number of clients that read its answer, or that read it to the end. */
      readers: column.integer(),
      createdAt: column.timestamp(),
      usedAt: column.timestamp(),
    },
    { primaryKey: ['owner', 'key'], indexes: { [`${name}_by_use`]: ['usedAt'] } },
  )

type RequestTables = TablesOf<readonly [ReturnType<typeof requestTable<'requests'>>]>
type Transaction = ReturnType<typeof camelCaseTransaction<RequestTables>>
type Row = Selectable<RequestTables['requests']>
type RowKey = Pick<Row, 'owner' | 'key' | 'turn'>

/** Creates the statements that each request runs. */
const statementsOf = (table: 'requests') => {
  const selectRow: FixedStatement<RequestTables, Pick<Row, 'owner' | 'key'>, Row> = (db, value) =>
    db.selectFrom(table).selectAll().where('owner', '=', value('owner')).where('key', '=', value('key'))
  const insertRow: FixedStatement<
    RequestTables,
    RowKey & Pick<Row, 'session' | 'answer' | 'body'> & { readonly createdAt: number },
    unknown
  > = (tx, value) =>
    tx
      .insertInto(table)
      .values({
        owner: value('owner'),
        key: value('key'),
        turn: value('turn'),
        session: value('session'),
        answer: value('answer'),
        body: value('body'),
        isSaved: false,
        readers: 1,
        createdAt: value('createdAt'),
        usedAt: value('createdAt'),
      })
      .onConflict(other => other.doNothing())
      .returning('turn')
  const markSaved: FixedStatement<RequestTables, RowKey & { readonly usedAt: number }, unknown> = (tx, value) =>
    tx
      .updateTable(table)
      .set({ isSaved: true, usedAt: value('usedAt') })
      .where(eb => eb.and({ owner: value('owner'), key: value('key'), turn: value('turn'), isSaved: false }))
      .returning('turn')
  return { selectRow, insertRow, markSaved }
}

/** A request of a client. */
export interface ClientRequest {
  readonly actor: Actor
  /** The parts that are the same in a repeat, such as the path and the body. */
  readonly content: readonly unknown[]
  /** The key of the client: for a day, its requests are one turn. */
  readonly key?: string | undefined
  /** Creates the error for a key that came with another content. */
  readonly keyReused: () => Error
  /** Which ended turns answer a repeat without a key: those that it is marked to repeat, or those whose answer was lost. */
  readonly repeats?: 'ended' | 'lost' | undefined
}

/** Where a request runs. */
export interface RequestPlace {
  readonly session: string
  /** The id of the answer, if it has one besides the turn; else empty. */
  readonly answer: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A running or repeated request. */
export interface RequestRun<Waiting = never> extends RequestPlace {
  readonly turn: StartedTurn | Waiting
  /**
   * Stops the turn, unless another client reads it, a repeat comes in time, or its key allows one later. With `continues`, it only
   * marks the answer as lost.
   */
  disconnected(turn?: 'continues'): void
  /** Stops the turn, unless another client without a key reads it. A repeat runs again. */
  canceled(): void
  /** Stores what an answer leaves, once for all repeats. */
  save(work: (tx: AnyTransaction) => Promise<void>): Promise<void>
}

/** Starts the turn of a request that is not a repeat. */
export type StartRun<Waiting = never> = (run: {
  readonly createdAt: number
  /** Returns what the turn writes first. @param work Writes with it. */
  within(
    place: RequestPlace,
    work?: (tx: AnyTransaction, turnId: string) => Promise<void>,
  ): NonNullable<TurnRequest['within']>
}) => Promise<{ readonly refused: Refusal } | (RequestPlace & Pick<RequestRun<Waiting>, 'turn'>)>

/** Runs requests; a repeated one is the turn of the first. */
export interface RequestRuns {
  /** Throws `keyReused` for a key that came with another content. */
  begin<Waiting extends { readonly turnId: string } = never>(
    request: ClientRequest,
    start: StartRun<Waiting>,
  ): Promise<{ readonly refused: Refusal } | RequestRun<Waiting>>
  /** Deletes requests that no repeat can find. */
  readonly retention: Retention
  /** Deletes the requests of a person. */
  erase(did: string): Promise<void>
}

interface RequestRunParts<Tables, Name> {
  readonly storage: CamelCaseStorage<Tables>
  /** Its table, of `requestTable`. */
  readonly table: Name
  readonly turns: Pick<Turns, 'follow' | 'stop'>
  readonly now: () => number
}

/** Another request with the same key began first. */
class Raced extends Error {}

/** Creates the runs of requests on a table of an adapter. */
export const createRequestRuns = <Tables, Name extends keyof Tables & string>({
  storage: given,
  table: name,
  turns,
  now,
}: RequestRunParts<Tables, Name>): RequestRuns => {
  const storage = given as unknown as CamelCaseStorage<RequestTables>
  const { read, write } = storage
  const table = name as unknown as 'requests'
  const { selectRow, insertRow, markSaved } = statementsOf(table)
  const find = async (owner: string, key: string) => (await runFixed(read, selectRow, { owner, key }))[0]
  const addReaders = (tx: Transaction, { owner, key, turn }: RowKey, change: 1 | -1) =>
    tx
      .updateTable(table)
      .set({ readers: sql<number>`readers + ${change}`, usedAt: now() })
      .where(eb => eb.and({ owner, key, turn }))
      .execute()
  const remove = ({ owner, key, turn }: RowKey) =>
    write(tx =>
      tx
        .deleteFrom(table)
        .where(eb => eb.and({ owner, key, turn }))
        .execute(),
    )
  const saveOnce: (row: RowKey) => RequestRun['save'] = row => work =>
    write(async tx => {
      if ((await runFixed(tx, markSaved, { ...row, usedAt: now() })).length > 0) await work(tx)
    })

  /** Returns what clients that leave do to a turn: the last one stops it, after a while if a repeat may come. */
  const leaving = (actor: Actor, row: RowKey, run: StartedTurn | { readonly turnId: string }, hasKey: boolean) => {
    const leave = (isCanceled: boolean) => (then?: 'continues') => {
      if (!('isRunning' in run && run.isRunning())) return
      const left = write(tx => addReaders(tx, row, -1)).catch(() => {})
      const stopUnread = async () => {
        await left
        const { turn, readers = 0 } = (await find(row.owner, row.key)) ?? {}
        if (turn === row.turn && readers > 0 && !(isCanceled && hasKey)) return
        if (isCanceled) await remove(row)
        await turns.stop(actor, row.turn)
      }
      if (then) return
      // Without its database, an oracle stops its turns itself.
      setTimeout(() => void stopUnread().catch(() => {}), isCanceled ? 0 : graceMs).unref()
    }
    return { disconnected: hasKey ? () => {} : leave(false), canceled: leave(true) }
  }

  return {
    async begin({ actor, content, key: named, keyReused, repeats }, start) {
      const owner = actor.did
      const body = hashOf(JSON.stringify(content))
      const hasKey = named !== undefined
      const key = named === undefined ? body : `key ${hashOf(named)}`
      for (let isRaced = false; ; isRaced = true) {
        const row = await find(owner, key)
        const isFresh = row !== undefined && Number(row.usedAt) > now() - (hasKey ? keyKeptMs : repeatedMs)
        if (isFresh && row.body !== body) throw keyReused()
        const readsEnded = hasKey || isRaced || repeats === 'ended' || (repeats === 'lost' && (row?.readers ?? 1) <= 0)
        const turn = row && (await repeatedTurn(turns, row, isFresh && readsEnded))
        if (row && turn) {
          await write(tx => addReaders(tx, row, 1))
          const { session, answer, createdAt } = row
          const place = { session, answer, createdAt: Number(createdAt) }
          return { ...place, turn, ...leaving(actor, row, turn, hasKey), save: saveOnce(row) }
        }
        if (row) await remove(row)
        const createdAt = now()
        let begun = undefined as RowKey | undefined
        try {
          const started = await start({
            createdAt,
            within: (place, work) => async (given, turnId) => {
              const tx = camelCaseTransaction<RequestTables>(given)
              begun = { owner, key, turn: turnId }
              const { session, answer } = place
              const inserted = await runFixed(tx, insertRow, { ...begun, session, answer, body, createdAt })
              if (inserted.length === 0) throw new Raced()
              await work?.(tx, turnId)
            },
          })
          if ('refused' in started) return started
          const { turn } = started
          const own = begun ?? { owner, key, turn: turn.turnId }
          return { ...started, ...leaving(actor, own, turn, hasKey), save: begun ? saveOnce(own) : write }
        } catch (error) {
          if (!(error instanceof Raced)) throw error
        }
      }
    },
    retention: retain(storage, {
      table,
      key: ['owner', 'key'],
      where: (eb, at) => eb('usedAt', '<', at - keyKeptMs),
    }),
    async erase(did) {
      await write(tx => tx.deleteFrom(table).where('owner', '=', did).execute())
    },
  }
}

/**
 * Returns the turn that answers a repeat: one that runs, or one that has ended, unless it failed and changed nothing.
 *
 * @param readsEnded Whether the answer of an ended turn is given again.
 */
const repeatedTurn = async (
  turns: Pick<Turns, 'follow'>,
  { owner, turn: turnId }: Pick<Row, 'owner' | 'turn'>,
  readsEnded: boolean,
): Promise<StartedTurn | undefined> => {
  const turn = await turns.follow(owner, turnId)
  if (!turn || turn.isRunning()) return turn
  if (!readsEnded) return undefined
  const { hasActed = true } = await turn.finished
  return hasActed ? turn : undefined
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
