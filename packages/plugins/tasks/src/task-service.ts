import { type Actor, type Host, holdsAbility } from '@sibyl/plugin'
import { stateConflict } from './definitions/tasks-errors.ts'
import { demandChat, type PlanParts, planTask, type TaskAsker, type TaskPlan } from './plan-task.ts'
import { actorOf, type Task, type TaskRun } from './store/task.ts'
import type { TaskStore } from './store/task-store.ts'
import type { TaskInput } from './task-input.ts'
import { nextTime } from './when/schedule.ts'

export interface TaskServiceDependencies extends PlanParts {
  readonly store: TaskStore
  readonly turns: Host['turns']
  readonly grants: Host['grants']
  readonly log: Host['log']
}

/** A creation: who asks for what, and where results are told. */
export interface CreateRequest {
  readonly actor: Actor
  readonly input: TaskInput
  /** Two creations of one key are one. */
  readonly key: string
  /** The session that results go to; without it one of the task's own. */
  readonly session?: string
}

/** What people and agents do with tasks, whichever way they come. */
export class TaskService {
  readonly #parts: TaskServiceDependencies

  constructor(parts: TaskServiceDependencies) {
    this.#parts = parts
  }

  /** Works out what a task would be; nothing is created. */
  preview(actor: TaskAsker, input: TaskInput): Promise<TaskPlan> {
    return planTask(this.#parts, actor, input)
  }

  /** Creates a task; a second creation of the same key gives the first one's. */
  async create({
    actor,
    input,
    key,
    session,
  }: CreateRequest): Promise<{ readonly task: Task; readonly plan: TaskPlan; readonly isNew: boolean }> {
    const { store, log } = this.#parts
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
  }

  /** A person's tasks that are not over, and with `all` the ended ones, each as it stands; the newest first. */
  async list(owner: string, all: boolean): Promise<readonly Task[]> {
    const tasks = await this.#parts.store.list(owner, all)
    return Promise.all(tasks.map(task => this.#asItStands(task)))
  }

  /** A task as it stands. @throws `task_not_found` */
  async find(owner: string, id: string): Promise<Task> {
    return this.#asItStands(await this.#parts.store.find(owner, id))
  }

  /** A task that is paused misses its times. */
  pause({ did: owner }: Actor, id: string): Promise<Task> {
    return this.#parts.store.move({ owner, id }, ['active'], 'paused')
  }

  /**
   * Has a paused or stopped task run again, from its next time on; one that was to run once and failed, at once. A task whose
   * right has ended runs under the right of whoever resumes it.
   */
  async resume(actor: Actor, id: string): Promise<Task> {
    const { store, now } = this.#parts
    const owner = actor.did
    const task = await this.find(owner, id)
    const next = (await nextTime(task, now())) ?? (task.state === 'stopped' ? now() : undefined)
    if (next === undefined && task.state === 'paused') {
      throw stateConflict('The time of that task has passed. Run it now, or create another.')
    }
    if ((await this.#rightEnd(task)) === undefined)
      return store.move({ owner, id }, ['paused', 'stopped'], 'active', next)
    if (!task.remind) demandChat(actor)
    return store.move({ owner, id }, ['active', 'paused', 'stopped'], 'active', next, rightOf(actor))
  }

  /** Returns why the right of a task is no longer enough for it; undefined where it is. */
  async #rightEnd(task: Task): Promise<string | undefined> {
    const verdict = await this.#parts.grants.check(actorOf(task))
    if (!verdict.holds) return verdict.refusal.code
    return task.remind || holdsAbility(verdict.actor.scopes, 'chat/send') ? undefined : 'scope_missing'
  }

  /** An active task whose right has ended will run no more: it is shown as stopped before its next time finds that. */
  async #asItStands(task: Task): Promise<Task> {
    if (task.state !== 'active') return task
    const stopReason = await this.#rightEnd(task)
    return stopReason === undefined ? task : { ...task, state: 'stopped', stopReason, nextAt: undefined }
  }

  /** Ends a task for good, and stops a run of it that is under way. */
  async cancel(actor: Actor, id: string): Promise<Task> {
    const { store, turns, log } = this.#parts
    const task = await store.move({ owner: actor.did, id }, ['active', 'paused', 'stopped'], 'cancelled')
    for (const session of await store.workingSessions(id)) await turns.stop(actor, { session })
    log.info('a task was cancelled', { task: id })
    return task
  }

  /** Has a task run now, out of turn. */
  async runNow(owner: string, id: string): Promise<TaskRun> {
    const { store } = this.#parts
    return store.runNow(await store.find(owner, id))
  }
}

/** The right of a task that somebody sets up. */
const rightOf = ({ did: _, via: __, scopes, ...maker }: Actor): Pick<Task, 'scopes' | 'maker'> => ({
  scopes: scopes.slice(0, 100),
  maker,
})
