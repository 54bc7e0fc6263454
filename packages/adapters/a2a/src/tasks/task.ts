import type { Selectable } from '@sibyl/plugin/storage'
import type { StoredPart } from '../wire/part.ts'
import type { A2aTables, Artifact, Question } from './task-tables.ts'

type Row = Selectable<A2aTables['a2a_tasks']>

/** A task as it is stored. */
export interface Task extends Readonly<Omit<Row, 'questions' | 'artifacts'>> {
  readonly questions: readonly Question[]
  readonly artifacts: readonly Artifact[]
}

export interface TaskMessage {
  /** The id, of the client or of the oracle. */
  readonly message: string
  readonly role: 'user' | 'agent'
  readonly parts: readonly StoredPart[]
}
