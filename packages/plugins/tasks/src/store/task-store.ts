import { createHash, randomBytes } from 'node:crypto'
import { fullOfRows, type ShareOf } from '@sibyl/plugin'
import { type AnyTransaction, deleteInParts, toJson } from '@sibyl/plugin/storage'
import type { CountedActor } from '@sibyl/protocol'
import { stateConflict, tasksErrors, tasksFull } from '../definitions/tasks-errors.ts'
import type { TaskState } from '../records/task-records.ts'
import { openStates, type Task, type TaskRun, workingSessionOf } from './task.ts'
import { forgetEnded, forgotten, insertRun, isUnderWay, runOf, stopWaiting, taskOf } from './task-rows.ts'
import { rowByRow, type TasksStorage } from './task-tables.ts'

export interface NewTask
  extends Pick<
    Task,
    'owner' | 'what' | 'context' | 'remind' | 'schedule' | 'timeZone' | 'deliver' | 'scopes' | 'maker'
  > {
  /** Session for results; undefined for one of its own. */
  readonly session: string | undefined
  readonly nextAt: number
  /** Creator, as limits count them. */
  readonly actor: CountedActor
}

/** Sets the alarm of a task for a due time, in the transaction that schedules it. */
export type SetAlarm = (tx: AnyTransaction, alarm: { readonly task: string; readonly due: number }) => Promise<unknown>

/** Maximum number of runs with which a user is erased in one write. */
const fewRuns = 200

export interface TaskStoreDependencies {
  readonly storage: TasksStorage
  readonly setAlarm: SetAlarm
  readonly now: () => number
  /** Most tasks of a holder. */
  readonly maxPerUser: number
  /** Most tasks of all holders. */
  readonly maxTotal: number
  readonly shareOf: ShareOf
}

export const createTaskStore = ({ storage, setAlarm, now, maxPerUser, maxTotal, shareOf }: TaskStoreDependencies) => ({
  /**
   * Creates a task, or returns the one that the same key created before.
   *
   * @param key Two creations with the same key are one. @param asked the request, which must be the same for the same
   * key
   * @throws `tasks_full`, `task_key_reused`
   */
  async create(task: NewTask, key: string, asked: unknown): Promise<{ readonly task: Task; readonly isNew: boolean }> {
    const { owner } = task
    const share = shareOf(task.actor, maxTotal)
    const [createKey, createHash] = [hashOf(key), hashOf(JSON.stringify(asked))]
    return await storage.write(async tx => {
      await tx
        .insertInto('tasks_people')
        .values({ did: share.holder })
        .onConflict(conflict => conflict.column('did').doUpdateSet({ did: share.holder }))
        .execute()
      const known = await tx
        .selectFrom('tasks_tasks')
        .selectAll()
        .where(eb => eb.and({ owner, create_key: createKey }))
        .executeTakeFirst()
      if (known) {
        if (known.create_hash !== createHash) throw tasksErrors.task_key_reused()
        return { task: taskOf(known), isNew: false }
      }
      const open = tx.selectFrom('tasks_tasks').where('state', 'in', openStates)
      const full = await fullOfRows(open, share, { perHolder: maxPerUser })
      if (full) throw tasksFull(full, maxPerUser)
      await forgetEnded(tx, owner)
      const row = await tx
        .insertInto('tasks_tasks')
        .values({
          id: `t${[...randomBytes(10)].map(byte => (byte % 36).toString(36)).join('')}`,
          owner,
          holder: share.holder,
          origin: share.network ?? null,
          what: task.what,
          context: task.context,
          remind: task.remind ? 1 : 0,
          schedule: toJson(task.schedule),
          time_zone: task.timeZone,
          session: task.session ?? null,
          deliver: toJson(task.deliver),
          scopes: toJson(task.scopes),
          maker: toJson(task.maker),
          state: 'active',
          next_at: task.nextAt,
          planned_at: now(),
          failures: 0,
          stop_reason: null,
          create_key: createKey,
          create_hash: createHash,
          created_at: now(),
          ended_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await setAlarm(tx, { task: row.id, due: task.nextAt })
      return { task: taskOf(row), isNew: true }
    }, rowByRow)
  },
  /** Returns a user's open tasks, and with `all` the ended ones; newest first. */
  async list(owner: string, all: boolean): Promise<readonly Task[]> {
    const mine = storage.read
      .selectFrom('tasks_tasks')
      .selectAll()
      .where('owner', '=', owner)
      .where(({ or, eb }) => or([eb('ended_at', 'is', null), eb('ended_at', '!=', forgotten)]))
    const wanted = all ? mine : mine.where('state', 'in', openStates)
    return (await wanted.orderBy('created_at', 'desc').orderBy('id').execute()).map(taskOf)
  },
  /** @throws `task_not_found` */
  async find(owner: string, id: string): Promise<Task> {
    const row = await storage.read
      .selectFrom('tasks_tasks')
      .selectAll()
      .where(eb => eb.and({ owner, id }))
      .executeTakeFirst()
    if (!row) throw tasksErrors.task_not_found()
    return taskOf(row)
  },
  /** Returns the runs of a user's task, latest first. */
  async runs(owner: string, id: string, limit: number): Promise<readonly TaskRun[]> {
    const rows = await storage.read
      .selectFrom('tasks_runs')
      .selectAll()
      .where(eb => eb.and({ owner, task: id }))
      .orderBy('due_at', 'desc')
      .limit(limit)
      .execute()
    return rows.map(runOf)
  },
  /**
   * Moves a task from some states to another.
   *
   * @param nextAt Next run; undefined to schedule no run.
   * @param right The right of future runs. @default as before
   * @throws `task_not_found`, `task_state_conflict`
   */
  async move(
    { owner, id }: { readonly owner: string; readonly id: string },
    from: readonly TaskState[],
    to: TaskState,
    nextAt?: number,
    right?: Pick<Task, 'scopes' | 'maker'>,
  ): Promise<Task> {
    const moved = await storage.write(async tx => {
      const row = await tx
        .updateTable('tasks_tasks')
        .set({
          state: to,
          next_at: nextAt ?? null,
          planned_at: now(),
          ended_at: to === 'cancelled' ? now() : null,
          ...(to === 'active' ? { failures: 0, stop_reason: null } : {}),
          ...(right ? { scopes: toJson(right.scopes), maker: toJson(right.maker) } : {}),
        })
        .where(eb => eb.and({ owner, id }))
        .where('state', 'in', from)
        .returningAll()
        .executeTakeFirst()
      if (row && nextAt !== undefined) await setAlarm(tx, { task: id, due: nextAt })
      if (row && to !== 'active') await stopWaiting(tx, id, now())
      return row
    }, rowByRow)
    if (moved) return taskOf(moved)
    const task = await this.find(owner, id)
    if (task.state === to) return task
    throw stateConflict(`The task is ${task.state}, so this is not possible.`)
  },
  /**
   * Starts a run of a task now, outside its schedule; with the same key again, returns that run.
   *
   * @throws `task_state_conflict` while a run is in progress
   */
  async runNow(task: Task, key?: string): Promise<TaskRun> {
    const due = now()
    const id = key === undefined ? undefined : `${task.id}-${hashOf(key).slice(0, 22)}`
    return await storage.write(async tx => {
      const locked = await tx
        .updateTable('tasks_tasks')
        .set({ id: task.id })
        .where('id', '=', task.id)
        .where('state', 'in', openStates)
        .returning('id')
        .executeTakeFirst()
      const known =
        id === undefined
          ? undefined
          : await tx.selectFrom('tasks_runs').selectAll().where('id', '=', id).executeTakeFirst()
      if (known) return runOf(known)
      if (!locked) throw stateConflict(`The task is ${task.state}, so it cannot run.`)
      if (await isUnderWay(tx, task.id)) throw stateConflict('The task is already running. Wait until the run ends.')
      const row = await insertRun(tx, task, due, { id, state: 'running', late: false, manual: true, now: due })
      if (!row) throw stateConflict('The task is already running. Wait until the run ends.')
      await setAlarm(tx, { task: task.id, due })
      return row
    }, rowByRow)
  },
  /** Returns the sessions in which the agent is working on a task. */
  async workingSessions(id: string): Promise<readonly string[]> {
    const rows = await storage.read
      .selectFrom('tasks_runs')
      .select(['id', 'attempt'])
      .where(eb => eb.and({ task: id, state: 'running' }))
      .execute()
    return rows.map(workingSessionOf)
  },
  async exportOf(owner: string): Promise<readonly { readonly task: Task; readonly runs: readonly TaskRun[] }[]> {
    const tasks = await this.list(owner, true)
    return Promise.all(tasks.map(async task => ({ task, runs: await this.runs(owner, task.id, 1_000) })))
  },
  /** Deletes all stored data of a user. */
  async erase(owner: string): Promise<number> {
    await deleteInParts(storage, {
      table: 'tasks_runs',
      key: ['id'],
      where: eb => eb.and([eb('owner', '=', owner), eb('told', '=', 1)]),
      scrub: true,
      leave: fewRuns,
    })
    return await storage.write(
      async tx => {
        const gone = await tx.deleteFrom('tasks_tasks').where('owner', '=', owner).returning('id').execute()
        await tx.deleteFrom('tasks_runs').where('owner', '=', owner).execute()
        await tx.deleteFrom('tasks_people').where('did', '=', owner).execute()
        return gone.length
      },
      { ...rowByRow, scrub: true },
    )
  },
})

/** Creates and changes tasks. Every call names the owner, so that another user's id reveals nothing. */
export type TaskStore = ReturnType<typeof createTaskStore>

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
