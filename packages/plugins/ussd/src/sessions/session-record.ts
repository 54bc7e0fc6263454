import type { FlowEvent } from '../counts/flow-counts.ts'
import type { FlowFacts, FlowState } from '../flow/flow-machine.ts'
import type { TextMode, UssdReply } from '../requests/ussd-request.ts'
import type { SessionStatus, WriteTransaction } from '../storage/ussd-tables.ts'
import type { TextLimits } from '../text/measure.ts'

/** Sealed content of a session's row. JSON. */
export interface SessionRecord {
  /** Position in the flow; that of the action while one runs or its outcome was not shown. */
  readonly state: FlowState
  /** Reply to the last request, which is sent again if that is repeated. */
  readonly reply: UssdReply
  /** `auto` until it is decided. */
  readonly mode: TextMode
  /** Text dialed after the base code: `1*2`; empty for none. */
  readonly shortcut: string
  /** The text of the last request: all of it for cumulative texts; absent after a dial. */
  readonly text?: string | undefined
  readonly sequence?: number | undefined
  readonly run?: PendingRun | undefined
  /** Outcome of a late action, until it is shown. */
  readonly outcome?: Shown | undefined
  /** Key of an earlier session that this one may resume. */
  readonly offer?: string
}

/** A screen with the state that shows it. */
export interface Shown {
  readonly state: FlowState
  readonly reply: UssdReply
}

/** A running action, as its session stores it. */
export interface PendingRun {
  /** Stable across restarts; the action's idempotency key. */
  readonly id: string
  readonly state: FlowState
  /** Time that its phone waits, in milliseconds. */
  readonly waitsMs: number
  /** Limits of the reply that shows its outcome. */
  readonly limits: TextLimits
}

/** A stored session. */
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

export interface KnownSession extends Session {
  /** Whether it has not expired. */
  readonly live: boolean
  /** Time since the caller's last input, in milliseconds. */
  readonly idleMs: number
}

/** One move of a session, from the stored state to its reply. */
export interface Move {
  /** The session and its stored version: each save needs the next version. */
  readonly session: Omit<Session, 'record' | 'status'>
  readonly facts: FlowFacts
  /** Stored parts of the request. */
  readonly texts: Pick<SessionRecord, 'mode' | 'shortcut' | 'text' | 'sequence' | 'offer'>
  readonly path: MovePath
  /** Deadline of its phone for actions, on the stopwatch. */
  readonly until?: number
}

/** Screens of a move, for the counts. */
export interface MovePath {
  /** The screen that the phone showed; undefined for a new session. */
  readonly from?: string
  /** Actions since then, in their order. */
  readonly ran: readonly string[]
  /** Actions that failed. */
  readonly failed: readonly string[]
  /** Event of an earlier session that this one replaces or resumes. */
  readonly other?: { readonly screen: string; readonly event: FlowEvent }
}

/** Reply of a move; undefined if another process moved the session meanwhile, so that it is read again. */
export type MoveResult = UssdReply | undefined

export type MoveWrite = ((tx: WriteTransaction) => Promise<void>) | undefined
