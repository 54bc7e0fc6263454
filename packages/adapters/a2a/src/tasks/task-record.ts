import { createHash } from 'node:crypto'
import { wireState } from '../wire/task-state.ts'
import type { Task, TaskMessage } from './task.ts'
import type { Artifact } from './task-tables.ts'

/** The ability to read stored messages. */
export const readAbility = 'session/read'

/** Returns a task with what its last turn made, for a caller without `session/read`. */
export const lastTurnOf = (task: Task): Task => ({
  ...task,
  artifacts: task.artifacts.filter(({ turn }) => turn === task.turn),
})

/** Returns a status as A2A sends it. */
export const statusRecord = ({ id, context, turn, state, statusText, updatedAt }: Task) => ({
  state: wireState(state),
  ...(statusText === null
    ? {}
    : {
        message: {
          messageId: `${turn}_status`,
          contextId: context,
          taskId: id,
          role: 'ROLE_AGENT',
          parts: [{ text: statusText, mediaType: 'text/plain' }],
        },
      }),
  timestamp: new Date(updatedAt).toISOString(),
})

export const answerRecord = (turn: string, text: string) => ({
  artifactId: turn,
  name: 'answer',
  parts: [{ text, mediaType: 'text/plain' }],
})

/** Returns what a turn made as an artifact; a file as its address, where its owner reads it. @param address Of the oracle. */
export const artifactRecord = ({ turn, text, file }: Artifact, address: string) => {
  if (!file) return answerRecord(turn, text)
  const filename = file.path.slice(file.path.lastIndexOf('/') + 1)
  return {
    artifactId: `${turn}_${createHash('sha256').update(file.path).digest('hex').slice(0, 12)}`,
    name: filename,
    parts: [{ url: `${address}${file.url}`, filename, mediaType: file.mediaType }],
  }
}

/** Returns a message of a task as A2A sends it. */
const messageRecord = ({ id, context }: Task, { message, role, parts }: TaskMessage) => ({
  messageId: message,
  contextId: context,
  taskId: id,
  role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
  parts,
})

export interface TaskRecordOptions {
  /** Address of the oracle, for files. */
  readonly address: string
  readonly history?: readonly TaskMessage[]
  /** @default true */
  readonly withArtifacts?: boolean
}

/** Returns a task as A2A sends it. */
export const taskRecord = (task: Task, { address, history = [], withArtifacts = true }: TaskRecordOptions) => ({
  id: task.id,
  contextId: task.context,
  status: statusRecord(task),
  ...(withArtifacts && task.artifacts.length > 0
    ? { artifacts: task.artifacts.map(artifact => artifactRecord(artifact, address)) }
    : {}),
  ...(history.length > 0 ? { history: history.map(message => messageRecord(task, message)) } : {}),
  metadata: {
    sibyl: {
      turnId: task.turn,
      ...(task.questions.length > 0
        ? { approvals: task.questions.map(({ approvalId, schema }) => ({ approvalId, ...(schema ? { schema } : {}) })) }
        : {}),
    },
  },
})

export type TaskRecord = ReturnType<typeof taskRecord>
