/** What every command on variables may be called with. */
export interface EnvOptions {
  readonly json?: boolean
}

/** What `sibyl env init` is called with. */
export interface EnvInitOptions extends EnvOptions {
  /** A file, `-` for stdin. */
  readonly mnemonicFile?: string
  readonly newMnemonic?: boolean
}

/** What `sibyl env example` is called with. */
export interface EnvExampleOptions extends EnvOptions {
  readonly write?: boolean
  readonly check?: boolean
}
