import { Argument, Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { oracleUrlOption } from '../oracle-url-option.ts'
import type { CreditsOptions } from './credits-options.ts'

const exitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network.'

const help = `
For the operator of an oracle with the credits plugin: ORACLE_OPERATOR_TOKEN must be what it is at the oracle. It is never an
argument, where others on the computer could see it.

Examples:
  sibyl credits grant did:key:z6Mk… 100

${exitCodes}`

const grantHelp = `
The person sees the reason in their account. With --id, a call that is repeated makes one grant.

Examples:
  sibyl credits grant did:key:z6Mk… 100
  sibyl credits grant did:key:z6Mk… 2.5 --reason "Invoice 42" --id invoice-42
  sibyl credits grant did:key:z6Mk… -- -5          takes 5 back

${exitCodes}`

/**
 * Creates the command `credits`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const creditsCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('credits')
    .description('grant credits to the users of an oracle')
    .helpCommand(false)
    .addHelpText('after', help)
    .addCommand(
      new Command('grant')
        .description('give credits to a person, or take them back')
        .addArgument(new Argument('<did>', 'the DID of the person'))
        .addArgument(new Argument('<amount>', 'credits, with up to 6 decimals'))
        .option('--reason <text>', 'why; the person sees it', 'Granted by the operator')
        .option('--id <id>', 'the same for calls that make one grant')
        .addOption(oracleUrlOption())
        .option('--json', 'one JSON object on stdout, also where it fails')
        .addHelpText('after', grantHelp)
        .action(async (did: string, amount: string, options: CreditsOptions) => {
          const { grantCredits } = await import('./grant-credits.ts')
          finish(await grantCredits(did, amount, options, io))
        }),
    )
