import type { MessageMetadata, Usage } from '@sibyl/protocol'
import type { TurnStatus } from './core-tables.ts'
import type { MessagePart } from './turn-message.ts'

/** What a running turn stores on its way. */
export interface TurnProgress {
  readonly turnId: string
  readonly owner: string
  readonly sessionId: string
  readonly answer?: TurnAnswer
  readonly events?: TurnEvents
  readonly hasReader: boolean
  /** What the finished steps used. */
  readonly usage: Usage
  readonly now: number
}

/** What other processes tell a running turn. */
export interface TurnSigns {
  /** Somebody asked it to stop, or it was ended without its process. */
  readonly stop: boolean
  /** When it was last read in another process, in milliseconds since 1970. */
  readonly followedAt: number
}

/** The assistant's message that a turn writes. */
export interface TurnAnswer {
  readonly id: string
  readonly parts: readonly MessagePart[]
  readonly metadata: MessageMetadata
}

/** Events not yet stored: the first one's number and one JSON a line. */
export interface TurnEvents {
  readonly firstId: number
  readonly body: string
}

/** What a turn leaves behind, in one transaction. */
export interface TurnEndRecord {
  readonly turnId: string
  readonly owner: string
  readonly sessionId: string
  readonly answer: TurnAnswer
  readonly status: Exclude<TurnStatus, 'running'>
  readonly code?: string
  readonly usage: Usage
  readonly hooksCalled: boolean
  readonly events?: TurnEvents
  /** Only when it showed no sign of life since then, in milliseconds since 1970. */
  readonly deadBefore?: number
  readonly now: number
}
