import type { BotCredentials } from '../../bot/bot-account.ts'
import type { ScaffoldAnswers } from './scaffold-answers.ts'

/** All that the files of a new project follow from. */
export interface ProjectFacts {
  readonly answers: ScaffoldAnswers
  /** The words of the oracle's signing key, for `.env` alone. */
  readonly mnemonic: string
  /** The oracle's entity; undefined where it was not registered. */
  readonly entityDid: string | undefined
  /** Who may grant access to the oracle: its controller, and the developer's own key. */
  readonly controllers: readonly string[]
  readonly bot: BotCredentials | undefined
  readonly packages: PackageSource
}

/** One file of a project, before it is written. */
export interface ProjectFile {
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly content: string | Uint8Array
  /** @default 0o644 */
  readonly mode?: number
}

/** The packed packages that a project brings along in its `vendor/`, by the name of the package. */
export type PackageSource = ReadonlyMap<string, PackedPackage>

export interface PackedPackage {
  /** The name of its tarball, such as `sibyl-core-0.1.0.tgz`. */
  readonly fileName: string
  readonly content: Uint8Array
}
