import { Argument, Command, InvalidArgumentError } from 'commander'
import type { CommandIo } from '../../../command-io.ts'
import type { ExitCode } from '../../../exit-code.ts'
import { oracleUrlOption } from '../../oracle-url-option.ts'
import type { ActionKind } from './action-kinds.ts'
import type { ActionsOptions } from './list-actions.ts'
import type { OperatorOptions, RecordedOptions, TwoStepOptions } from './operator-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.'

const customersHelp = `
For the operator: USSD_OPERATOR_TOKEN must be what it is at the oracle. It is never an argument, where others on the computer
could see it. What changes something takes two steps: the oracle records who asks and why, and gives a word, and with that
word it is done, by the same operator or another one. On a terminal the word is asked for; elsewhere the command for the
second step is printed.

Examples:
  sibyl ussd customers reset 123456782           a new PIN for somebody who forgot it
  sibyl ussd customers unlock +260971234567      after too many wrong PINs
  sibyl ussd customers export +260971234567 --reason 'asked for by letter' > kept.json
  sibyl ussd customers erase +260971234567
  sibyl ussd customers actions                   who did what, and why

${exitCodes}`

/** What each command is for, by an example or two. */
const examples = {
  reset: `sibyl ussd customers reset 123456782
  sibyl ussd customers reset +260971234567 --reason 'called from the shop'
  sibyl ussd customers reset 123456782 --yes --json     for a script`,
  unlock: `sibyl ussd customers unlock +260971234567
  printf %s 123456782 | sibyl ussd customers unlock -`,
  erase: "sibyl ussd customers erase +260971234567 --reason 'asked for by letter'",
  export: "sibyl ussd customers export +260971234567 --reason 'asked for by letter' > kept.json",
  confirm: 'sibyl ussd customers confirm erase 01938f6a-7c1e-4b7a-9c55-3f1d1f1f7a55 <word>',
  actions: `sibyl ussd customers actions
  sibyl ussd customers actions --limit 200 --json`,
  keys: 'sibyl ussd keys',
} as const

const helpOf = (name: keyof typeof examples): string => `\nExamples:\n  ${examples[name]}\n\n${exitCodes}`

/**
 * Makes the commands below `ussd` that are the operator's: customers and keys.
 *
 * @param finish Takes the exit code.
 */
export const operatorCommands = (io: CommandIo, finish: (code: ExitCode) => void): Command[] => {
  const twoSteps = (kind: ActionKind, words: string, who: string) =>
    addRecordedOptions(new Command(kind))
      .description(words)
      .addArgument(new Argument('<who>', `${who}; - reads it from stdin`))
      .addHelpText('after', helpOf(kind))
      .action(async (who: string, _options: unknown, command: Command) => {
        const { changeCustomer } = await import('./change-customer.ts')
        finish(await changeCustomer(kind, who, command.optsWithGlobals<TwoStepOptions>(), io))
      })
  const yes = 'confirm it at once, without the word, for scripts'
  const customers = new Command('customers')
    .description('a new PIN for a customer, unlock, export, erase')
    .helpCommand(false)
    .addHelpText('after', customersHelp)
    .addCommand(twoSteps('reset', 'give a customer a one-time PIN', idOrPhone).option('--yes', yes))
    .addCommand(twoSteps('unlock', 'lift the locks that wrong PINs left', idOrPhone).option('--yes', yes))
    .addCommand(twoSteps('erase', 'erase all that is kept of a phone, its customers among it', phone))
    .addCommand(
      addRecordedOptions(new Command('export'))
        .description('all that is kept of a phone, as JSON')
        .addArgument(new Argument('<phone>', `${phone}; - reads it from stdin`))
        .addHelpText('after', helpOf('export'))
        .action(async (target: string, _options: unknown, command: Command) => {
          const { exportCustomer } = await import('./export-customer.ts')
          finish(await exportCustomer(target, command.optsWithGlobals<RecordedOptions>(), io))
        }),
    )
    .addCommand(confirmCommand(io, finish))
    .addCommand(
      addUrl(new Command('actions'))
        .description('what operators asked for, the latest first')
        .option('--limit <count>', 'how many, 1 to 200 (default: 20)', parseLimit)
        .addHelpText('after', helpOf('actions'))
        .action(async (_options: unknown, command: Command) => {
          const { listActions } = await import('./list-actions.ts')
          finish(await listActions(command.optsWithGlobals<ActionsOptions>(), io))
        }),
    )
  const keys = addUrl(new Command('keys'))
    .description('which keys seal what is kept, and which can go')
    .addHelpText('after', helpOf('keys'))
    .action(async (_options: unknown, command: Command) => {
      const { listKeys } = await import('./list-keys.ts')
      finish(await listKeys(command.optsWithGlobals<OperatorOptions>(), io))
    })
  return [customers, keys]
}

const idOrPhone = "a customer's ID, or a phone number"
const phone = 'a phone number'

const confirmCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  addUrl(new Command('confirm'))
    .description('the second step, where it is not taken at once')
    .addArgument(new Argument('<action>', 'what was asked for').choices(['reset', 'unlock', 'erase']))
    .addArgument(new Argument('<id>', 'of the request').argParser(parseId))
    .addArgument(new Argument('<word>', 'that the request was answered with'))
    .option('--operator <name>', operatorWords)
    .addHelpText('after', helpOf('confirm'))
    .action(async (kind: ActionKind, id: string, word: string, _options: unknown, command: Command) => {
      const { confirmAction } = await import('./confirm-action.ts')
      finish(await confirmAction(kind, { id, word }, command.optsWithGlobals<RecordedOptions>(), io))
    })

const operatorWords = 'who asks; recorded (default: your account on this computer)'

const addUrl = (command: Command): Command =>
  command
    .addOption(oracleUrlOption())
    .option('--json', 'one JSON object on stdout, also where it fails; nothing is asked')

const addRecordedOptions = (command: Command): Command =>
  addUrl(command)
    .option('--reason <text>', 'why; recorded (default: asked for)')
    .option('--operator <name>', operatorWords)

const parseLimit = (value: string): number => {
  if (!/^\d{1,3}$/.test(value) || Number(value) < 1 || Number(value) > 200) {
    throw new InvalidArgumentError('Expected a whole number from 1 to 200.')
  }
  return Number(value)
}

const parseId = (value: string): string => {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)) {
    throw new InvalidArgumentError('Expected the ID that the request was answered with.')
  }
  return value
}
