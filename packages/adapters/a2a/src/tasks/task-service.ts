import { createHash } from 'node:crypto'
import { type Actor, type Host, type Refusal, readConsent, type StartedTurn, type TurnRequest } from '@sibyl/plugin'
import type { TurnEvent } from '@sibyl/plugin/host'
import type { JsonValue } from '@sibyl/protocol'
import { a2aErrors } from '../errors/a2a-errors.ts'
import type { Message } from '../wire/requests.ts'
import { isTerminal } from '../wire/task-state.ts'
import { type ReadMessage, readMessage } from './read-message.ts'
import { maxQuestion, type TaskSettling } from './settle-tasks.ts'
import type { Task, TaskMessage } from './task.ts'
import type { TaskStore } from './task-store.ts'

/** A task with the events of its turn, while that runs. */
export interface OpenTask {
  readonly task: Task
  readonly events?: AsyncIterable<TurnEvent>
  /** The messages of a task that has just begun. */
  readonly history?: readonly TaskMessage[]
}

/** Begins, continues and cancels tasks. */
export interface TaskService {
  /**
   * Begins a task, or continues the one that the message names. The same message id again is the same message.
   *
   * @param beforeStart Called with a task that the message begins or continues, before its turn starts.
   * @throws `a2a_task_unknown`, `a2a_task_ended`, `a2a_task_running`, `a2a_context_mismatch`, and those of `readMessage`
   */
  send(actor: Actor, message: Message): Promise<OpenTask | { readonly refused: Refusal }>
  /** Throws `a2a_task_unknown`. */
  find(owner: string, id: string): Promise<Task>
  /** Returns a task with the events of its turn from the first one. */
  open(task: Task): Promise<OpenTask>
  /** Resolves with the task once its turn has ended. */
  ended(task: Task): Promise<Task>
  /** Throws `a2a_task_unknown`, `a2a_task_not_cancelable`. */
  cancel(actor: Actor, id: string): Promise<Task>
}

export const createTaskService = (
  { turns, clock }: Pick<Host, 'turns' | 'clock'>,
  store: TaskStore,
  settling: TaskSettling,
): TaskService => {
  const find: TaskService['find'] = async (owner, id) => {
    const task = await store.find(owner, id)
    if (!task) throw a2aErrors.a2a_task_unknown()
    return task
  }

  const open: TaskService['open'] = async task => {
    const started = task.state === 'working' ? await turns.follow(task.owner, task.turn) : undefined
    return started ? { task, events: started.events } : { task }
  }

  /** Returns a task whose turn has started. @param task None where the turn existed, or was continued elsewhere. */
  const opened = async (task: Task | undefined, { owner, id }: Pick<Task, 'owner' | 'id'>, started: StartedTurn) => {
    const known = task ?? (await find(owner, id))
    settling.watch(known, started)
    return { task: known, events: started.events }
  }

  const run = (
    actor: Actor,
    context: string,
    messageId: string,
    { text, files }: ReadMessage,
    within: TurnRequest['within'] & {},
  ) =>
    turns.run({
      actor,
      session: context,
      text,
      ...(files.length > 0 ? { files } : {}),
      channel: 'a2a',
      dedupeKey: idOf(messageId),
      within,
      whenBusy: 'queue',
      approvals: 'ask',
    })

  const begin = async (actor: Actor, message: Message, read: ReadMessage) => {
    const owner = actor.did
    const id = `task_${idOf(owner, message.messageId)}`
    const context = message.contextId ?? `a2a_${idOf(owner, message.messageId)}`
    const startedAt = clock.now()
    const first = messageOf(message, read)
    let task: Task | undefined
    const started = await run(actor, context, message.messageId, read, async (tx, turn) => {
      task = await store.begin(tx, { id, owner, context, turn, startedAt }, first)
    })
    if ('refused' in started) return started
    return { ...(await opened(task, { id, owner }, started)), history: [first] }
  }

  const resume = async (actor: Actor, message: Message, read: ReadMessage, taskId: string) => {
    const task = await find(actor.did, taskId)
    if (message.contextId !== undefined && message.contextId !== task.context) throw a2aErrors.a2a_context_mismatch()
    if (isTerminal(task.state)) throw a2aErrors.a2a_task_ended()
    if (task.state === 'working') throw a2aErrors.a2a_task_running()
    const startedAt = clock.now()
    const answer = messageOf(message, read)
    let gone: Task | undefined
    const within: TurnRequest['within'] = async (tx, turn) => {
      gone = await store.resume(task, { turn, startedAt }, answer, tx)
      if (!gone) throw a2aErrors.a2a_task_running()
    }
    const given = answerOf(task, read)
    if (!given) {
      const started = await run(actor, task.context, message.messageId, read, within)
      return 'refused' in started ? started : opened(gone, task, started)
    }
    for (const { approvalId } of task.questions) {
      const decided = await turns.decide(actor, approvalId, given.decision, given.data, {
        session: task.context,
        within,
        maxQuestion,
      })
      if ('refused' in decided) {
        const { refused } = decided
        if (refused.code === 'approval_decided') continue
        if (refused.status === 403) {
          const settled = { state: 'auth-required', statusText: refused.detail, questions: task.questions } as const
          return { task: await store.settle(task, settled) }
        }
        if (refused.code !== 'approval_withdrawn' && refused.code !== 'approval_not_found') return decided
        return { task: await store.settle(task, { state: 'failed', statusText: refused.detail }) }
      }
      if (!decided.turn) continue
      // Another process holds the call, and continued the turn.
      gone ??= await store.resume(task, { turn: decided.turn.turnId, startedAt }, answer)
      return opened(gone, task, decided.turn)
    }
    return { task: await find(actor.did, task.id) }
  }

  return {
    find,
    open,
    ended: settling.ended,
    async send(actor, message) {
      const known = await store.byMessage(actor.did, message.messageId)
      if (known) return open(known)
      const read = readMessage(message)
      return message.taskId === undefined ? begin(actor, message, read) : resume(actor, message, read, message.taskId)
    },
    async cancel(actor, id) {
      const task = await find(actor.did, id)
      if (task.state === 'canceled') return task
      if (isTerminal(task.state)) throw a2aErrors.a2a_task_not_cancelable()
      if (task.state !== 'working') {
        return store.settle(task, { state: 'canceled', statusText: 'The task was canceled.' })
      }
      await turns.stop(actor, task.turn)
      const ended = await settling.ended(task)
      if (ended.state === 'input-required') {
        return store.settle(ended, { state: 'canceled', statusText: 'The task was canceled.' })
      }
      if (ended.state !== 'canceled') throw a2aErrors.a2a_task_not_cancelable()
      return ended
    },
  }
}

/** Returns an id that the same parts always have. */
const idOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24)

const messageOf = ({ messageId }: Message, { parts }: ReadMessage): TaskMessage => ({
  message: messageId,
  role: 'user',
  parts,
})

interface Answer {
  readonly decision: 'once' | 'session' | 'deny'
  readonly data?: JsonValue
}

/** Returns what a message answers to the questions of a task: yes, always or no, data, or the text that one question asks for. */
const answerOf = ({ questions }: Task, { text, data }: ReadMessage): Answer | undefined => {
  if (questions.length === 0) return undefined
  const schemas = questions.flatMap(({ schema }) => (schema ? [schema] : []))
  if (schemas.length > 0 && data !== undefined) return { decision: 'once', data }
  const decision = readConsent(text)
  if (decision === 'deny' || (decision !== undefined && schemas.length === 0)) return { decision }
  const [schema, ...others] = schemas
  const member = schema && others.length === 0 ? onlyText(schema) : undefined
  return member === undefined ? undefined : { decision: 'once', data: { [member]: text } }
}

/** Returns the name of the one member of a schema, if it is text. */
const onlyText = (schema: Readonly<Record<string, JsonValue>>): string | undefined => {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> }
  const [[name, member] = [], ...others] = Object.entries(properties ?? {})
  return others.length === 0 && member?.type === 'string' ? name : undefined
}
