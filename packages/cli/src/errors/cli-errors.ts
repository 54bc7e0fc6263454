import { CommandError, type CommandErrorDetails } from './command-error.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

interface CommandErrorConstructor<Code extends string> {
  (message: string, remedy: string, details?: CommandErrorDetails): CommandError
  is(error: unknown): error is CommandError & { readonly code: Code }
}

interface CommandErrorDefinition {
  readonly exitCode: ExitCode
  /** The meaning, for the reference page; a message has more details. */
  readonly summary: string
}

/** Defines errors that end a command: a constructor each, named by its code. */
const defineCommandErrors = <Code extends string>(
  definitions: Readonly<Record<Code, CommandErrorDefinition>>,
): { readonly [Name in Code]: CommandErrorConstructor<Name> } => {
  const constructors = Object.entries<CommandErrorDefinition>(definitions).map(([code, { exitCode }]) => [
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

/** Errors that end a command, by code; each with its exit code. */
export const cliErrors = defineCommandErrors({
  access_refused: {
    exitCode: exitCode.failed,
    summary: 'The oracle or a delegation does not allow the user to do this.',
  },
  account_unfunded: {
    exitCode: exitCode.failed,
    summary: 'The account on a chain does not exist yet, or has less than the fee.',
  },
  api_url_refused: {
    exitCode: exitCode.network,
    summary: 'The new API URL does not respond, or belongs to another oracle.',
  },
  bot_refused: {
    exitCode: exitCode.failed,
    summary: 'The Matrix homeserver rejects the bot, or does not register a new one.',
  },
  configuration_invalid: {
    exitCode: exitCode.configuration,
    summary: 'A file or variable on this computer is missing or invalid.',
  },
  devnet_not_started: {
    exitCode: exitCode.configuration,
    summary: 'The port, the folder or the data of a devnet cannot be used.',
  },
  folder_not_usable: {
    exitCode: exitCode.configuration,
    summary: 'A project cannot be created in that folder: it is not empty, or in use.',
  },
  gateway_missing: {
    exitCode: exitCode.network,
    summary: 'The server does not have a USSD gateway that a phone may call.',
  },
  gateway_timeout: { exitCode: exitCode.network, summary: 'The USSD gateway exceeded the timeout of the network.' },
  homeserver_unavailable: {
    exitCode: exitCode.network,
    summary: 'The address is not a Matrix homeserver, or the homeserver is unavailable.',
  },
  install_failed: {
    exitCode: exitCode.failed,
    summary: 'The dependencies of a project could not be installed.',
  },
  interrupted: { exitCode: exitCode.interrupted, summary: 'A question was canceled with Ctrl-C.' },
  key_exists: {
    exitCode: exitCode.failed,
    summary: 'The keystore already has a key with that name.',
  },
  key_missing: { exitCode: exitCode.configuration, summary: 'The keystore has no key with that name.' },
  move_failed: { exitCode: exitCode.failed, summary: 'The database was not moved; the source is unchanged.' },
  not_signed_in: {
    exitCode: exitCode.configuration,
    summary: 'This computer can sign neither as the controller nor for it.',
  },
  packing_failed: { exitCode: exitCode.failed, summary: 'The packages of a checkout could not be built or packed.' },
  passphrase_wrong: { exitCode: exitCode.failed, summary: 'The passphrase does not decrypt the key.' },
  project_failed: {
    exitCode: exitCode.configuration,
    summary: 'The code of the project fails before its oracle can be inspected.',
  },
  project_missing: {
    exitCode: exitCode.configuration,
    summary: 'The command requires a project of an oracle, which this folder does not have.',
  },
  registry_refused: { exitCode: exitCode.failed, summary: 'The registry rejects the input.' },
  registry_unavailable: {
    exitCode: exitCode.network,
    summary: 'No registry responds at the address, or the server is not a registry.',
  },
  scaffold_unfinished: {
    exitCode: exitCode.failed,
    summary: 'A new oracle may be registered, but its project is not written yet.',
  },
  signing_expired: { exitCode: exitCode.failed, summary: 'No phone signed in time.' },
  signing_invalid: { exitCode: exitCode.failed, summary: 'The phone signed something other than what was requested.' },
  signing_offline: {
    exitCode: exitCode.network,
    summary: 'No phone can reach this computer: no network, or no free port.',
  },
  signing_refused: {
    exitCode: exitCode.failed,
    summary: 'The user refused to sign, or the screens showed different numbers.',
  },
  upgrade_failed: {
    exitCode: exitCode.failed,
    summary: 'The check or the tests of a project fail with its new packages.',
  },
  usage_invalid: { exitCode: exitCode.usage, summary: 'The arguments of the command are invalid.' },
  signing_wrong_device: {
    exitCode: exitCode.failed,
    summary: 'The phone has another key than the required one.',
  },
})
