import { identifier } from '@sibyl/protocol'
import { z } from 'zod'
import { parts } from './part.ts'

/** An id that clients choose or repeat. */
const id = z.string().min(1).max(200)

/** Clients send unset ids as empty text or leave them out. */
const unsetId = z.literal('').transform(() => undefined)

const tenant = z.string().max(200).optional()
const historyLength = z.int().min(0).max(1_000).optional()

/** Address of a receiver of push notifications, with what it expects in the header. */
const pushTarget = z.looseObject({
  tenant,
  id: z.union([unsetId, id]).optional(),
  /** http or https. */
  url: z
    .string()
    .min(1)
    .max(2_000)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters'),
  /** Sent as `X-A2A-Notification-Token`. */
  token: z
    .string()
    .max(2_000)
    .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
    .optional(),
  /** Sent as `Authorization`. */
  authentication: z
    .looseObject({
      scheme: z.string().regex(/^[\w-]{1,40}$/, 'must be the name of a scheme, such as Bearer'),
      credentials: z
        .string()
        .max(4_000)
        .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
        .optional(),
    })
    .optional(),
})

export type PushTarget = z.output<typeof pushTarget>

/** A message of a client. */
export const message = z.looseObject({
  messageId: id,
  contextId: z.union([unsetId, identifier]).optional(),
  taskId: z.union([unsetId, id]).optional(),
  role: z.literal('ROLE_USER', 'expected ROLE_USER'),
  parts,
})

export type Message = z.output<typeof message>

/** Parameters of `SendMessage` and `SendStreamingMessage`. */
export const sendParams = z.looseObject({
  tenant,
  message,
  configuration: z
    .looseObject({
      historyLength,
      returnImmediately: z.boolean().optional(),
      acceptedOutputModes: z.array(z.string().max(255)).max(50).optional(),
      taskPushNotificationConfig: pushTarget.optional(),
    })
    .optional(),
})

export type SendParams = z.output<typeof sendParams>

/** Parameters of `GetTask`. */
export const getParams = z.looseObject({ tenant, id, historyLength })

/** Parameters of `CancelTask` and `SubscribeToTask`. */
export const taskParams = z.looseObject({ tenant, id })

/** Most tasks of a page. */
const maxPageSize = 100

/** Parameters of `ListTasks`. */
export const listParams = z.looseObject({
  tenant,
  contextId: z.union([unsetId, identifier]).optional(),
  status: z
    .union([z.literal(['', 'TASK_STATE_UNSPECIFIED']).transform(() => undefined), z.string().max(60)])
    .optional(),
  pageSize: z.int().min(1).max(maxPageSize).default(50),
  pageToken: z.union([unsetId, z.string().max(4_000)]).optional(),
  historyLength,
  statusTimestampAfter: z.union([unsetId, z.iso.datetime({ offset: true })]).optional(),
  includeArtifacts: z.boolean().optional(),
})

export type ListParams = z.output<typeof listParams>

/** Query string of `GET /a2a/tasks`. */
export const listQuery = z.object({
  contextId: identifier.optional(),
  status: z.string().max(60).optional(),
  pageSize: z.coerce.number().int().min(1).max(maxPageSize).optional(),
  pageToken: z.string().max(4_000).optional(),
  historyLength: z.coerce.number().int().min(0).max(1_000).optional(),
  statusTimestampAfter: z.iso.datetime({ offset: true }).optional(),
  includeArtifacts: z.enum(['true', 'false']).optional(),
})

/** Parameters of `CreateTaskPushNotificationConfig`. */
export const createPushParams = pushTarget.extend({ taskId: id })

/** Parameters of `GetTaskPushNotificationConfig` and `DeleteTaskPushNotificationConfig`. */
export const pushParams = z.looseObject({ tenant, taskId: id, id })

/** Parameters of `ListTaskPushNotificationConfigs`. */
export const listPushParams = z.looseObject({ tenant, taskId: id })

/** A request of JSON-RPC 2.0. */
export const rpcRequest = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.int(), z.null()]).optional(),
  method: z.string().min(1).max(100),
  params: z.record(z.string(), z.unknown()).optional(),
})
