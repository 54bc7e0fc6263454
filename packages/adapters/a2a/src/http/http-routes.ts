import { type Actor, type Route, type RouteRefusal, route } from '@sibyl/plugin'
import { retryAfter, type StreamedRequest } from '@sibyl/plugin/host'
import { z } from 'zod'
import { a2aErrors } from '../errors/a2a-errors.ts'
import { httpError } from '../errors/error-form.ts'
import { createPushParams, listQuery, sendParams } from '../wire/requests.ts'
import type { Answer, OperationName, Operations } from './operations.ts'
import { streamResponse } from './stream-response.ts'
import { supportedVersion } from './supported-version.ts'

const id = z.string().min(1).max(200)
const task = z.looseObject({ id: z.string(), contextId: z.string(), status: z.looseObject({ state: z.string() }) })
const pushConfig = z.looseObject({ id: z.string(), taskId: z.string(), url: z.string() })

type OwnRequest = StreamedRequest & { get(name: 'actor'): Actor }

/** Routes of the HTTP+JSON binding. */
export const httpRoutes = (operations: Operations): Route[] => {
  const shared = {
    auth: { ucan: 'chat/send' },
    admit: supportedVersion,
    timeLimit: false,
    refuse: (_: unknown, refusal: RouteRefusal) => httpRefusal(refusal),
  } as const
  const call = async (c: OwnRequest, name: OperationName, params: unknown, status = 200): Promise<Response> =>
    responseOf(c, await operations[name](c.get('actor'), params), status)
  const { a2a_task_unknown: unknown, a2a_task_ended: ended, a2a_push_unknown: pushUnknown } = a2aErrors

  return [
    route.post(
      '/a2a/message:send',
      {
        ...shared,
        summary: 'Send a message to the oracle as an A2A agent',
        description:
          'Waits until the task has ended or needs input, unless `returnImmediately` is set. The same `messageId` again is the same ' +
          'message. `contextId` is a session, and `taskId` continues a task that waits for an answer.',
        body: sendParams,
        ok: z.object({ task }),
        errors: Object.values(a2aErrors),
      },
      c => call(c, 'SendMessage', c.req.valid('json')),
    ),
    route.post(
      '/a2a/message:stream',
      {
        ...shared,
        summary: 'Send a message to the oracle as an A2A agent, and follow its task as server-sent events',
        description: 'A client that disconnects does not stop the task: subscribe to it again, or get it later.',
        body: sendParams,
        ok: streamed,
        errors: Object.values(a2aErrors),
      },
      c => call(c, 'SendStreamingMessage', c.req.valid('json')),
    ),
    route.get(
      '/a2a/tasks',
      {
        ...shared,
        summary: "The caller's A2A tasks, the last changed first",
        description: 'Needs `session/read` as well.',
        query: listQuery,
        ok: z.object({
          tasks: z.array(task),
          nextPageToken: z.string(),
          pageSize: z.int(),
          totalSize: z.int(),
        }),
        errors: [a2aErrors.a2a_read_not_allowed],
      },
      c => {
        const { includeArtifacts, ...query } = c.req.valid('query')
        return call(c, 'ListTasks', {
          ...query,
          ...(includeArtifacts === undefined ? {} : { includeArtifacts: includeArtifacts === 'true' }),
        })
      },
    ),
    route.get(
      '/a2a/tasks/{id}',
      {
        ...shared,
        summary: 'An A2A task, with its answer and history',
        description: 'Needs `session/read` as well.',
        params: z.object({ id }),
        query: z.object({ historyLength: z.coerce.number().int().min(0).max(1_000).optional() }),
        ok: task,
        errors: [unknown, a2aErrors.a2a_read_not_allowed],
      },
      c => call(c, 'GetTask', { ...c.req.valid('query'), ...c.req.valid('param') }),
    ),
    route.post(
      '/a2a/tasks/{id}',
      {
        ...shared,
        summary: 'Cancel an A2A task, or follow it',
        description: '`:cancel` or `:subscribe` after the id of the task, as in `/a2a/tasks/task_1:cancel`.',
        params: z.object({ id: z.string().max(220) }),
        ok: streamed,
        errors: [unknown, ended, a2aErrors.a2a_task_not_cancelable, a2aErrors.a2a_method_unknown],
      },
      c => {
        const [, taskId, name] = /^(.+):(cancel|subscribe)$/.exec(c.req.valid('param').id) ?? []
        if (taskId === undefined) throw a2aErrors.a2a_method_unknown()
        return call(c, name === 'cancel' ? 'CancelTask' : 'SubscribeToTask', { id: taskId })
      },
    ),
    route.post(
      '/a2a/tasks/{id}/pushNotificationConfigs',
      {
        ...shared,
        summary: 'Send push notifications about an A2A task to an address',
        description: 'For a task that has ended, this needs `session/read` as well.',
        params: z.object({ id }),
        body: createPushParams.extend({ taskId: id.optional() }),
        ok: { 201: { description: 'The stored configuration, without its credentials', schema: pushConfig } },
        errors: [
          unknown,
          a2aErrors.a2a_push_full,
          a2aErrors.a2a_read_not_allowed,
          { code: 'outbound_refused', status: 422 },
        ],
      },
      c => {
        const params = { ...c.req.valid('json'), taskId: c.req.valid('param').id }
        return call(c, 'CreateTaskPushNotificationConfig', params, 201)
      },
    ),
    route.get(
      '/a2a/tasks/{id}/pushNotificationConfigs',
      {
        ...shared,
        summary: 'The push notification configurations of an A2A task',
        params: z.object({ id }),
        ok: z.object({ configs: z.array(pushConfig), nextPageToken: z.string() }),
        errors: [unknown],
      },
      c => call(c, 'ListTaskPushNotificationConfigs', { taskId: c.req.valid('param').id }),
    ),
    route.get(
      '/a2a/tasks/{id}/pushNotificationConfigs/{config}',
      {
        ...shared,
        summary: 'A push notification configuration of an A2A task',
        params: z.object({ id, config: id }),
        ok: pushConfig,
        errors: [unknown, pushUnknown],
      },
      c => {
        const { id: taskId, config } = c.req.valid('param')
        return call(c, 'GetTaskPushNotificationConfig', { taskId, id: config })
      },
    ),
    route.delete(
      '/a2a/tasks/{id}/pushNotificationConfigs/{config}',
      {
        ...shared,
        summary: 'Delete a push notification configuration of an A2A task',
        params: z.object({ id, config: id }),
        ok: { 204: { description: 'Deleted, or there was none' } },
        errors: [unknown],
      },
      c => {
        const { id: taskId, config } = c.req.valid('param')
        return call(c, 'DeleteTaskPushNotificationConfig', { taskId, id: config }, 204)
      },
    ),
  ]
}

const streamed = {
  200: {
    description: 'The task as JSON, or server-sent events with a StreamResponse of A2A each',
    content: { 'text/event-stream': { schema: z.string() } },
  },
} as const

const responseOf = (c: StreamedRequest, answer: Answer, status: number): Response => {
  if ('refused' in answer) return httpRefusal(answer.refused)
  if ('stream' in answer) return streamResponse(c, answer.stream, result => result)
  if (status === 204) return new Response(null, { status })
  return Response.json(answer.result, { status, headers: { 'content-type': 'application/a2a+json' } })
}

const httpRefusal = (refusal: RouteRefusal & { readonly retryAfterSeconds?: number }): Response =>
  Response.json(httpError(refusal), { status: refusal.status, headers: retryAfter(refusal) })
