import type { BotCredentials } from '../../bot/bot-account.ts'
import type { ScaffoldAnswers } from './scaffold-answers.ts'

/** The input of the files that are rendered before the registration. */
export interface SourceFacts {
  readonly answers: ScaffoldAnswers
  readonly packages: PackageSource
  /** Whether the project gets a Node of its own, from npm. */
  readonly needsNode?: boolean
}

/** The input of the files with the results of the registration. */
export interface SettingsFacts {
  readonly answers: ScaffoldAnswers
  /** The mnemonic of the signing key of the oracle, for `.env` only. */
  readonly mnemonic: string
  /** The entity of the oracle; undefined if it was not registered. */
  readonly entityDid: string | undefined
  /** The DIDs that may grant access to the oracle: its controller, and the key of the developer. */
  readonly controllers: readonly string[]
  readonly bot: BotCredentials | undefined
  /** The variables of the database, if it is not a SQLite file of the project. */
  readonly database?: Readonly<Record<string, string>>
}

/** The input of all files of a new project. */
export type ProjectFacts = SourceFacts & SettingsFacts

/** One file of a project, before it is written. */
export interface ProjectFile {
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly content: string | Uint8Array
  /** @default 0o644 */
  readonly mode?: number
}

/** The packed packages in `vendor/` of a project, by package name. */
export type PackageSource = ReadonlyMap<string, PackedPackage>

export interface PackedPackage {
  /** The name of its tarball, such as `sibyl-core-0.1.0.tgz`. */
  readonly fileName: string
  readonly content: Uint8Array
}
