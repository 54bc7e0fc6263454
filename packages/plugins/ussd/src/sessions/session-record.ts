import type { FlowFacts, FlowState } from '../flow/flow-machine.ts'
import type { TextMode, UssdReply } from '../requests/ussd-request.ts'
import type { SessionStatus, WriteTransaction } from '../storage/ussd-tables.ts'
import type { TextLimits } from '../text/text-limits.ts'

/** What a session's row holds sealed. JSON. */
export interface SessionRecord {
  /** Where it stands; the action's own state while one is under way or its outcome was not looked at. */
  readonly state: FlowState
  /** The answer to the last request, given again when that comes again. */
  readonly reply: UssdReply
  /** How its texts are read; `auto` until it shows. */
  readonly mode: TextMode
  /** What was dialled behind the base code: `1*2`; empty for nothing. */
  readonly shortcut: string
  /** The text of the last request: all of it where texts are cumulative; absent while it was only dialled. */
  readonly text?: string
  /** The provider's count of the last request. */
  readonly sequence?: number
  /** The action under way. */
  readonly run?: PendingRun
  /** What came of an action that was late, until it is looked at. */
  readonly outcome?: Shown
  /** The key of an earlier session that this one may go on with. */
  readonly offer?: string
}

/** A screen with the state that shows it. */
export interface Shown {
  readonly state: FlowState
  readonly reply: UssdReply
}

/** An action under way, as its session keeps it. */
export interface PendingRun {
  /** Stable over restarts; the action's idempotency key. */
  readonly id: string
  /** Where the action stands. */
  readonly state: FlowState
  /** How long its phone waits, in milliseconds. */
  readonly waitsMs: number
  /** What its outcome is shown within. */
  readonly limits: TextLimits
}

/** A session as it is kept. */
export interface Session {
  readonly key: string
  readonly sessionId: string
  readonly provider: string
  /** The base code. */
  readonly serviceCode: string
  /** Sealed. */
  readonly phone: string
  readonly caller: string | null
  readonly status: SessionStatus
  /** Counts the moves, from 1. */
  readonly version: number
  readonly record: SessionRecord
}

/** A session with its times. */
export interface KnownSession extends Session {
  /** Whether it has not been idle for too long. */
  readonly live: boolean
  /** Whether a process that is taken to be alive runs its action. */
  readonly runs: boolean
  /** How long ago the person did something, in milliseconds. */
  readonly idleMs: number
}

/** One move of a session, from what is on disk to its answer. */
export interface Move {
  /** Who it is, and what is on disk: each save needs the next version. */
  readonly session: Omit<Session, 'record' | 'status'>
  readonly facts: FlowFacts
  /** What is kept of the request. */
  readonly texts: Pick<SessionRecord, 'mode' | 'shortcut' | 'text' | 'sequence' | 'offer'>
  /** Until when its phone waits for actions, on the stopwatch. */
  readonly until?: number
}

/** The answer of a move; undefined where another process moved the session meanwhile, so that it has to be looked at anew. */
export type MoveResult = UssdReply | undefined

/** What is done in the transaction of a move. */
export type MoveWrite = ((tx: WriteTransaction) => Promise<void>) | undefined
