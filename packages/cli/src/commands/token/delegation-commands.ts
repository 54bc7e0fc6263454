import { publicKeyFromDid } from '@sibyl/identity'
import { Argument, Command, InvalidArgumentError } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { AcceptOptions } from './accept.ts'
import { addAbility, addJsonOption, addOracleOptions, askingExitCodes, localExitCodes } from './command-options.ts'
import type { GrantOptions } from './grant.ts'
import type { KeptOptions } from './list-delegations.ts'

const grantHelp = `
For a controller of the oracle, one of its ORACLE_CONTROLLERS. The delegation alone goes to stdout. It is no secret: only
the one who is let in can use it. Who was let in can pass it on, no more of it and for no longer.

Examples:
  sibyl token grant did:key:z6Mk... > access.ucan
  sibyl token grant did:key:z6Mk... --days 7 --ability 'chat/*' --ability session/read
  sibyl token revoke - < access.ucan                    take it back

${askingExitCodes}`

const acceptHelp = `
It is kept in the folder of your key when it is for you, holds, has not expired, and is for the oracle at --url, in the
place of the one that you had for this oracle. sibyl chat and sibyl token use it by themselves.

Examples:
  sibyl token accept access.ucan
  sibyl token accept < access.ucan
  sibyl token accept                                    paste it

${askingExitCodes}`

const listHelp = `
Examples:
  sibyl token list
  sibyl token list --json | jq -r '.delegations[].expiresAt'

${localExitCodes}`

const dropHelp = `
Only this computer forgets it; sibyl token revoke takes it back.

Examples:
  sibyl token drop http://localhost:3000

${localExitCodes}`

const whoamiHelp = `
A controller of an oracle needs it for ORACLE_CONTROLLERS, or to let you in. sibyl whoami shows more.

Examples:
  sibyl token whoami

${localExitCodes}`

/**
 * Makes the commands below `token` by which people are let in: grant, accept, list, drop and whoami.
 *
 * @param finish Takes the exit code.
 */
export const delegationCommands = (io: CommandIo, finish: (code: ExitCode) => void): Command[] => [
  addJsonOption(
    addOracleOptions(
      new Command('grant')
        .description('let somebody in, where the oracle talks only with those whom a controller lets in')
        .addArgument(new Argument('<did>', 'whom: what sibyl token whoami shows them').argParser(parseDid))
        .option('--ability <ability>', grantedAbilities, addAbility)
        .option('--days <days>', 'for how long, 1 to 90 (default: 30)', parseDays),
    ),
  )
    .addHelpText('after', grantHelp)
    .action(async (did: string, _options: unknown, command: Command) => {
      const { grantAccess } = await import('./grant.ts')
      finish(await grantAccess(did, command.optsWithGlobals<GrantOptions>(), io))
    }),
  addJsonOption(addOracleOptions(new Command('accept')))
    .description('keep a delegation that lets you in at an oracle')
    .addArgument(new Argument('[file]', 'what holds it, - or nothing for stdin'))
    .addHelpText('after', acceptHelp)
    .action(async (file: string | undefined, _options: unknown, command: Command) => {
      const { acceptDelegation } = await import('./accept.ts')
      finish(await acceptDelegation(file, command.optsWithGlobals<AcceptOptions>(), io))
    }),
  addJsonOption(new Command('list'))
    .description('the delegations that you keep, one an oracle')
    .addHelpText('after', listHelp)
    .action(async (_options: unknown, command: Command) => {
      const { listDelegations } = await import('./list-delegations.ts')
      finish(await listDelegations(command.optsWithGlobals<KeptOptions>(), io))
    }),
  addJsonOption(new Command('drop'))
    .description('keep the delegation for an oracle no longer')
    .addHelpText('after', dropHelp)
    .addArgument(new Argument('<oracle>', 'its address or DID, as sibyl token list shows them'))
    .action(async (oracle: string, _options: unknown, command: Command) => {
      const { dropDelegation } = await import('./drop-delegation.ts')
      finish(await dropDelegation(oracle, command.optsWithGlobals<KeptOptions>(), io))
    }),
  addJsonOption(new Command('whoami'))
    .description('your DID, alone on stdout')
    .addHelpText('after', whoamiHelp)
    .action(async (_options: unknown, command: Command) => {
      const { showDid } = await import('./show-did.ts')
      finish(await showDid(command.optsWithGlobals<KeptOptions>(), io))
    }),
]

const grantedAbilities =
  'what they may do, may be repeated (default: chat/*, session/*, auth/token and delegation/*, or all that you were given)'

const parseDid = (value: string): string => {
  if (publicKeyFromDid(value) === undefined)
    throw new InvalidArgumentError('Expected a DID that begins with did:key:z6Mk.')
  return value
}

const parseDays = (value: string): number => {
  const days = Number(value)
  if (!/^\d{1,2}$/.test(value) || days < 1 || days > 90) {
    throw new InvalidArgumentError('Expected whole days from 1 to 90.')
  }
  return days
}
