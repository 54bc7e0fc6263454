import { type Actor, type Host, holdsAbility } from '@sibyl/plugin'
import { stateConflict } from './definitions/tasks-errors.ts'
import { demandChat, type PlanDependencies, planTask, type TaskAsker, type TaskPlan } from './plan-task.ts'
import { actorOf, type Task, type TaskRun } from './store/task.ts'
import type { TaskStore } from './store/task-store.ts'
import type { TaskInput } from './task-input.ts'
import { nextTime } from './when/schedule.ts'

export interface TaskServiceDependencies extends PlanDependencies {
  readonly store: TaskStore
  readonly turns: Host['turns']
  readonly grants: Host['grants']
  readonly log: Host['log']
}

export interface CreateRequest {
  readonly actor: Actor
  readonly input: TaskInput
  /** Two requests with the same key create one task. */
  readonly key: string
  /** Session for results; by default one of the task's own. */
  readonly session?: string
}

export const createTaskService = (parts: TaskServiceDependencies) => {
  /** Returns why the right of a task is insufficient; undefined if it is sufficient. */
  const rightEnd = async (task: Task): Promise<string | undefined> => {
    const verdict = await parts.grants.check(actorOf(task))
    if (!verdict.holds) return verdict.refusal.code
    return task.remind || holdsAbility(verdict.actor.scopes, 'chat/send') ? undefined : 'scope_missing'
  }
  /**
   * Returns a task in its current state. An active task whose right has ended is shown as stopped, before its next run
   * finds that out.
   */
  const asItStands = async (task: Task): Promise<Task> => {
    if (task.state !== 'active') return task
    const stopReason = await rightEnd(task)
    return stopReason === undefined ? task : { ...task, state: 'stopped', stopReason, nextAt: undefined }
  }
  return {
    /** Plans a task without creating it. */
    preview(actor: TaskAsker, input: TaskInput): Promise<TaskPlan> {
      return planTask(parts, actor, input)
    },
    /** Creates a task; a repeated request with the same key returns the first one. */
    async create({
      actor,
      input,
      key,
      session,
    }: CreateRequest): Promise<{ readonly task: Task; readonly plan: TaskPlan; readonly isNew: boolean }> {
      const { store, log } = parts
      const plan = await this.preview(actor, input)
      const { what, context, remind, schedule, timeZone, deliver } = plan
      const nextAt = plan.next[0]!
      const created = await store.create(
        {
          owner: actor.did,
          actor,
          what,
          context,
          remind,
          schedule,
          timeZone,
          session,
          deliver,
          ...rightOf(actor),
          nextAt,
        },
        key,
        input,
      )
      if (created.isNew) log.info('a task was created', { task: created.task.id, kind: schedule.kind })
      return { ...created, plan }
    },
    /** Returns a user's open tasks, and with `all` the ended ones, in their current state; newest first. */
    async list(owner: string, all: boolean): Promise<readonly Task[]> {
      const tasks = await parts.store.list(owner, all)
      return Promise.all(tasks.map(task => asItStands(task)))
    },
    /** Returns a task in its current state. @throws `task_not_found` */
    async find(owner: string, id: string): Promise<Task> {
      return asItStands(await parts.store.find(owner, id))
    },
    /** Pauses a task; its scheduled runs are skipped. */
    pause({ did: owner }: Actor, id: string): Promise<Task> {
      return parts.store.move({ owner, id }, ['active'], 'paused')
    },
    /**
     * Resumes a paused or stopped task from its next time. A one-time task that failed runs at once. A task whose right
     * has ended gets the right of the caller.
     */
    async resume(actor: Actor, id: string): Promise<Task> {
      const { store, now } = parts
      const owner = actor.did
      const task = await this.find(owner, id)
      const next = (await nextTime(task, now())) ?? (task.state === 'stopped' ? now() : undefined)
      if (next === undefined && task.state === 'paused') {
        throw stateConflict('The time of the task has passed. Run it now, or create another task.')
      }
      if ((await rightEnd(task)) === undefined) return store.move({ owner, id }, ['paused', 'stopped'], 'active', next)
      if (!task.remind) demandChat(actor)
      return store.move({ owner, id }, ['active', 'paused', 'stopped'], 'active', next, rightOf(actor))
    },
    /** Cancels a task permanently, and stops its run in progress. */
    async cancel(actor: Actor, id: string): Promise<Task> {
      const { store, turns, log } = parts
      const task = await store.move({ owner: actor.did, id }, ['active', 'paused', 'stopped'], 'cancelled')
      for (const session of await store.workingSessions(id)) await turns.stop(actor, { session })
      log.info('a task was cancelled', { task: id })
      return task
    },
    /** Runs a task now, outside its schedule; the same key is the same run. */
    async runNow(owner: string, id: string, key: string | undefined): Promise<TaskRun> {
      const { store } = parts
      return store.runNow(await store.find(owner, id), key)
    },
  }
}

/** Operations on tasks, for routes and tools. */
export type TaskService = ReturnType<typeof createTaskService>

/** Returns the right of a new task. */
const rightOf = ({ did: _, via: __, scopes, ...maker }: Actor): Pick<Task, 'scopes' | 'maker'> => ({
  scopes: scopes.slice(0, 100),
  maker,
})
