import { readPhoneNumber } from '@sibyl/plugin/phones'
import { didText } from '@sibyl/protocol'
import { mayAsk } from '../../ask/asker.ts'
import { jsonOption, urlOption } from '../../command/common-options.ts'
import { defineCommand } from '../../command/define-command.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { defineOperation } from '../../operations/define-operation.ts'
import type { Caller } from '../../operations/open-caller.ts'
import { cleanLine, safeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { readLine } from '../../process/read-line.ts'

const exitCodes = '0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.'

const help = `For the operator. The operator token is read from the .env of the project; elsewhere, set ORACLE_OPERATOR_TOKEN. It is not
accepted as an argument, because other users of the computer could see it. A person is identified by a DID or a phone number.`

const eraseHelp = `Stops everything that runs for the person and erases their data in core and in all plugins. Ledgers, signed histories and
credentials stay, without the identity of the person. If a part fails, the command names it; run the command again.`

const positionals = { person: { summary: 'a DID, or a phone number; - reads it from stdin' } }

/**
 * Reads the person of a command: a DID or a phone number.
 *
 * @param given `-` reads the first line of stdin.
 * @throws `usage_invalid` when it is neither
 */
const readPerson = async (given: string, io: CommandIo): Promise<string> => {
  const text = (given === '-' ? await readLine(io) : given).trim()
  const person = readPhoneNumber(text) ?? didText.safeParse(text).data
  if (person !== undefined) return person
  throw cliErrors.usage_invalid('That is neither a DID nor a phone number.', 'Give did:key:z6Mk… or +260971234567.')
}

/** Returns the DID of a person. A phone number is sent in a body: URLs are logged. */
const didOf = async (person: string, caller: Caller): Promise<string> => {
  if (!person.startsWith('+')) return person
  const found = await caller.call('POST /operator/people/find', { body: { address: person } })
  const { responses } = await import('../../operations/responses.ts')
  const { did } = responses.foundPeople.parse(found)
  if (did !== undefined) return did
  throw cliErrors.configuration_invalid(
    'This oracle has no signing key, so that its phones have no DID.',
    'Set ORACLE_MNEMONIC.',
  )
}

const exportCommand = defineOperation({
  name: 'export',
  summary: 'print the stored data of a person, as JSON',
  examples: ['sibyl people export did:key:z6Mk… > stored.json', 'sibyl people export +260971234567'],
  exits: exitCodes,
  positionals,
  options: { ...urlOption, ...jsonOption },
  caller: 'operator',
  route: 'GET /people/{person}/export',
  input: async ({ positionals, io }, caller) => ({
    params: { person: await didOf(await readPerson(positionals.person, io), caller) },
  }),
  response: 'exportedRecords',
  print: (records, { io }) => void io.stdout.write(`${safeJson(records, 2)}\n`),
})

const eraseCommand = defineOperation({
  name: 'erase',
  summary: 'erase the stored data of a person permanently',
  help: eraseHelp,
  examples: ['sibyl people erase did:key:z6Mk…', 'sibyl people erase +260971234567 --yes'],
  exits: exitCodes,
  positionals,
  options: { ...urlOption, ...jsonOption, yes: { summary: 'skip the confirmation' } },
  caller: 'operator',
  route: 'DELETE /people/{person}',
  async input({ positionals, options, io }, caller) {
    const person = await readPerson(positionals.person, io)
    if (!options.yes) await confirmErasure(person, options, io)
    return { params: { person: await didOf(person, caller) } }
  },
  response: 'noContent',
  json: () => ({ erased: true }),
  print: (_, { io }) => void io.stderr.write('Erased.\n'),
})

const holdCommand = defineOperation({
  name: 'hold',
  summary: 'keep the data of a person from retention and erasure',
  help: 'The hold is recorded with its reason and the operator, also after its release.',
  examples: ["sibyl people hold did:key:z6Mk… --reason 'Case 12 of the court'"],
  exits: exitCodes,
  positionals,
  options: { ...urlOption, ...jsonOption, reason: { value: '<text>', summary: 'why the data must stay' } },
  caller: 'operator',
  route: 'PUT /people/{person}/hold',
  async input({ positionals, options: { reason }, io }, caller) {
    if (reason === undefined) throw cliErrors.usage_invalid('A hold needs a reason.', 'Give --reason.')
    return { params: { person: await didOf(await readPerson(positionals.person, io), caller) }, body: { reason } }
  },
  response: 'hold',
  print: ({ reason, heldAt }, { io }) => void io.stdout.write(`Held since ${heldAt}: ${cleanLine(reason)}\n`),
})

const releaseCommand = defineOperation({
  name: 'release',
  summary: 'release the hold of a person',
  examples: ['sibyl people release did:key:z6Mk…'],
  exits: exitCodes,
  positionals,
  options: { ...urlOption, ...jsonOption },
  caller: 'operator',
  route: 'DELETE /people/{person}/hold',
  input: async ({ positionals, io }, caller) => ({
    params: { person: await didOf(await readPerson(positionals.person, io), caller) },
  }),
  response: 'noContent',
  json: () => ({ released: true }),
  print: (_, { io }) => void io.stderr.write('Released.\n'),
})

/** @throws `usage_invalid` without a terminal, `interrupted` when the user cancels */
const confirmErasure = async (person: string, options: { readonly json?: boolean }, io: CommandIo): Promise<void> => {
  if (!mayAsk(io, options))
    throw cliErrors.usage_invalid('Erasing needs a confirmation, and there is no terminal for it.', 'Give --yes.')
  const { clackAsker } = await import('../../ask/clack-asker.ts')
  await clackAsker(io, io.stdout, false).text(
    `All stored data of ${cleanLine(person)} is erased permanently. Type erase to confirm.`,
    { check: answer => (answer.trim() === 'erase' ? undefined : 'Ctrl-C changes nothing.') },
  )
}

export const peopleCommand = defineCommand({
  name: 'people',
  summary: 'export, erase or hold the data that an oracle stores of a person',
  help,
  examples: [
    'sibyl people export did:key:z6Mk… > stored.json',
    'sibyl people export +260971234567',
    'sibyl people erase did:key:z6Mk…',
    'sibyl people erase - --yes < did.txt         for a script',
  ],
  exits: exitCodes,
  commands: [exportCommand, eraseCommand, holdCommand, releaseCommand],
})
