import { readFileSync } from 'node:fs'
import type { OracleConfig } from '@sibyl/core'
import { reasonOf, StartError } from '@sibyl/core/start'

/**
 * Reads `oracle.config.json`; `createOracleApp` checks what it says.
 *
 * @throws StartError when it cannot be read or is not JSON
 */
export const readConfig = (): OracleConfig => {
  try {
    return JSON.parse(readFileSync(new URL('../oracle.config.json', import.meta.url), 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw new StartError(`oracle.config.json cannot be read (${reasonOf(error)}).`)
    throw new StartError(`oracle.config.json is not valid JSON: ${error.message}`)
  }
}
