import { jsonOption, urlOption } from '../../command/common-options.ts'
import { defineCommand } from '../../command/define-command.ts'
import { eraseOptions } from './people-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.'

const help = `
For the operator. The operator token is read from the .env of the project; elsewhere, set ORACLE_OPERATOR_TOKEN. It is not
accepted as an argument, because other users of the computer could see it. A person is identified by a DID or a phone number.

Examples:
  sibyl people export did:key:z6Mk… > stored.json
  sibyl people export +260971234567
  sibyl people erase did:key:z6Mk…
  sibyl people erase - --yes < did.txt         for a script

${exitCodes}`

const helpOf = {
  export: `
Examples:
  sibyl people export did:key:z6Mk… > stored.json
  sibyl people export +260971234567

${exitCodes}`,
  erase: `
Stops everything that runs for the person and erases their data in core and in all plugins. Ledgers, signed histories and
credentials stay, without the identity of the person. If a part fails, the command names it; run the command again.

Examples:
  sibyl people erase did:key:z6Mk…
  sibyl people erase +260971234567 --yes

${exitCodes}`,
} as const

const positionals = { person: { summary: 'a DID, or a phone number; - reads it from stdin' } }

const exportCommand = defineCommand({
  name: 'export',
  summary: 'print the stored data of a person, as JSON',
  help: helpOf.export,
  positionals,
  options: { ...urlOption, ...jsonOption },
  run: async ({ positionals: { person }, options, io }) =>
    (await import('./erase-person.ts')).exportPerson(person, options, io),
})

const eraseCommand = defineCommand({
  name: 'erase',
  summary: 'erase the stored data of a person permanently',
  help: helpOf.erase,
  positionals,
  options: eraseOptions,
  run: async ({ positionals: { person }, options, io }) =>
    (await import('./erase-person.ts')).erasePerson(person, options, io),
})

export const peopleCommand = defineCommand({
  name: 'people',
  summary: 'export or erase the data that an oracle stores of a person',
  help,
  commands: [exportCommand, eraseCommand],
})
