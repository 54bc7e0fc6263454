import { type Environment, settingOf } from '../config/environment.ts'
import type { Logger } from '../logging/logger.ts'
import { type ApiKeyList, type ApiKeyRules, parseApiKeys } from './api-keys.ts'

/** Reads the keys of a variable; entries that are none are told in the log by their places. */
export const readApiKeys = (
  environment: Environment,
  variable: string,
  rules: ApiKeyRules,
  log: Logger,
): ApiKeyList => {
  const keys = parseApiKeys(settingOf(environment, variable), rules)
  if (keys.faults.length > 0) {
    log.warn(
      'entries of a list of API keys are not used: each must be name:key[:scopes[:did]], with a key of its own of 16 to 500 letters, digits or - . _ ~ + / =',
      { variable, entries: keys.faults },
    )
  }
  return keys
}
