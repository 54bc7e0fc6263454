import { type CommandMaker, checkedText, defineCommand } from '../../../command/define-command.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import type { ActionKind } from './action-kinds.ts'
import {
  actionsOptions,
  confirmOptions,
  operatorOptions,
  recordedOptions,
  type TwoStepOptions,
  twoStepOptions,
} from './operator-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.'

const customersHelp = `
For the operator. Set USSD_OPERATOR_TOKEN to the token of the oracle. It is not accepted as an argument, because other users
of the computer could see it. Changes take two steps: the oracle records the operator and the reason, and returns a
confirmation word; the same or another operator confirms with that word. On a terminal the command asks for the word;
otherwise it prints the command of the second step.

Examples:
  sibyl ussd customers reset 123456782           a new PIN for a customer who forgot it
  sibyl ussd customers unlock +260971234567      after too many wrong PINs
  sibyl ussd customers export +260971234567 --reason 'asked for by letter' > kept.json
  sibyl ussd customers erase +260971234567
  sibyl ussd customers actions                   list the requests of operators

${exitCodes}`

/** Examples of each command. */
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

const idOrPhone = { who: { summary: "a customer's ID, or a phone number; - reads it from stdin" } }
const phone = { summary: 'a phone number; - reads it from stdin' }

const change = async (kind: ActionKind, who: string, options: TwoStepOptions, io: CommandIo) =>
  (await import('./change-customer.ts')).changeCustomer(kind, who, options, io)

const resetCommand = defineCommand({
  name: 'reset',
  summary: 'give a customer a one-time PIN',
  help: helpOf('reset'),
  positionals: idOrPhone,
  options: twoStepOptions,
  run: ({ positionals: { who }, options, io }) => change('reset', who, options, io),
})

const unlockCommand = defineCommand({
  name: 'unlock',
  summary: 'remove the locks after wrong PINs',
  help: helpOf('unlock'),
  positionals: idOrPhone,
  options: twoStepOptions,
  run: ({ positionals: { who }, options, io }) => change('unlock', who, options, io),
})

const eraseCommand = defineCommand({
  name: 'erase',
  summary: 'erase all data of a phone and its customers',
  help: helpOf('erase'),
  positionals: { who: phone },
  options: recordedOptions,
  run: ({ positionals: { who }, options, io }) => change('erase', who, options, io),
})

const exportCommand = defineCommand({
  name: 'export',
  summary: 'export all data of a phone, as JSON',
  help: helpOf('export'),
  positionals: { phone },
  options: recordedOptions,
  run: async ({ positionals: { phone }, options, io }) =>
    (await import('./export-customer.ts')).exportCustomer(phone, options, io),
})

const confirmCommand = defineCommand({
  name: 'confirm',
  summary: 'confirm a recorded request',
  help: helpOf('confirm'),
  positionals: {
    action: { choices: ['reset', 'unlock', 'erase'], summary: 'the requested action' },
    id: {
      summary: 'the ID of the request',
      parse: checkedText(
        text => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text),
        'the ID that the request returned.',
      ),
    },
    word: { summary: 'the confirmation word of the request' },
  },
  options: confirmOptions,
  run: async ({ positionals: { action, id, word }, options, io }) =>
    (await import('./change-customer.ts')).confirmAction(action, { id, word }, options, io),
})

const actionsCommand = defineCommand({
  name: 'actions',
  summary: 'list the requests of operators, newest first',
  help: helpOf('actions'),
  options: actionsOptions,
  run: async ({ options, io }) => (await import('./list-actions.ts')).listActions(options, io),
})

const customersCommand = defineCommand({
  name: 'customers',
  summary: 'customer support: reset PINs, unlock, export, erase',
  help: customersHelp,
  commands: [resetCommand, unlockCommand, eraseCommand, exportCommand, confirmCommand, actionsCommand],
})

const keysCommand = defineCommand({
  name: 'keys',
  summary: 'list the encryption keys in use, and those that can be removed',
  help: helpOf('keys'),
  options: operatorOptions,
  run: async ({ options, io }) => (await import('./list-actions.ts')).listKeys(options, io),
})

/** The operator's commands below `sibyl ussd`. */
export const operatorCommands: readonly CommandMaker[] = [customersCommand, keysCommand]
