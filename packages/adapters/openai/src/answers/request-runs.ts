import { createHash } from 'node:crypto'
import type { Actor, Host, Refusal, StartedTurn, TurnRequest } from '@sibyl/plugin'
import { type CamelCaseStorage, camelCaseTransaction } from '@sibyl/plugin/host'
import { type Selectable, sql } from '@sibyl/plugin/storage'
import { z } from 'zod'
import { openaiErrors } from '../errors/openai-errors.ts'
import { keyKeptMs } from '../threads/forget-old.ts'
import type { OpenAiTables, OpenAiTransaction } from '../threads/threads-tables.ts'
import type { WaitingTurn } from './run-conversation.ts'

/** Time for which a turn goes on after its client disconnected, in milliseconds: SDKs repeat a request within it. */
const graceMs = 5_000
/** Time after its last use for which an answer is given to a request that an SDK marks as a repeat, in milliseconds. */
const repeatedMs = 120_000

/** Headers by which a repeated request is found. */
export const repeatHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'For a day, requests with the same key and body are one turn' }),
  /** Of the SDKs of OpenAI and Anthropic: how often this request was sent before. */
  'x-stainless-retry-count': z.string().max(20).optional(),
})

/** A request of a client. */
export interface ClientRequest {
  readonly actor: Actor
  readonly headers: z.output<typeof repeatHeaders>
  /** The path and the body: what has to be the same in a repeat. */
  readonly content: readonly unknown[]
}

/** Where a request runs. */
export interface RequestPlace {
  readonly session: string
  /** The id of the response; of a chat completion empty. */
  readonly answer: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A running or repeated request. */
export interface RequestRun extends RequestPlace {
  readonly turn: StartedTurn | WaitingTurn
  /** Stops the turn, unless another client reads it, a repeat comes in time, or its key allows one later. */
  disconnected(): void
  /** Stores what an answer leaves, once for all repeats. */
  save(work: (tx: OpenAiTransaction) => Promise<void>): Promise<void>
}

/** Starts the turn of a request that is not a repeat. */
export type StartRun = (run: {
  readonly createdAt: number
  /** Returns what the turn writes first. @param work Writes with it. */
  within(
    place: RequestPlace,
    work?: (tx: OpenAiTransaction, turnId: string) => Promise<void>,
  ): NonNullable<TurnRequest['within']>
}) => Promise<{ readonly refused: Refusal } | (RequestPlace & Pick<RequestRun, 'turn'>)>

/** Runs requests; a repeated one is the turn of the first. */
export interface RequestRuns {
  /** Throws `openai_key_reused`. */
  begin(request: ClientRequest, start: StartRun): Promise<{ readonly refused: Refusal } | RequestRun>
}

type Row = Selectable<OpenAiTables['openai_requests']>
type RowKey = Pick<Row, 'owner' | 'key' | 'turn'>

/** Another request with the same key began first. */
class Raced extends Error {}

/** Creates the runs of requests on the tables of the adapter. */
export const createRequestRuns = (
  { read, write }: CamelCaseStorage<OpenAiTables>,
  turns: Pick<Host['turns'], 'follow' | 'stop'>,
  now: () => number,
): RequestRuns => {
  const find = (owner: string, key: string): Promise<Row | undefined> =>
    read.selectFrom('openai_requests').selectAll().where('owner', '=', owner).where('key', '=', key).executeTakeFirst()
  const update = (
    tx: OpenAiTransaction,
    { owner, key, turn }: RowKey,
    values: { readonly isSaved?: boolean; readonly readers?: ReturnType<typeof sql<number>> },
  ) =>
    tx
      .updateTable('openai_requests')
      .set({ ...values, usedAt: now() })
      .where(eb => eb.and({ owner, key, turn }))
  const forget = ({ owner, key, turn }: RowKey) =>
    write(tx =>
      tx
        .deleteFrom('openai_requests')
        .where(eb => eb.and({ owner, key, turn }))
        .execute(),
    )
  const saveOnce: (row: RowKey) => RequestRun['save'] = row => work =>
    write(async tx => {
      const saved = update(tx, row, { isSaved: true }).where('isSaved', '=', false).returning('turn')
      if ((await saved.execute()).length > 0) await work(tx)
    })

  /** Returns what a client that leaves does to its turn: the last one stops it after a while, if no key allows a later repeat. */
  const leaving = (actor: Actor, row: RowKey, run: RequestRun['turn'], mayStop: boolean) => () => {
    if (!mayStop || !('isRunning' in run && run.isRunning())) return
    const left = write(tx => update(tx, row, { readers: sql<number>`readers - 1` }).execute()).catch(() => {})
    const stopUnread = async () => {
      await left
      const { turn, readers = 0 } = (await find(row.owner, row.key)) ?? {}
      if (turn !== row.turn || readers <= 0) await turns.stop(actor, row.turn)
    }
    // Without its database, an oracle stops its turns itself.
    setTimeout(() => void stopUnread().catch(() => {}), graceMs).unref()
  }

  return {
    async begin({ actor, headers, content }, start) {
      const owner = actor.did
      const body = hashOf(JSON.stringify(content))
      const given = headers['idempotency-key']
      const key = given === undefined ? body : `key ${hashOf(given)}`
      const isMarked = given !== undefined || Number(headers['x-stainless-retry-count'] ?? 0) > 0
      for (let isRaced = false; ; isRaced = true) {
        const row = await find(owner, key)
        const isFresh = row !== undefined && Number(row.usedAt) > now() - (given === undefined ? repeatedMs : keyKeptMs)
        if (isFresh && row.body !== body) throw openaiErrors.openai_key_reused()
        const turn = row && (await repeatedTurn(turns, row, (isMarked || isRaced) && isFresh))
        if (row && turn) {
          const disconnected = leaving(actor, row, turn, given === undefined)
          await write(tx => update(tx, row, { readers: sql<number>`readers + 1` }).execute())
          const { session, answer, createdAt } = row
          return { turn, session, answer, createdAt: Number(createdAt), disconnected, save: saveOnce(row) }
        }
        if (row) await forget(row)
        const createdAt = now()
        let begun = undefined as RowKey | undefined
        try {
          const started = await start({
            createdAt,
            within: (place, work) => async (given, turnId) => {
              const tx = camelCaseTransaction<OpenAiTables>(given)
              begun = { owner, key, turn: turnId }
              const rest = { body, isSaved: false, readers: 1, usedAt: createdAt }
              const insert = tx.insertInto('openai_requests').values({ ...begun, ...place, ...rest })
              const inserted = await insert
                .onConflict(other => other.doNothing())
                .returning('turn')
                .execute()
              if (inserted.length === 0) throw new Raced()
              await work?.(tx, turnId)
            },
          })
          if ('refused' in started) return started
          const { turn } = started
          const own = begun ?? { owner, key, turn: turn.turnId }
          return {
            ...started,
            disconnected: leaving(actor, own, turn, given === undefined),
            save: begun ? saveOnce(own) : write,
          }
        } catch (error) {
          if (!(error instanceof Raced)) throw error
        }
      }
    },
  }
}

/**
 * Returns the turn that answers a repeat: one that runs, or one that has ended, unless it failed and changed nothing.
 *
 * @param readsEnded Whether the answer of an ended turn is given again.
 */
const repeatedTurn = async (
  turns: Pick<Host['turns'], 'follow'>,
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
