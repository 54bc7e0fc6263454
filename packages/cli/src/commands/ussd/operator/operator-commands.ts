import { urlOption } from '../../../command/common-options.ts'
import {
  type CommandMaker,
  checkedText,
  defineCommand,
  type OptionsOf,
  wholeNumber,
} from '../../../command/define-command.ts'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { type ContentOf, defineOperation } from '../../../operations/define-operation.ts'
import { cleanLine, safeJson } from '../../../output/clean-text.ts'
import type { CommandIo } from '../../../process/command-io.ts'

const exits = '0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.'

const customersHelp = `For the operator. Set USSD_OPERATOR_TOKEN to the token of the oracle. It is not accepted as an argument, because other users
of the computer could see it. Changes take two steps: the oracle records the operator and the reason, and returns a
confirmation word; the same or another operator confirms with that word. On a terminal the command asks for the word;
otherwise it prints the command of the second step.`

/** Examples of each command. */
const examples = {
  reset: [
    'sibyl ussd customers reset 123456782',
    "sibyl ussd customers reset +260971234567 --reason 'called from the shop'",
    'sibyl ussd customers reset 123456782 --yes --json     for a script',
  ],
  unlock: ['sibyl ussd customers unlock +260971234567', 'printf %s 123456782 | sibyl ussd customers unlock -'],
  erase: ["sibyl ussd customers erase +260971234567 --reason 'asked for by letter'"],
  export: ["sibyl ussd customers export +260971234567 --reason 'asked for by letter' > kept.json"],
  confirm: ['sibyl ussd customers confirm erase 01938f6a-7c1e-4b7a-9c55-3f1d1f1f7a55 <word>'],
  actions: ['sibyl ussd customers actions', 'sibyl ussd customers actions --limit 200 --json'],
  keys: ['sibyl ussd keys'],
} as const

const idOrPhone = { who: { summary: "a customer's ID, or a phone number; - reads it from stdin" } }
const phone = { summary: 'a phone number; - reads it from stdin' }

const options = {
  ...urlOption,
  json: { summary: 'print one JSON object to stdout, also on failure; no questions' },
} as const

const operator = { value: '<name>', summary: 'your name; recorded (default: your account on this computer)' } as const

/** Options of every command that is recorded with a reason. */
const recordedOptions = {
  ...options,
  reason: { value: '<text>', summary: 'why; recorded (default: asked for)' },
  operator,
} as const

export type RecordedOptions = OptionsOf<typeof recordedOptions>

const twoStepOptions = {
  ...recordedOptions,
  yes: { summary: 'confirm at once, without the word, for scripts' },
} as const

export type TwoStepOptions = OptionsOf<typeof twoStepOptions>

const change = async (kind: 'reset' | 'unlock' | 'erase', who: string, options: TwoStepOptions, io: CommandIo) =>
  (await import('./change-customer.ts')).changeCustomer(kind, who, options, io)

const twoStepCommand = (name: 'reset' | 'unlock', summary: string) =>
  defineCommand({
    name,
    summary,
    examples: examples[name],
    exits,
    positionals: idOrPhone,
    options: twoStepOptions,
    run: ({ positionals: { who }, options, io }) => change(name, who, options, io),
  })

const resetCommand = twoStepCommand('reset', 'give a customer a one-time PIN')
const unlockCommand = twoStepCommand('unlock', 'remove the locks after wrong PINs')

const eraseCommand = defineCommand({
  name: 'erase',
  summary: 'erase all data of a phone and its customers',
  examples: examples.erase,
  exits,
  positionals: { who: phone },
  options: recordedOptions,
  run: ({ positionals: { who }, options, io }) => change('erase', who, options, io),
})

const exportCommand = defineOperation({
  name: 'export',
  summary: 'export all data of a phone, as JSON',
  examples: examples.export,
  exits,
  positionals: { phone },
  options: recordedOptions,
  caller: 'ussd operator',
  route: 'POST /api/ussd/customers/exports',
  async input({ positionals, options, io }) {
    const { readNote, readTarget } = await import('./read-note.ts')
    const phoneNumber = await readTarget(positionals.phone, io)
    if (!phoneNumber.startsWith('+'))
      throw cliErrors.usage_invalid('export requires a phone number.', 'Pass a number such as +260971234567.')
    return { body: { phoneNumber, ...(await readNote(options, io)) } }
  },
  response: 'exportedRecords',
  print: (records, { io }) => void io.stdout.write(`${safeJson(records, 2)}\n`),
})

const confirmCommand = defineCommand({
  name: 'confirm',
  summary: 'confirm a recorded request',
  examples: examples.confirm,
  exits,
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
  options: { ...options, operator },
  run: async ({ positionals: { action, id, word }, options, io }) =>
    (await import('./change-customer.ts')).confirmChange(action, { id, word }, options, io),
})

const actionsCommand = defineOperation({
  name: 'actions',
  summary: 'list the requests of operators, newest first',
  examples: examples.actions,
  exits,
  options: {
    ...options,
    limit: {
      value: '<count>',
      parse: wholeNumber('a whole number', 1, 200),
      summary: 'how many, 1 to 200 (default: 20)',
    },
  },
  caller: 'ussd operator',
  route: 'GET /api/ussd/customers/actions',
  input: ({ options: { limit = 20 } }) => ({ query: { limit: String(limit) } }),
  response: 'customerActions',
  print({ actions }, { io }) {
    if (actions.length === 0) io.stderr.write('No operator requests yet.\n')
    for (const action of actions) io.stdout.write(`${formatAction(action)}\n`)
  },
})

const formatAction = (action: ContentOf<'customerActions'>['actions'][number]): string => {
  const { requestedAt, kind, state, operator, confirmedBy, reason = '' } = action
  const { phoneNumber = 'erased', customerId = '' } = action
  const by = confirmedBy === undefined || confirmedBy === operator ? operator : `${operator}, then ${confirmedBy}`
  const when = cleanLine(requestedAt).replace(/\.\d+Z$/, 'Z')
  const whom = cleanLine(`${phoneNumber} ${customerId}`)
  const what = [cleanLine(kind).padEnd(6), cleanLine(state).padEnd(7)]
  return [when, ...what, whom, `by ${cleanLine(by)}`, cleanLine(reason)].join('   ').trimEnd()
}

const customersCommand = defineCommand({
  name: 'customers',
  summary: 'customer support: reset PINs, unlock, export, erase',
  help: customersHelp,
  examples: [
    'sibyl ussd customers reset 123456782           a new PIN for a customer who forgot it',
    'sibyl ussd customers unlock +260971234567      after too many wrong PINs',
    "sibyl ussd customers export +260971234567 --reason 'asked for by letter' > kept.json",
    'sibyl ussd customers erase +260971234567',
    'sibyl ussd customers actions                   list the requests of operators',
  ],
  exits,
  commands: [resetCommand, unlockCommand, eraseCommand, exportCommand, confirmCommand, actionsCommand],
})

const keysCommand = defineOperation({
  name: 'keys',
  summary: 'list the encryption keys in use, and those that can be removed',
  examples: examples.keys,
  exits,
  options,
  caller: 'ussd operator',
  route: 'GET /api/ussd/keys',
  response: 'encryptionKeys',
  print({ keys }, { io }) {
    for (const { id, state, rows } of keys) {
      const used = Object.entries(rows).filter(([, count]) => count > 0)
      const unused = state === 'old' ? 'no longer needed: remove it from PIN_ENCRYPTION_OLD_KEYS' : 'not used yet'
      const tables = used.map(([table, count]) => `${count} in ${cleanLine(table)}`).join(', ') || unused
      io.stdout.write(`${cleanLine(id)}   ${cleanLine(state).padEnd(7)}   ${tables}\n`)
    }
  },
})

/** The operator's commands below `sibyl ussd`. */
export const operatorCommands: readonly CommandMaker[] = [customersCommand, keysCommand]
