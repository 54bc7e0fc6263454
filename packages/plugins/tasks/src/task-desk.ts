import type { Actor, Host } from '@sibyl/core'
import { type PlanParts, planTask, type TaskPlan } from './plan-task.ts'
import type { Task, TaskRun } from './store/task.ts'
import type { TaskStore } from './store/task-store.ts'
import { TaskStateConflict } from './task-errors.ts'
import type { TaskInput } from './task-input.ts'
import { nextTime } from './when/schedule.ts'

/** What the desk rests on. */
export interface TaskDeskParts extends PlanParts {
  readonly store: TaskStore
  readonly turns: Host['turns']
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
export class TaskDesk {
  readonly #parts: TaskDeskParts

  constructor(parts: TaskDeskParts) {
    this.#parts = parts
  }

  /** Works out what a task would be; nothing is created. */
  preview(did: string, input: TaskInput): Promise<TaskPlan> {
    return planTask(this.#parts, did, input)
  }

  /** Creates a task; a second creation of the same key gives the first one's. */
  async create({
    actor,
    input,
    key,
    session,
  }: CreateRequest): Promise<{ readonly task: Task; readonly plan: TaskPlan; readonly isNew: boolean }> {
    const { store, log } = this.#parts
    const plan = await this.preview(actor.did, input)
    const { what, context, remind, schedule, timeZone, deliver } = plan
    const scopes = [...new Set(['chat/send', ...actor.scopes])].slice(0, 100)
    const created = await store.create(
      { owner: actor.did, what, context, remind, schedule, timeZone, session, deliver, scopes, nextAt: plan.next[0]! },
      key,
      input,
    )
    if (created.isNew) log.info('a task was created', { task: created.task.id, kind: schedule.kind })
    return { ...created, plan }
  }

  /** A task that is paused misses its times. */
  pause(owner: string, id: string): Promise<Task> {
    return this.#parts.store.move({ owner, id }, ['active'], 'paused')
  }

  /** Has a paused or stopped task run again, from its next time on; one that was to run once and failed, at once. */
  async resume(owner: string, id: string): Promise<Task> {
    const { store, now } = this.#parts
    const task = await store.find(owner, id)
    const next = (await nextTime(task, now())) ?? (task.state === 'stopped' ? now() : undefined)
    if (next === undefined && task.state === 'paused') {
      throw new TaskStateConflict('The time of that task has passed. Run it now, or create another.')
    }
    return store.move({ owner, id }, ['paused', 'stopped'], 'active', next)
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
