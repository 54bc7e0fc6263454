import { readFileSync } from 'node:fs'
import type { OracleConfig } from '@sibyl/core'

/** The content of `oracle.config.json`; `createOracleApp` validates it. */
export const config: OracleConfig = JSON.parse(readFileSync(new URL('../oracle.config.json', import.meta.url), 'utf8'))
