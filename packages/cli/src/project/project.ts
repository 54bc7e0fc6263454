import type { OracleConfig } from '@sibyl/core'

/** The oracle's project that a command runs in. */
export interface Project {
  /** Where `oracle.config.json` is. */
  readonly folder: string
  readonly config: OracleConfig
  /** What `.env` of the folder says; empty where there is none. The environment goes before it. */
  readonly envFile: Readonly<Record<string, string>>
  /** One setting: the environment, then `.env`, then `oracle.config.json`; undefined where it is blank everywhere. */
  setting(variable: string): string | undefined
}
