import { type Retention, retain, type TurnRecord } from '@sibyl/plugin'
import type { HostLimits } from '@sibyl/plugin/host'
import { type CamelCaseStorage, camelCaseTransaction, deleteCounted } from '@sibyl/plugin/host'
import { type AnyTransaction, type FixedStatement, runFixed } from '@sibyl/plugin/storage'
import { a2aErrors } from '../errors/a2a-errors.ts'
import type { TaskState } from '../wire/task-state.ts'
import type { Task, TaskMessage } from './task.ts'
import { messageInsert, taskEnd, taskInsert } from './task-statements.ts'
import { type A2aTables, type Artifact, messages, type Question, tasks } from './task-tables.ts'

/** The result of a turn of a task. */
export type Ending = Pick<Task, 'state' | 'statusText'> & {
  readonly questions?: readonly Question[]
  /** The answer and the files of the turn. */
  readonly artifacts?: readonly Artifact[]
}

/** Filters and place of a page of tasks, the latest first. */
export interface TaskListing {
  readonly owner: string
  readonly context: string | undefined
  readonly state: TaskState | undefined
  /** Milliseconds since 1970. */
  readonly since: number | undefined
  /** Place of the last task of the page before. */
  readonly behind: readonly [updatedAt: number, id: string] | undefined
  readonly limit: number
}

export interface TaskStore {
  find(owner: string, id: string): Promise<Task | undefined>
  /** Returns the task that a message of a client belongs to. */
  byMessage(owner: string, message: string): Promise<Task | undefined>
  /** Returns the task whose last turn this is. */
  byTurn(owner: string, turn: string): Promise<Task | undefined>
  /** Returns the latest task of a session that waits for an answer. */
  waitingIn(turn: Pick<TurnRecord, 'actor' | 'sessionId'>): Promise<Task | undefined>
  list(listing: TaskListing): Promise<{ readonly rows: readonly Task[]; readonly total: number }>
  /** Returns the last messages of a task, the oldest first. */
  history(task: string, limit: number): Promise<readonly TaskMessage[]>
  /** Stores a task in the transaction that admits its turn. Throws `a2a_task_running` where the message began it before. */
  begin(
    tx: AnyTransaction,
    task: Pick<Task, 'id' | 'owner' | 'context' | 'turn' | 'startedAt'>,
    message: TaskMessage,
  ): Promise<Task>
  /**
   * Stores that a task goes on with another turn, after a message or an answer elsewhere; undefined where it went on before.
   *
   * @param tx The transaction that admits the turn.
   */
  resume(
    task: Task,
    next: Pick<Task, 'turn' | 'startedAt'>,
    message?: TaskMessage,
    tx?: AnyTransaction,
  ): Promise<Task | undefined>
  /** Stores what a turn of a task left, once; returns the task as it is then. */
  settle(task: Task, ending: Ending): Promise<Task>
  /** Deletes the tasks of a person. */
  forgetPerson(did: string): Promise<void>
  /** Returns the retention of tasks that have not changed for some days. */
  retention(days: number): readonly Retention[]
}

const messageRows = { table: 'a2a_messages', key: ['place'] } as const
const taskRows = { table: 'a2a_tasks', key: ['id'] } as const

/** Bytes of a task and of a message besides their texts, rounded up. */
const taskRowBytes = 1_000
const messageRowBytes = 300

/** Most artifacts that a task keeps. */
const maxArtifacts = 40

/** Called within the write that changes the state of a task. */
export type OnSettled = (tx: AnyTransaction, task: Task) => Promise<void>

export const createTaskStore = (
  storage: CamelCaseStorage<A2aTables>,
  limits: Pick<HostLimits, 'countStored'>,
  now: () => number,
  onSettled: OnSettled,
): TaskStore => {
  const { read, write } = storage
  const rows = () => read.selectFrom('a2a_tasks').selectAll('a2a_tasks')
  const find: TaskStore['find'] = (owner, id) =>
    rows().where('owner', '=', owner).where('id', '=', id).executeTakeFirst()

  return {
    find,
    byMessage: async (owner, message) => (await runFixed(read, taskByMessage, { owner, message }))[0],
    byTurn: (owner, turn) => rows().where('owner', '=', owner).where('turn', '=', turn).executeTakeFirst(),
    waitingIn: ({ actor, sessionId }) =>
      rows()
        .where(eb => eb.and({ owner: actor.did, context: sessionId }))
        .where('state', 'in', ['input-required', 'auth-required'])
        .orderBy('updatedAt', 'desc')
        .limit(1)
        .executeTakeFirst(),
    async list({ owner, context, state, since, behind, limit }) {
      let query = read.selectFrom('a2a_tasks').where('owner', '=', owner)
      if (context !== undefined) query = query.where('context', '=', context)
      if (state !== undefined) query = query.where('state', '=', state)
      if (since !== undefined) query = query.where('updatedAt', '>=', since)
      const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      if (behind) query = query.where(eb => eb(eb.refTuple('updatedAt', 'id'), '<', eb.tuple(...behind)))
      const page = query.selectAll().orderBy('updatedAt', 'desc').orderBy('id', 'desc').limit(limit)
      return { rows: await page.execute(), total: Number(total) }
    },
    async history(task, limit) {
      if (limit === 0) return []
      const found = await read
        .selectFrom('a2a_messages')
        .select(['message', 'role', 'parts'])
        .where('task', '=', task)
        .orderBy('place', 'desc')
        .limit(limit)
        .execute()
      return found.reverse()
    },
    async begin(given, task, message) {
      const tx = camelCaseTransaction<A2aTables>(given)
      const begun: Task = {
        ...task,
        state: 'working',
        statusText: null,
        questions: [],
        artifacts: [],
        updatedAt: now(),
        bytes: taskRowBytes,
      }
      const values = { ...begun, ...tasks.values({ questions: [], artifacts: [] }) }
      if ((await runFixed(tx, taskInsert, values)).length === 0) throw a2aErrors.a2a_task_running()
      const bytes = taskRowBytes + (await insertMessage(tx, task, message))
      await limits.countStored(given, [{ did: task.owner, bytes }])
      return begun
    },
    resume(task, { turn, startedAt }, message, given) {
      const changed = { turn, startedAt, state: 'working', statusText: null, updatedAt: now() } as const
      const work = async (tx: Transaction) => {
        const updated = await tx
          .updateTable('a2a_tasks')
          .set({ ...changed, ...tasks.values({ questions: [] }) })
          .where(eb => eb.and({ id: task.id, turn: task.turn }))
          .returning('id')
          .executeTakeFirst()
        const bytes = updated && message ? await insertMessage(tx, task, message) : 0
        await limits.countStored(tx, [{ did: task.owner, bytes }])
        return updated && { ...task, ...changed, questions: [] }
      }
      return given ? work(camelCaseTransaction<A2aTables>(given)) : write(work)
    },
    async settle(task, { artifacts: made = [], questions = [], ...ending }) {
      const artifacts = [...task.artifacts, ...made].slice(-maxArtifacts)
      const texts = JSON.stringify([ending.statusText, questions, artifacts])
      const bytes = taskRowBytes + Buffer.byteLength(texts)
      const settled: Task = { ...task, ...ending, questions, artifacts, updatedAt: now(), bytes }
      const isNow = await write(async tx => {
        const [updated] = await runFixed(tx, taskEnd, {
          ...settled,
          ...tasks.values({ questions: [...questions], artifacts: [...artifacts] }),
          stateBefore: task.state,
        })
        if (!updated) return false
        let more = bytes - (task.bytes ?? 0)
        if (questions.length > 0) {
          const parts = [{ text: ending.statusText ?? '' }]
          more += await insertMessage(tx, task, { message: `${task.turn}_question`, role: 'agent', parts })
        }
        await onSettled(tx, settled)
        await limits.countStored(tx, [{ did: task.owner, bytes: more }])
        return true
      })
      return (isNow ? undefined : await find(task.owner, task.id)) ?? settled
    },
    retention(days) {
      const before = (now: number) => now - days * 86_400_000
      const old = (now: number) => read.selectFrom('a2a_tasks').select('id').where('updatedAt', '<', before(now))
      const kept = { person: 'owner', archived: true } as const
      return [
        retain(storage, {
          ...messageRows,
          ...kept,
          where: (eb, at) => eb('task', 'in', old(at)),
          counted: { limits, size: `${messageRowBytes} + octet_length(parts)` },
        }),
        retain(storage, {
          table: 'a2a_push_targets',
          key: ['place'],
          where: (eb, at) => eb('task', 'in', old(at)),
          person: 'owner',
        }),
        retain(storage, {
          ...taskRows,
          ...kept,
          where: (eb, at) => eb('updatedAt', '<', before(at)),
          counted: { limits, size: `${taskRowBytes} + octet_length(questions) + octet_length(artifacts)` },
        }),
      ]
    },
    async forgetPerson(did) {
      await deleteCounted(storage, limits, { ...messageRows, where: eb => eb('owner', '=', did), scrub: true })
      await deleteCounted(storage, limits, { ...taskRows, where: eb => eb('owner', '=', did), scrub: true })
      await write(
        async tx => {
          const targets = tx.selectFrom('a2a_push_targets').select('place').where('owner', '=', did)
          await tx.deleteFrom('a2a_notifications').where('target', 'in', targets).execute()
          await tx.deleteFrom('a2a_push_targets').where('owner', '=', did).execute()
        },
        { scrub: true },
      )
    },
  }
}

type Transaction = Parameters<Parameters<CamelCaseStorage<A2aTables>['write']>[0]>[0]

/** Stores a message; returns its bytes, or 0 if it was stored before. */
const insertMessage = async (
  tx: Transaction,
  { owner, id }: Pick<Task, 'owner' | 'id'>,
  { message, role, parts }: TaskMessage,
): Promise<number> => {
  const values = messages.values({ parts: [...parts] })
  const bytes = messageRowBytes + Buffer.byteLength(JSON.stringify(parts))
  return (await runFixed(tx, messageInsert, { owner, message, task: id, role, ...values, bytes })).length * bytes
}

const taskByMessage: FixedStatement<A2aTables, { readonly owner: string; readonly message: string }, Task> = (
  db,
  value,
) =>
  db
    .selectFrom('a2a_tasks')
    .selectAll('a2a_tasks')
    .innerJoin('a2a_messages', 'a2a_messages.task', 'a2a_tasks.id')
    .where(eb => eb.and({ 'a2a_messages.owner': value('owner'), 'a2a_messages.message': value('message') }))
    .where('a2a_tasks.owner', '=', value('owner'))
