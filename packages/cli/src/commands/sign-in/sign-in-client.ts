import { ProblemError, type SignIns } from '@sibyl/client'
import { signInList } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'
import { listAsOperator } from '../../oracle/list-as-operator.ts'
import { openOracle } from '../../oracle/open-oracle.ts'
import { requestOperator } from '../../oracle/request-operator.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { SignInOptions } from './sign-in-options.ts'

/** Returns the sign-ins of an oracle: those of the user, or as the operator those of all. */
export const openSignIns = async (options: SignInOptions, io: CommandIo): Promise<SignIns> => {
  if (options.operator) return operatorSignIns(options, io)
  const { client, explained } = await openOracle(options, io)
  return { list: () => explained(client.signIns.list()), end: id => explained(client.signIns.end(id)) }
}

const operatorSignIns = (options: SignInOptions, io: CommandIo): SignIns => ({
  list: () => listAsOperator('/oauth/sign-ins', content => signInList.parse(content).signIns, options, io),
  async end(id) {
    await requestOperator({ method: 'DELETE', path: `/oauth/sign-ins/${encodeURIComponent(id)}` }, options, io)
  },
})

/** Returns an error with a remedy for an oracle without OAuth. */
export const explainNoOauth = (error: unknown): unknown =>
  error instanceof ProblemError && error.status === 404
    ? cliErrors.configuration_invalid('This oracle does not use OAuth.', 'Set OAUTH=on and restart it.', {
        cause: error,
      })
    : error

/** Returns a usage error for an ID that the oracle does not know. */
export const explainUnknownId = (error: unknown): unknown =>
  error instanceof ProblemError && (error.code === 'sign_in_not_found' || error.code === 'input_invalid')
    ? cliErrors.usage_invalid('You have no sign-in with this ID.', 'sibyl sign-in list shows your sign-ins.', {
        cause: error,
      })
    : explainNoOauth(error)
