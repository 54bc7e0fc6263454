import type { PassphraseOptions } from '../../keystore/read-passphrase.ts'

/** What every command on keys may be called with. */
export interface KeysOptions extends PassphraseOptions {
  readonly json?: boolean
}

/** What `sibyl keys import` is called with. */
export interface ImportOptions extends KeysOptions {
  /** A file, `-` for stdin. */
  readonly mnemonicFile?: string
}

/** What `sibyl keys show` is called with. */
export interface ShowOptions extends KeysOptions {
  readonly reveal?: boolean
}

/** What `sibyl keys rotate` is called with. */
export interface RotateOptions extends KeysOptions {
  /** Rotates the key of the oracle in whose folder the command runs. */
  readonly oracle?: boolean
  readonly yes?: boolean
}
