import { Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { addNamedValue, addRegistryFlags, addService, addText } from '../../registry/registry-flags.ts'
import type { UpdateEntityOptions } from './update-entity-options.ts'

const help = `
Reads the entity, shows what was and what will be, and changes it as its controller: with the mnemonic of the oracle's
folder, a login (sibyl login) or your own key, whichever is the controller's.
A value that is JSON is taken as such: 800, true, '"800"' for a text of digits, null to remove; all else is a text.
On a chain the account that registered an entity owns it, and can change it whoever is named as its controller.

Examples:
  sibyl update-entity did:web:… --set serial=A-18 --set watts=900
  sibyl update-entity did:web:… --unset fuel --unset '#readings'      remove a property and a service
  sibyl update-entity did:web:… --service readings=Telemetry=https://example.org/readings
  sibyl update-entity did:web:… --file patch.json --dry-run            a JSON Merge Patch; see what would be sent
  sibyl update-entity did:web:… --controller did:key:…                 offer it; that DID accepts with the same command
  sibyl update-entity did:web:… --deactivate                           take it out of use, for ever

Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network, 130 interrupted.`

/**
 * Makes the command `update-entity`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const updateEntityCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  addRegistryFlags(
    new Command('update-entity')
      .description('change an entity, or take it out of use')
      .argument('<did>', 'the entity')
      .option('--set <name=value>', 'set a property, may be repeated', addNamedValue)
      .option('--unset <name>', 'remove a property, or a service by its #id, may be repeated', addText)
      .option('--service <id=type=url>', 'add or replace a service, may be repeated', addService)
      .option('--controller <did>', 'offer it to this DID, or accept it as this DID')
      .option('--file <path>', 'read a patch as JSON from a file, - for stdin; the options above go before it')
      .option('--deactivate', 'take it out of use; it stays readable and never changes again')
      .option('--yes', 'do not ask before what cannot be undone')
      .option('--dry-run', 'read the entity and show what would be sent, and change nothing'),
  )
    .addHelpText('after', help)
    .action(async (did: string, options: UpdateEntityOptions) => {
      const { updateEntity } = await import('./update-entity.ts')
      finish(await updateEntity(did, options, io))
    })
