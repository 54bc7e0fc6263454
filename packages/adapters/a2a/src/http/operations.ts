import { type Actor, type Host, holdsAbility, page, type Refusal } from '@sibyl/plugin'
import { z } from 'zod'
import { a2aErrors } from '../errors/a2a-errors.ts'
import type { PushService } from '../push/push-service.ts'
import type { Task, TaskMessage } from '../tasks/task.ts'
import { taskEvents } from '../tasks/task-events.ts'
import { lastTurnOf, readAbility, taskRecord } from '../tasks/task-record.ts'
import type { OpenTask, TaskService } from '../tasks/task-service.ts'
import type { TaskStore } from '../tasks/task-store.ts'
import {
  createPushParams,
  getParams,
  type ListParams,
  listParams,
  listPushParams,
  pushParams,
  type SendParams,
  sendParams,
  taskParams,
} from '../wire/requests.ts'
import { isTerminal, stateOfWire } from '../wire/task-state.ts'

/** The answer of an operation: a result, a stream of results, or the refusal of a turn. */
export type Answer =
  | { readonly result: object | null }
  | { readonly stream: AsyncIterable<object> }
  | { readonly refused: Refusal }

/** An operation with its parameters as a client sent them. Throws `a2a_params_invalid` and the errors of the operation. */
export type Operation = (actor: Actor, params: unknown) => Promise<Answer>

/** Operations by their names in the JSON-RPC binding. */
export type Operations = Readonly<Record<OperationName, Operation>>

/** Names of operations, as methods of the JSON-RPC binding. */
export type OperationName =
  | 'SendMessage'
  | 'SendStreamingMessage'
  | 'GetTask'
  | 'ListTasks'
  | 'CancelTask'
  | 'SubscribeToTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig'

/** Most messages of a history where the client sets no limit. */
const defaultHistory = 100

/** Pages of tasks: their cursors alone are used. */
const pages = page({ name: 'tasks', item: z.unknown(), key: z.tuple([z.number(), z.string()]) })

/** Creates the operations of both bindings. */
export const createOperations = (
  tasks: TaskService,
  store: TaskStore,
  push: PushService,
  identity: Pick<Host['identity'], 'url'>,
): Operations => {
  /** Returns a task; without `session/read` only what its last turn made, and the messages of this request. */
  const recordOf = async (actor: Actor, task: Task, historyLength = defaultHistory, known?: readonly TaskMessage[]) => {
    const address = identity.url
    if (!holdsAbility(actor.scopes, readAbility)) {
      return taskRecord(lastTurnOf(task), { address, history: known?.slice(0, historyLength) ?? [] })
    }
    const history = known?.slice(0, historyLength) ?? (await store.history(task.id, historyLength))
    return taskRecord(task, { address, history })
  }

  /** Begins or continues a task; its receiver of push notifications is stored before its turn can end. */
  const send = async (actor: Actor, { message, configuration }: SendParams) => {
    const target = configuration?.taskPushNotificationConfig
    if (target) await push.check(target)
    const opened = await tasks.send(actor, message)
    if (!('refused' in opened) && target) await push.add(actor, opened.task, target)
    return opened
  }

  const streamOf = async (actor: Actor, opened: OpenTask, historyLength?: number): Promise<Answer> => {
    const record = await recordOf(actor, opened.task, historyLength, opened.history)
    return { stream: taskEvents(opened, record, { ended: tasks.ended, address: identity.url }) }
  }

  return {
    SendMessage: operation(sendParams, async (actor, params) => {
      const opened = await send(actor, params)
      if ('refused' in opened) return opened
      const { historyLength, returnImmediately } = params.configuration ?? {}
      const task = returnImmediately ? opened.task : await tasks.ended(opened.task)
      return { result: { task: await recordOf(actor, task, historyLength) } }
    }),
    SendStreamingMessage: operation(sendParams, async (actor, params) => {
      const opened = await send(actor, params)
      return 'refused' in opened ? opened : streamOf(actor, opened, params.configuration?.historyLength)
    }),
    GetTask: operation(getParams, async (actor, { id, historyLength }) => {
      assertReads(actor)
      return { result: await recordOf(actor, await tasks.find(actor.did, id), historyLength) }
    }),
    ListTasks: operation(listParams, async (actor, params) => {
      assertReads(actor)
      return { result: await listOf(store, identity.url, actor.did, params) }
    }),
    CancelTask: operation(taskParams, async (actor, { id }) => ({
      result: await recordOf(actor, await tasks.cancel(actor, id)),
    })),
    SubscribeToTask: operation(taskParams, async (actor, { id }) => {
      const task = await tasks.find(actor.did, id)
      if (isTerminal(task.state)) throw a2aErrors.a2a_task_ended()
      return streamOf(actor, await tasks.open(task))
    }),
    CreateTaskPushNotificationConfig: operation(createPushParams, async (actor, { taskId, ...target }) => {
      const task = await tasks.find(actor.did, taskId)
      // The receiver of a task that has ended gets its answer at once.
      if (isTerminal(task.state)) assertReads(actor)
      await push.check(target)
      return { result: await push.add(actor, task, target) }
    }),
    GetTaskPushNotificationConfig: operation(pushParams, async ({ did }, { taskId, id }) => ({
      result: await push.find(await tasks.find(did, taskId), id),
    })),
    ListTaskPushNotificationConfigs: operation(listPushParams, async ({ did }, { taskId }) => ({
      result: { configs: await push.list(await tasks.find(did, taskId)), nextPageToken: '' },
    })),
    DeleteTaskPushNotificationConfig: operation(pushParams, async ({ did }, { taskId, id }) => {
      await push.remove(await tasks.find(did, taskId), id)
      return { result: null }
    }),
  }
}

/** Throws `a2a_read_not_allowed` for a caller that may send, but not read. */
const assertReads = ({ scopes }: Actor): void => {
  if (!holdsAbility(scopes, readAbility)) throw a2aErrors.a2a_read_not_allowed()
}

const operation =
  <Params>(schema: z.ZodType<Params>, run: (actor: Actor, params: Params) => Promise<Answer>): Operation =>
  (actor, given) => {
    const { data, error } = schema.safeParse(given)
    if (data !== undefined) return run(actor, data)
    const [issue] = error?.issues ?? []
    const place = issue?.path.join('.') ?? ''
    throw a2aErrors.a2a_params_invalid({ problem: `${place === '' ? '' : `${place}: `}${issue?.message ?? ''}` })
  }

/** A page of tasks ends with the one that reaches this length of JSON, in characters. */
const pageLength = 2_000_000

const listOf = async (store: TaskStore, address: string, owner: string, params: ListParams) => {
  const { contextId: context, status, pageSize, pageToken, historyLength = 0, statusTimestampAfter } = params
  const state = status === undefined ? undefined : stateOfWire(status)
  const since = statusTimestampAfter === undefined ? undefined : Date.parse(statusTimestampAfter)
  const filters = { owner, context, status, since }
  const behind = pages.read(pageToken, filters)
  if (status !== undefined && state === undefined) return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 }
  const { rows, total } = await store.list({ owner, context, state, since, behind, limit: pageSize + 1 })
  const withArtifacts = params.includeArtifacts ?? false
  const tasks: ReturnType<typeof taskRecord>[] = []
  let length = 0
  for (const task of rows.slice(0, pageSize)) {
    if (length >= pageLength) break
    const record = taskRecord(task, { address, withArtifacts, history: await store.history(task.id, historyLength) })
    tasks.push(record)
    length += JSON.stringify(record).length
  }
  const last = rows.length > tasks.length ? rows[tasks.length - 1] : undefined
  return {
    tasks,
    nextPageToken: last ? pages.cursor([last.updatedAt, last.id], filters) : '',
    pageSize,
    totalSize: total,
  }
}
