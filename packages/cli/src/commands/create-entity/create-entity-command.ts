import { Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { addNamedValue, addRegistryFlags, addService, parseIdempotencyKey } from '../../registry/registry-flags.ts'
import type { CreateEntityOptions } from './create-entity-options.ts'

const help = `
A value that is JSON is taken as such: 800, true, null, '{"lat": 1.2}', '"800"' for a text of digits; all else is a text.
In an oracle's folder it signs with the oracle's mnemonic; elsewhere with your login (sibyl login) or your own key.

Examples:
  sibyl create-entity --type CookStove --property serial=A-17 --property watts=800
  sibyl create-entity --type CookStove --protocol did:web:… --relationship partOf=did:web:…
  sibyl create-entity --oracle --dry-run                what an oracle's project says of it
  sibyl create-entity --file stove.json --dry-run       see what would be sent
  sibyl create-entity --file - --json < stove.json      for scripts

Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.`

/**
 * Makes the command `create-entity`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const createEntityCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  addRegistryFlags(
    new Command('create-entity')
      .description('register an entity: a device, a project, a protocol …')
      .option('--type <type>', 'what it is: CookStove, Organisation, Protocol …')
      .option('--oracle', 'the oracle of this folder; its entity goes into oracle.config.json')
      .option('--protocol <did>', 'the protocol that it follows')
      .option('--property <name=value>', 'a property, may be repeated', addNamedValue)
      .option('--service <id=type=url>', 'where it can be reached, may be repeated', addService)
      .option('--relationship <name=did>', 'another entity that it is related to, may be repeated', addNamedValue)
      .option('--controller <did>', 'whom to offer it to, who controls it after accepting (default: you keep it)')
      .option('--file <path>', 'read it as JSON from a file, - for stdin; the options above go before it')
      .option(
        '--idempotency-key <key>',
        'with the same key and entity again, for a day, no second one is made',
        parseIdempotencyKey,
      )
      .option('--dry-run', 'show what would be sent, and send nothing'),
  )
    .addHelpText('after', help)
    .action(async (options: CreateEntityOptions) => {
      const { createEntity } = await import('./create-entity.ts')
      finish(await createEntity(options, io))
    })
