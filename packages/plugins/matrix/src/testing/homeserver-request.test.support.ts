/** A request as it was recorded. */
export interface HomeserverRequest {
  /** `sync`, `send`, … */
  readonly operation: string
  readonly method: string
  /** Decoded, with its query. */
  readonly path: string
  /** Whose token it bore. */
  readonly user: string | undefined
  readonly body: unknown
  /** Milliseconds since 1970. */
  readonly at: number
  /** Of the answer; undefined while there is none. */
  status?: number
}
