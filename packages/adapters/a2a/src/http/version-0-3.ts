import { isObject } from '@sibyl/protocol'
import { stateOfWire } from '../wire/task-state.ts'
import type { OperationName } from './operations.ts'

/** A method of A2A 0.3 as an operation of 1.0. */
export interface OlderMethod {
  readonly operation: OperationName
  /** Returns the parameters of the operation. */
  readonly params: (given: unknown) => unknown
  /** Returns the result as A2A 0.3 has it. */
  readonly result: (given: object | null) => unknown
}

type Members = Readonly<Record<string, unknown>>

const membersOf = (given: unknown): Members => (isObject(given) ? (given as Members) : {})
const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : [])

const partFrom = (given: unknown): unknown => {
  const { kind, file, metadata: _, ...rest } = membersOf(given)
  if (kind !== 'file') return rest
  const { bytes, uri, mimeType, name } = membersOf(file)
  return {
    ...(bytes === undefined ? { url: uri } : { raw: bytes }),
    ...(mimeType === undefined ? {} : { mediaType: mimeType }),
    ...(name === undefined ? {} : { filename: name }),
  }
}

const sendFrom = (given: unknown): unknown => {
  const { message, configuration, ...rest } = membersOf(given)
  const { kind: _, role, parts, ...facts } = membersOf(message)
  const { blocking, pushNotificationConfig: push, ...settings } = membersOf(configuration)
  return {
    ...rest,
    message: {
      ...facts,
      role: role === 'user' ? 'ROLE_USER' : role === 'agent' ? 'ROLE_AGENT' : role,
      parts: Array.isArray(parts) ? parts.map(partFrom) : parts,
    },
    configuration: {
      ...settings,
      ...(blocking === false ? { returnImmediately: true } : {}),
      ...(push === undefined ? {} : { taskPushNotificationConfig: push }),
    },
  }
}

const partTo = (given: unknown): unknown => {
  const { text, ...rest } = membersOf(given)
  return { kind: 'text', text, ...(Object.keys(rest).length > 0 ? { metadata: rest } : {}) }
}

const withParts = (given: unknown): object => ({
  ...membersOf(given),
  parts: listOf(membersOf(given).parts).map(partTo),
})

const messageTo = (given: unknown): object => ({
  ...withParts(given),
  kind: 'message',
  role: membersOf(given).role === 'ROLE_USER' ? 'user' : 'agent',
})

const statusTo = (given: unknown): object => {
  const { state, message, ...rest } = membersOf(given)
  return {
    ...rest,
    state: stateOfWire(String(state)) ?? 'unknown',
    ...(message ? { message: messageTo(message) } : {}),
  }
}

const taskTo = (given: unknown): object => {
  const { status, artifacts, history, ...rest } = membersOf(given)
  return {
    ...rest,
    kind: 'task',
    status: statusTo(status),
    artifacts: listOf(artifacts).map(withParts),
    history: listOf(history).map(messageTo),
  }
}

/** Returns a result of sending: a task, or an event of its stream. */
const eventTo = (given: object | null): unknown => {
  const { task, statusUpdate, artifactUpdate, message } = membersOf(given)
  if (task) return taskTo(task)
  if (message) return messageTo(message)
  if (artifactUpdate) {
    const { artifact, ...rest } = membersOf(artifactUpdate)
    return { ...rest, kind: 'artifact-update', artifact: withParts(artifact) }
  }
  const { status, ...rest } = membersOf(statusUpdate)
  const shown = statusTo(status)
  return { ...rest, kind: 'status-update', status: shown, final: 'state' in shown && shown.state !== 'working' }
}

const same = (given: unknown): unknown => given

const pushTo = (given: unknown): unknown => {
  const { taskId, ...pushNotificationConfig } = membersOf(given)
  return { taskId, pushNotificationConfig }
}

const pushFrom = (given: unknown): unknown => {
  const { taskId, pushNotificationConfig } = membersOf(given)
  return { taskId, ...membersOf(pushNotificationConfig) }
}

const pushId = (given: unknown): unknown => {
  const { id: taskId, pushNotificationConfigId: id } = membersOf(given)
  return { taskId, id }
}

/** The methods of A2A 0.3 by their names. */
export const olderMethods: Readonly<Record<string, OlderMethod>> = {
  'message/send': { operation: 'SendMessage', params: sendFrom, result: eventTo },
  'message/stream': { operation: 'SendStreamingMessage', params: sendFrom, result: eventTo },
  'tasks/get': { operation: 'GetTask', params: same, result: taskTo },
  'tasks/cancel': { operation: 'CancelTask', params: same, result: taskTo },
  'tasks/resubscribe': { operation: 'SubscribeToTask', params: same, result: eventTo },
  'tasks/pushNotificationConfig/set': {
    operation: 'CreateTaskPushNotificationConfig',
    params: pushFrom,
    result: pushTo,
  },
  'tasks/pushNotificationConfig/get': { operation: 'GetTaskPushNotificationConfig', params: pushId, result: pushTo },
  'tasks/pushNotificationConfig/list': {
    operation: 'ListTaskPushNotificationConfigs',
    params: given => ({ taskId: membersOf(given).id }),
    result: given => listOf(membersOf(given).configs).map(pushTo),
  },
  'tasks/pushNotificationConfig/delete': {
    operation: 'DeleteTaskPushNotificationConfig',
    params: pushId,
    result: same,
  },
}
