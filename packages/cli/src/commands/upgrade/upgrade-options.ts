/** Options for `sibyl upgrade`. */
export interface UpgradeOptions {
  readonly dryRun?: boolean
  /** @default true */
  readonly install?: boolean
  /** Answer with one object. */
  readonly json?: boolean
}
