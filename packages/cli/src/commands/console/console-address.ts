import { ProblemError } from '@sibyl/client'
import { cliErrors } from '../../errors/cli-errors.ts'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { sendRequest } from '../../http/send-request.ts'
import { openCaller } from '../../operations/open-caller.ts'
import { responses } from '../../operations/responses.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { noOauth } from '../sign-in/sign-in-command.ts'

/** Validity of the code in the address, in minutes. */
const codeMinutes = 5

/** Abilities that the console requests. */
const scopes = { user: ['*'], operator: ['*', 'operator/read', 'operator/write'] }

/** Address of a console, and a one-time code if the operator token is known. */
export interface ConsoleAddress {
  readonly address: string
  readonly code?: string
}

/** Returns the address that signs in with a code. It is a secret. */
export const addressWithCode = ({ address, code }: ConsoleAddress): string =>
  code === undefined ? address : `${address}#code=${code}`

/**
 * Splits a code for a browser: other accounts of the computer read the arguments of programs, so that the address has the start alone,
 * and the user types the rest, 30 random bits.
 */
export const addressForBrowser = ({
  address,
  code,
}: ConsoleAddress): { readonly address: string; readonly rest?: string } => {
  if (code === undefined) return { address }
  const characters = code.replaceAll('-', '')
  const half = characters.length / 2
  return { address: `${address}#code=${characters.slice(0, half)}`, rest: characters.slice(half) }
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
  const page = { method: 'HEAD', signal: AbortSignal.timeout(30_000) }
  if ((await sendRequest(address, page, async ({ status }) => status)) === 404) throw noConsole()
  if (!token) return { address }
  const { key, path, made } = await openDeveloperKey(homeFolder(io.env))
  if (made) io.stderr.write(`Created your key in ${path}\n`)
  const body = { did: key.did, scopes: asUser ? scopes.user : scopes.operator, minutes: codeMinutes }
  const operatorIo = { ...io, env: { ...io.env, ORACLE_OPERATOR_TOKEN: token } }
  const caller = await openCaller('operator', { url }, operatorIo)
  const created = await caller.call('POST /oauth/codes', { body }).catch(error => {
    throw error instanceof ProblemError && error.status === 404 ? noOauth(error) : error
  })
  return { address, code: responses.signInCode.parse(created).code }
}

const noConsole = () =>
  cliErrors.configuration_invalid('This oracle has no console.', 'Set CONSOLE=on and OAUTH=on, and restart it.')
