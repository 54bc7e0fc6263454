/** What `sibyl devnet` is called with. */
export interface DevnetOptions {
  /** 0 takes a free one. @default that of the first start, 4100 */
  readonly port?: number
  /** The folder of its data and keys. @default `devnet` in the command's home */
  readonly data?: string
  /** Make an API key that takes the place of the one before. */
  readonly newKey?: boolean
  /** Show the oracle's log. */
  readonly verbose?: boolean
  /** Tell with one object that it listens, and how it is used. */
  readonly json?: boolean
}
