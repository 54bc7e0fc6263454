import type { Logger } from '@sibyl/plugin'
import { type ApiKeyList, type ApiKeyRules, parseApiKeys } from './api-keys.ts'
import { type Environment, settingOf } from './environment.ts'

/** Reads the keys of a variable; the positions of invalid entries are logged. */
export const readApiKeys = (
  environment: Environment,
  variable: string,
  rules: ApiKeyRules,
  log: Logger,
): ApiKeyList => {
  const keys = parseApiKeys(settingOf(environment, variable), rules)
  if (keys.faults.length > 0) {
    log.warn(
      'entries of the list of API keys are invalid: use name:key[:scopes[:did]], each key once and 16 to 500 characters long',
      { variable, entries: keys.faults },
    )
  }
  return keys
}
