import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'

/** A session as the debug route shows it. */
export interface SessionView {
  readonly sessionId: string
  readonly phoneNumber: string
  readonly state: string
  /** The text last shown. */
  readonly message: string
  readonly isAuthenticated: boolean
  readonly status: 'active'
}

/** Moves sessions, and keeps them. */
export interface SessionEngine {
  /**
   * Serves one request; the promise resolves once the move is on disk. The same request twice, also at the same time or in
   * two processes, moves the session once and gets the same reply. Undefined for `release` and `timeout`.
   *
   * @throws StorageError where the database does not answer
   */
  serve(request: UssdRequest): Promise<UssdReply | undefined>
  /** The newest active session of that id, whosever it is. */
  find(sessionId: string): Promise<SessionView | undefined>
  /** The ids of active sessions, the newest first, at most `limit`, and how many there are. */
  list(limit: number): Promise<{ readonly ids: readonly string[]; readonly count: number }>
}
