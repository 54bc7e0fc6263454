import { CommandError, type CommandErrorDetails } from './command-error.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

interface CommandErrorConstructor<Code extends string> {
  (message: string, remedy: string, details?: CommandErrorDetails): CommandError
  is(error: unknown): error is CommandError & { readonly code: Code }
}

/** The exit code, and the meaning for the reference page; a message has more details. */
type CommandErrorDefinition = readonly [ExitCode, summary: string]

/** Defines errors that end a command: a constructor each, named by its code. */
const defineCommandErrors = <Code extends string>(
  definitions: Readonly<Record<Code, CommandErrorDefinition>>,
): { readonly [Name in Code]: CommandErrorConstructor<Name> } => {
  const constructors = Object.entries<CommandErrorDefinition>(definitions).map(([code, [exitCode]]) => [
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
  access_refused: [exitCode.failed, 'The oracle or a delegation does not allow the user to do this.'],
  account_unfunded: [exitCode.failed, 'The account on a chain does not exist yet, or has less than the fee.'],
  api_url_refused: [exitCode.network, 'The new API URL does not respond, or belongs to another oracle.'],
  backup_failed: [exitCode.failed, 'A backup was not made, verified or restored; earlier backups are unchanged.'],
  bot_refused: [exitCode.failed, 'The Matrix homeserver rejects the bot, or does not register a new one.'],
  configuration_invalid: [exitCode.configuration, 'A file or variable on this computer is missing or invalid.'],
  devnet_not_started: [exitCode.configuration, 'The port, the folder or the data of a devnet cannot be used.'],
  folder_not_usable: [
    exitCode.configuration,
    'A project cannot be created in that folder: it is not empty, or in use.',
  ],
  gateway_missing: [exitCode.network, 'The server does not have a USSD gateway that a phone may call.'],
  gateway_timeout: [exitCode.network, 'The USSD gateway exceeded the timeout of the network.'],
  homeserver_unavailable: [
    exitCode.network,
    'The address is not a Matrix homeserver, or the homeserver is unavailable.',
  ],
  install_failed: [exitCode.failed, 'The dependencies of a project could not be installed.'],
  interrupted: [exitCode.interrupted, 'A question was canceled with Ctrl-C.'],
  key_exists: [exitCode.failed, 'The keystore already has a key with that name.'],
  key_missing: [exitCode.configuration, 'The keystore has no key with that name.'],
  move_failed: [exitCode.failed, 'The database was not moved; the source is unchanged.'],
  not_signed_in: [exitCode.configuration, 'This computer can sign neither as the controller nor for it.'],
  packing_failed: [exitCode.failed, 'The packages of a checkout could not be built or packed.'],
  passphrase_wrong: [exitCode.failed, 'The passphrase does not decrypt the key.'],
  project_failed: [exitCode.configuration, 'The code of the project fails before its oracle can be inspected.'],
  project_missing: [
    exitCode.configuration,
    'The command requires a project of an oracle, which this folder does not have.',
  ],
  registry_refused: [exitCode.failed, 'The registry rejects the input.'],
  registry_unavailable: [exitCode.network, 'No registry responds at the address, or the server is not a registry.'],
  scaffold_unfinished: [exitCode.failed, 'A new oracle may be registered, but its project is not written yet.'],
  signing_expired: [exitCode.failed, 'No phone signed in time.'],
  signing_invalid: [exitCode.failed, 'The phone signed something other than what was requested.'],
  signing_offline: [exitCode.network, 'No phone can reach this computer: no network, or no free port.'],
  signing_refused: [exitCode.failed, 'The user refused to sign, or the screens showed different numbers.'],
  storage_unreadable: [exitCode.failed, 'The tables of the database could not be read.'],
  upgrade_failed: [exitCode.failed, 'The check or the tests of a project fail with its new packages.'],
  usage_invalid: [exitCode.usage, 'The arguments of the command are invalid.'],
  signing_wrong_device: [exitCode.failed, 'The phone has another key than the required one.'],
})
