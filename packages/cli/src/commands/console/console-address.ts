import { z } from 'zod'
import { cliErrors } from '../../errors/cli-errors.ts'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { requestJson } from '../../http/request-json.ts'
import { requestOperator } from '../../oracle/request-operator.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { explainNoOauth } from '../sign-in/sign-in-client.ts'

const created = z.object({ code: z.string() })

/** Validity of the code in the address, in minutes. */
const codeMinutes = 5

/** Abilities that the console requests. */
const scopes = { user: ['*'], operator: ['*', 'operator/read', 'operator/write'] }

/** Address of a console, with a one-time code if the operator token is known. */
export interface ConsoleAddress {
  readonly address: string
  readonly isSignedIn: boolean
}

/**
 * Returns the address of the console of an oracle.
 *
 * @param url Address of the oracle.
 * @param token The operator token of that oracle.
 * @throws `configuration_invalid` when the oracle has no console; NetworkError, ProblemError
 */
export const consoleAddress = async (
  { url, token, asUser }: { readonly url: string; readonly token: string | undefined; readonly asUser: boolean },
  io: CommandIo,
): Promise<ConsoleAddress> => {
  const address = `${url}/console`
  // From source, an oracle builds the console at the first request.
  const { status } = await requestJson(address, { method: 'GET' }, { timeoutMs: 30_000 })
  if (status === 404) throw noConsole()
  if (!token) return { address, isSignedIn: false }
  const { key, path, made } = await openDeveloperKey(homeFolder(io.env))
  if (made) io.stderr.write(`Created your key in ${path}\n`)
  const body = { did: key.did, scopes: asUser ? scopes.user : scopes.operator, minutes: codeMinutes }
  const operatorIo = { ...io, env: { ...io.env, ORACLE_OPERATOR_TOKEN: token } }
  const answer = await requestOperator({ method: 'POST', path: '/oauth/codes', body }, { url }, operatorIo).catch(
    error => {
      throw explainNoOauth(error)
    },
  )
  return { address: `${address}#code=${created.parse(answer).code}`, isSignedIn: true }
}

const noConsole = () =>
  cliErrors.configuration_invalid('This oracle has no console.', 'Set CONSOLE=on and OAUTH=on, and restart it.')
