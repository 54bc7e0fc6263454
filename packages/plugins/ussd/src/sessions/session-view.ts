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
