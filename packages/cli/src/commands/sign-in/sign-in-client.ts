import { ProblemError, type SignIns } from '@sibyl/client'
import { signInList } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'
import { openOracle } from '../../oracle/open-oracle.ts'
import { requestOperator } from '../../oracle/request-operator.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { SignInOptions } from './sign-in-options.ts'

const pageSize = 1000

/** Returns the sign-ins of an oracle: those of the user, or as the operator those of all. */
export const openSignIns = async (options: SignInOptions, io: CommandIo): Promise<SignIns> => {
  if (options.operator) return operatorSignIns(options, io)
  const { client, explain } = await openOracle(options, io)
  const explained = <Result>(work: Promise<Result>) =>
    work.catch(async error => {
      throw await explain(error)
    })
  return { list: () => explained(client.signIns.list()), end: id => explained(client.signIns.end(id)) }
}

const operatorSignIns = (options: SignInOptions, io: CommandIo): SignIns => ({
  async list() {
    const all = []
    for (let after = ''; ; ) {
      const path = `/oauth/sign-ins?limit=${pageSize}${after === '' ? '' : `&after=${after}`}`
      const { signIns } = signInList.parse(await requestOperator({ method: 'GET', path }, options, io))
      all.push(...signIns)
      const last = signIns.at(-1)
      if (signIns.length < pageSize || !last) return all
      after = last.id
    }
  },
  async end(id) {
    await requestOperator({ method: 'DELETE', path: `/oauth/sign-ins/${encodeURIComponent(id)}` }, options, io)
  },
})

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
