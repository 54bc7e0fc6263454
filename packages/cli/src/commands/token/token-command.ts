import { Argument, Command, InvalidArgumentError } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { addAbility, addJsonOption, addOracleOptions, askingExitCodes } from './command-options.ts'
import { delegationCommands } from './delegation-commands.ts'
import type { RevokeOptions } from './revoke-token.ts'
import type { TokenOptions } from './token.ts'

const help = `
The token alone goes to stdout, so that scripts can take it. An invocation is good for one request, except that GET may
repeat it; a bearer is good for any number until it ends or is revoked.

Examples:
  curl -H "Authorization: Bearer $(sibyl token)" http://localhost:3000/sessions
  sibyl token --ability session/read --lifetime 30      an invocation that may only read, for 30 s
  sibyl token --ability 'chat/*' --ability weather/now
  sibyl token --json | jq -r .expiresAt                 what it is, for a program
  TOKEN=$(sibyl token --bearer)                         one token for many requests, for 15 minutes
  sibyl token revoke                                    all your bearers at this oracle
  printf %s "$TOKEN" | sibyl token revoke -             this bearer alone

An oracle in production talks only with those whom one of its controllers lets in:
  sibyl token whoami                               your DID: for ORACLE_CONTROLLERS, or for a controller
  sibyl token grant did:key:z6Mk... > access.ucan  the controller lets somebody in
  sibyl token accept access.ucan                   who gets it keeps it; chat and token use it

${askingExitCodes}`

const revokeHelp = `
Without - all your bearers at the oracle are revoked. With - a token is read from stdin: a bearer, or a UCAN that you
issued or that rests on one of yours; it is refused from then on, with all that rests on it.

Examples:
  sibyl token revoke
  printf %s "$TOKEN" | sibyl token revoke -
  sibyl token revoke - < delegation.ucan

${askingExitCodes}`

/**
 * Makes the command `token`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const tokenCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command => {
  const token = new Command('token')
    .description('mint a token for an oracle, for scripts and other programs; let people in')
    .enablePositionalOptions()
    .option('--ability <ability>', 'what it allows, may be repeated (default: chat/* and session/*)', addAbility)
    .option('--lifetime <seconds>', 'how long it lives, 1 to 900 (default: 300, a bearer 900)', parseLifetime)
    .option('--bearer', 'exchange it at the oracle for a bearer')
    .action(async (options: TokenOptions) => {
      const { printToken } = await import('./token.ts')
      finish(await printToken(options, io))
    })
  const revoke = addJsonOption(addOracleOptions(new Command('revoke')))
    .description('revoke your bearers, or a token read from stdin')
    .addArgument(new Argument('[token]', '- reads it from stdin'))
    .addHelpText('after', revokeHelp)
    .action(async (source: string | undefined, _options: unknown, command: Command) => {
      const { revokeToken } = await import('./revoke-token.ts')
      finish(await revokeToken(source, command.optsWithGlobals<RevokeOptions>(), io))
    })
  addJsonOption(addOracleOptions(token)).addHelpText('after', help).addCommand(revoke)
  for (const command of delegationCommands(io, finish)) token.addCommand(command)
  return token
}

const parseLifetime = (value: string): number => {
  const seconds = Number(value)
  if (!/^\d{1,3}$/.test(value) || seconds < 1 || seconds > 900) {
    throw new InvalidArgumentError('Expected whole seconds from 1 to 900.')
  }
  return seconds
}
