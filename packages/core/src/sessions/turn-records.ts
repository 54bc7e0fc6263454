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
  readonly tools: ToolCounts
  readonly now: number
}

/** How often each tool ran, by its name. */
export type ToolCounts = Readonly<Record<string, number>>

/** What other processes tell a running turn. */
export interface TurnSigns {
  /** Somebody asked it to stop, or it was ended without its process. */
  readonly stop: boolean
  /** How long nobody has read it in another process, in milliseconds. */
  readonly unfollowedMs: number
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
  readonly tools: ToolCounts
  readonly hooksCalled: boolean
  readonly events?: TurnEvents
  /** With a turn whose process is gone: only when it gave no sign of life for so many milliseconds, if a number. */
  readonly left?: { readonly silentForMs: number | undefined }
  readonly now: number
}
