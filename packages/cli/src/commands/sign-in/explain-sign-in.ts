import { ProblemError } from '@sibyl/client'
import { cliErrors } from '../../errors/cli-errors.ts'

/** Returns an error with a remedy for an oracle without OAuth, and for an ID that it does not know. */
export const explainSignIn = (error: unknown): unknown => {
  if (!(error instanceof ProblemError)) return error
  if (error.code === 'sign_in_not_found' || error.code === 'input_invalid') {
    return cliErrors.usage_invalid('You have no sign-in with this ID.', 'sibyl sign-in list shows your sign-ins.', {
      cause: error,
    })
  }
  if (error.status !== 404) return error
  return cliErrors.configuration_invalid('This oracle does not use OAuth.', 'Set OAUTH=on and restart it.', {
    cause: error,
  })
}
