import type { StoredPart } from '../wire/part.ts'
import type { TaskState } from '../wire/task-state.ts'
import type { Artifact, Question } from './task-tables.ts'

/** A task as it is stored. */
export interface Task {
  readonly id: string
  readonly owner: string
  /** The session. */
  readonly context: string
  /** The last turn. */
  readonly turn: string
  readonly state: TaskState
  readonly statusText: string | null
  readonly questions: readonly Question[]
  readonly artifacts: readonly Artifact[]
  /** Before the last turn, in milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  /** As counted for its owner. */
  readonly bytes: number | null
}

export interface TaskMessage {
  /** The id, of the client or of the oracle. */
  readonly message: string
  readonly role: 'user' | 'agent'
  readonly parts: readonly StoredPart[]
}
