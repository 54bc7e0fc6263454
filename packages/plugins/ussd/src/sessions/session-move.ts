import type { FlowFacts } from '../flow/flow-machine.ts'
import type { UssdReply } from '../requests/ussd-request.ts'
import type { WriteTransaction } from '../storage/ussd-tables.ts'
import type { Session, SessionRecord } from './session-record.ts'

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
