import { CommandError, type CommandErrorDetails } from './command-error.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

interface CommandErrorConstructor<Code extends string> {
  (message: string, remedy: string, details?: CommandErrorDetails): CommandError
  is(error: unknown): error is CommandError & { readonly code: Code }
}

interface CommandErrorDefinition {
  readonly exitCode: ExitCode
  /** What happened, for the reference page; a message says more. */
  readonly summary: string
}

/** Defines errors that end a command: a constructor each, under the name that is their code. */
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

/** Errors that end a command, by their codes; each with its exit code. */
export const cliErrors = defineCommandErrors({
  access_refused: {
    exitCode: exitCode.failed,
    summary: 'The oracle does not let the person in, or a delegation does not.',
  },
  account_unfunded: {
    exitCode: exitCode.failed,
    summary: 'The account on a chain is not there yet, or has less than the fee.',
  },
  api_url_refused: { exitCode: exitCode.network, summary: 'At the new API URL nobody answers, or another oracle.' },
  bot_refused: {
    exitCode: exitCode.failed,
    summary: 'The Matrix homeserver does not let the bot in, or takes no new one.',
  },
  configuration_invalid: {
    exitCode: exitCode.configuration,
    summary: 'A file or variable of this computer is not as the command needs it.',
  },
  devnet_not_started: {
    exitCode: exitCode.configuration,
    summary: 'The port, the folder or the data of a devnet cannot be used.',
  },
  folder_not_usable: {
    exitCode: exitCode.configuration,
    summary: 'There can be no new project in that folder: it is not empty, or taken.',
  },
  gateway_missing: { exitCode: exitCode.network, summary: 'What answers has no USSD gateway that a phone may call.' },
  gateway_timeout: { exitCode: exitCode.network, summary: 'The USSD gateway took longer than a network waits.' },
  homeserver_unavailable: {
    exitCode: exitCode.network,
    summary: 'No Matrix homeserver answers at an address, or none that can be used now.',
  },
  install_failed: {
    exitCode: exitCode.failed,
    summary: 'The new project is written; what it needs could not be installed.',
  },
  interrupted: { exitCode: exitCode.interrupted, summary: 'A question was left with Ctrl-C.' },
  key_exists: {
    exitCode: exitCode.failed,
    summary: 'The keystore has a key of that name, or another command was faster.',
  },
  key_missing: { exitCode: exitCode.configuration, summary: 'The keystore has no key of that name.' },
  not_signed_in: {
    exitCode: exitCode.configuration,
    summary: 'This computer can sign neither as the controller nor for them.',
  },
  packing_failed: { exitCode: exitCode.failed, summary: 'The packages of a checkout could not be built or packed.' },
  passphrase_wrong: { exitCode: exitCode.failed, summary: 'The passphrase does not open the key.' },
  project_failed: {
    exitCode: exitCode.configuration,
    summary: 'The code of the project fails before its oracle can tell of itself.',
  },
  project_missing: {
    exitCode: exitCode.configuration,
    summary: "The command works in an oracle's project, and there is none here.",
  },
  registry_refused: { exitCode: exitCode.failed, summary: 'The registry does not take what it was sent.' },
  registry_unavailable: {
    exitCode: exitCode.network,
    summary: 'No registry answers at an address, or not now, or something that is none.',
  },
  scaffold_unfinished: {
    exitCode: exitCode.failed,
    summary: 'A new oracle may be registered, and its project is not written yet.',
  },
  signing_expired: { exitCode: exitCode.failed, summary: 'Nobody signed in time.' },
  signing_invalid: { exitCode: exitCode.failed, summary: 'What the phone signed is not what it was asked to sign.' },
  signing_offline: {
    exitCode: exitCode.network,
    summary: 'No phone can reach this computer: no network, or no port to listen on.',
  },
  signing_refused: {
    exitCode: exitCode.failed,
    summary: 'The person refused to sign, or the screens showed different numbers.',
  },
  usage_invalid: { exitCode: exitCode.usage, summary: 'The command was called in a way that it does not know.' },
  signing_wrong_device: {
    exitCode: exitCode.failed,
    summary: 'The phone has another key than the one that has to sign.',
  },
})
