import { Argument, Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { oracleUrlOption } from '../oracle-url-option.ts'
import type { PeopleOptions } from './people-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.'

const help = `
For the operator: ORACLE_OPERATOR_TOKEN must be what it is at the oracle. It is never an argument, where others on the computer
could see it. A person is named by their DID or, for a phone, by its number.

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
Ends what runs for the person and erases their data in core and in all plugins. Books, signed histories and credentials stay
without what names the person. Where a part fails, the command says which; run it again for the rest.

Examples:
  sibyl people erase did:key:z6Mk…
  sibyl people erase +260971234567 --yes

${exitCodes}`,
} as const

/**
 * Creates the command `people`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const peopleCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('people')
    .description('export or erase what an oracle stores of a person')
    .helpCommand(false)
    .addHelpText('after', help)
    .addCommand(
      personCommand('export', 'print all that is stored of a person, as JSON').action(
        async (person: string, options: PeopleOptions) => {
          const { exportPerson } = await import('./export-person.ts')
          finish(await exportPerson(person, options, io))
        },
      ),
    )
    .addCommand(
      personCommand('erase', 'erase all that is stored of a person, for good')
        .option('--yes', 'erase without a question')
        .action(async (person: string, options: PeopleOptions) => {
          const { erasePerson } = await import('./erase-person.ts')
          finish(await erasePerson(person, options, io))
        }),
    )

const personCommand = (name: 'export' | 'erase', description: string): Command =>
  new Command(name)
    .description(description)
    .addArgument(new Argument('<person>', 'a DID, or a phone number; - reads it from stdin'))
    .addOption(oracleUrlOption())
    .option('--json', 'one JSON object on stdout, also where it fails')
    .addHelpText('after', helpOf[name])
