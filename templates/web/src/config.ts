import { readFileSync } from 'node:fs'
import type { OracleConfig } from '@sibyl/core'

/** What `oracle.config.json` says; `createOracleApp` checks it. */
export const config: OracleConfig = JSON.parse(readFileSync(new URL('../oracle.config.json', import.meta.url), 'utf8'))
