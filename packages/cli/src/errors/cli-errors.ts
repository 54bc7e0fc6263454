import { CommandError, type CommandErrorDetails } from './command-error.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

interface CommandErrorConstructor<Code extends string> {
  (message: string, remedy: string, details?: CommandErrorDetails): CommandError
  is(error: unknown): error is CommandError & { readonly code: Code }
}

/** Defines errors that end a command: a constructor each, under the name that is their code. */
const defineCommandErrors = <Code extends string>(
  exitCodes: Readonly<Record<Code, ExitCode>>,
): { readonly [Name in Code]: CommandErrorConstructor<Name> } => {
  const constructors = Object.entries<ExitCode>(exitCodes).map(([code, exitCode]) => [
    code,
    constructorOf(code, exitCode),
  ])
  return Object.fromEntries(constructors)
}

const constructorOf = (code: string, exitCode: ExitCode) => {
  const construct = (message: string, remedy: string, details: CommandErrorDetails = {}): CommandError => {
    const error = new CommandError(code, message, remedy, { exitCode, ...details })
    Error.captureStackTrace(error, construct)
    return error
  }
  return Object.assign(construct, { is: (error: unknown) => error instanceof CommandError && error.code === code })
}

/** Errors that end a command, by their codes; each with its exit code. */
export const cliErrors = defineCommandErrors({
  /** The oracle does not let the person in, or a delegation does not do what it is to do. */
  access_refused: exitCode.failed,
  /** The account that would sign on a chain is not there, or has less than the fee. */
  account_unfunded: exitCode.failed,
  /** At the new API URL of an oracle nobody answers, or somebody else. */
  api_url_refused: exitCode.network,
  /** The Matrix homeserver does not let the messaging bot in, or takes no new one. */
  bot_refused: exitCode.failed,
  /** A file or variable of this computer is not as the command needs it. */
  configuration_invalid: exitCode.configuration,
  /** Something on this computer keeps a devnet from starting: `reason` is `port_taken` or `data_in_use`, where it is one of them. */
  devnet_not_started: exitCode.configuration,
  /** There can be no new project in that folder: something is there, or the disk does not take it. */
  folder_not_usable: exitCode.configuration,
  /** What answers at the address has no USSD gateway, or none that a phone may call. */
  gateway_missing: exitCode.network,
  /** The gateway took longer than a network waits: a phone shows a connection problem, and the session is over. */
  gateway_timeout: exitCode.network,
  /** No Matrix homeserver answers at an address, or none that can be used now. */
  homeserver_unavailable: exitCode.network,
  /** The project is written, but what it needs could not be installed. */
  install_failed: exitCode.failed,
  /** The person left a question with Ctrl-C. */
  interrupted: exitCode.interrupted,
  /** The keystore has a key of that name, or another command put one there meanwhile. */
  key_exists: exitCode.failed,
  /** The keystore has no key of that name. */
  key_missing: exitCode.configuration,
  /** This computer has neither the key of a controller nor a login that lets it act for them. */
  not_signed_in: exitCode.configuration,
  /** The packages of a checkout, or those that are installed, could not be packed. */
  packing_failed: exitCode.failed,
  /** The passphrase does not open the key. */
  passphrase_wrong: exitCode.failed,
  /** The code of the project that the command works in ended before its oracle could tell what it is made of. */
  project_failed: exitCode.configuration,
  /** The command works in an oracle's project, and was called outside of one. */
  project_missing: exitCode.configuration,
  /** A registry does not take what it was sent. */
  registry_refused: exitCode.failed,
  /** No registry answers at an address, or something else than a registry does. */
  registry_unavailable: exitCode.network,
  /** A new oracle may be registered already, and its project is not written yet; the next run goes on from there. */
  scaffold_unfinished: exitCode.failed,
  /** Nobody signed in time. */
  signing_expired: exitCode.failed,
  /** What the phone signed is not what it was asked to sign. */
  signing_invalid: exitCode.failed,
  /** No phone can reach this computer: it is in no network, or cannot listen there. */
  signing_offline: exitCode.network,
  /** The person refused to sign, on the phone or because the two screens showed different numbers. */
  signing_refused: exitCode.failed,
  /** The command was called in a way that it does not know. */
  usage_invalid: exitCode.usage,
  /** The phone has another key than the one that has to sign. */
  signing_wrong_device: exitCode.failed,
})
