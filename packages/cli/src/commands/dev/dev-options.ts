/** What `sibyl dev` takes. */
export interface DevOptions {
  readonly port?: number
  readonly json?: boolean
}
