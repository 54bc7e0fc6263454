/** What `sibyl inspect` takes. */
export interface InspectOptions {
  readonly json?: boolean
  readonly prompt?: boolean
}
