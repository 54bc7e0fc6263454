import { defineCommand } from '../../command/define-command.ts'
import { askingExitCodes, delegationCommands } from './delegation-commands.ts'
import { askOptions, tokenOptions } from './token-options.ts'

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

const revokeCommand = defineCommand({
  name: 'revoke',
  summary: 'revoke your bearers, or a token read from stdin',
  help: revokeHelp,
  positionals: { token: { optional: true, summary: '- reads it from stdin' } },
  options: askOptions,
  run: async ({ positionals: { token }, options, io }) =>
    (await import('./revoke-token.ts')).revokeToken(token, options, io),
})

export const tokenCommand = defineCommand({
  name: 'token',
  summary: 'mint tokens for an oracle, and grant access to users',
  help,
  options: tokenOptions,
  commands: [revokeCommand, ...delegationCommands],
  run: async ({ options, io }) => (await import('./token.ts')).printToken(options, io),
})
