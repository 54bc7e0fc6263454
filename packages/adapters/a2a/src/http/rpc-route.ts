import { type Route, type RouteRefusal, route } from '@sibyl/plugin'
import { retryAfter } from '@sibyl/plugin/host'
import { z } from 'zod'
import { a2aErrors } from '../errors/a2a-errors.ts'
import { rpcError } from '../errors/error-form.ts'
import { rpcRequest } from '../wire/requests.ts'
import type { Operation, Operations } from './operations.ts'
import { streamResponse } from './stream-response.ts'
import { supportedRpcVersion } from './supported-version.ts'
import { olderMethods } from './version-0-3.ts'

/** `POST /a2a`: the JSON-RPC binding. */
export const rpcRoute = (operations: Operations): Route =>
  route.post(
    '/a2a',
    {
      auth: { ucan: 'chat/send' },
      summary: 'Call a method of A2A 1.0 or 0.3 by JSON-RPC',
      description:
        'The methods are SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask, and those of ' +
        'TaskPushNotificationConfig; those of 0.3 are message/send, tasks/get and so on. Streams come as server-sent events. A task continues when the client disconnects.',
      body: rpcRequest,
      ok: {
        200: {
          description: 'The result or the error of the method; of a method that streams, server-sent events',
          content: {
            'application/json': { schema: z.looseObject({ jsonrpc: z.literal('2.0') }) },
            'text/event-stream': { schema: z.string() },
          },
        },
      },
      errors: Object.values(a2aErrors),
      admit: supportedRpcVersion,
      timeLimit: false,
      refuse: (c, refusal) => rpcRefusal(c.get('parsedBody'), refusal),
    },
    async c => {
      const { id = null, method, params = {} } = c.req.valid('json')
      const older = Object.hasOwn(olderMethods, method) ? olderMethods[method] : undefined
      const name = older?.operation ?? method
      const operation = Object.hasOwn(operations, name) ? (operations as Record<string, Operation>)[name] : undefined
      if (!operation) throw a2aErrors.a2a_method_unknown()
      const answer = await operation(c.get('actor'), older ? older.params(params) : params)
      if ('refused' in answer) return rpcRefusal({ id }, answer.refused)
      const form = (result: object | null) => ({
        jsonrpc: '2.0' as const,
        id,
        result: older ? older.result(result) : result,
      })
      if ('stream' in answer) return streamResponse(c, answer.stream, form)
      return c.json(form(answer.result))
    },
  )

/**
 * Returns an error of JSON-RPC: with status 200 where the method was called, and with the status of the rejection before, so that
 * clients see limits and missing credentials as elsewhere.
 */
const rpcRefusal = (body: unknown, refusal: RouteRefusal & { readonly retryAfterSeconds?: number }): Response => {
  const { code, status } = refusal
  const isOfMethod = Object.hasOwn(a2aErrors, code) || code === 'input_invalid' || code === 'json_invalid'
  return Response.json(
    { jsonrpc: '2.0', id: idOf(body), error: rpcError(refusal) },
    { status: isOfMethod ? 200 : status, headers: retryAfter(refusal) },
  )
}

const requestId = z.object({ id: rpcRequest.shape.id })

/** Returns the id of a request, also of one that is invalid otherwise. */
const idOf = (body: unknown) => requestId.safeParse(body).data?.id ?? null
