import { abilities } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf, wholeNumber } from '../../command/define-command.ts'
import { askOptions, delegationCommands } from './delegation-commands.ts'
import { grantsCommand } from './grants-command.ts'

const tokenOptions = {
  ability: { ...abilities, summary: 'an ability that it allows, repeatable (default: chat/* and session/*)' },
  lifetime: {
    value: '<seconds>',
    parse: wholeNumber('whole seconds', 1, 900),
    summary: 'lifetime in seconds, 1 to 900 (default: 300, a bearer 900)',
  },
  bearer: { summary: 'exchange it at the oracle for a bearer' },
  ...askOptions,
} as const

export type TokenOptions = OptionsOf<typeof tokenOptions>

const help = `Prints only the token to stdout, for scripts. An invocation is valid for one request, which a GET may repeat; a bearer is
valid for any number of requests until it expires or is revoked. In production an oracle accepts only
users with a delegation from one of its controllers.`

const revokeHelp = `Without -, revokes all your bearers at the oracle. With -, reads a token from stdin: a bearer, or a UCAN that you issued or
that depends on one of yours. The oracle then rejects it, and every token that depends on it.`

const revokeCommand = defineCommand({
  name: 'revoke',
  summary: 'revoke your bearers, or a token read from stdin',
  help: revokeHelp,
  examples: [
    'sibyl token revoke',
    'printf %s "$TOKEN" | sibyl token revoke -',
    'sibyl token revoke - < delegation.ucan',
  ],
  positionals: { token: { optional: true, summary: '- reads it from stdin' } },
  options: askOptions,
  run: async ({ positionals: { token }, options, io }) =>
    (await import('./revoke-token.ts')).revokeToken(token, options, io),
})

export const tokenCommand = defineCommand({
  name: 'token',
  summary: 'mint tokens for an oracle, and grant access to users',
  help,
  examples: [
    'curl -H "Authorization: Bearer $(sibyl token)" http://localhost:3000/sessions',
    'sibyl token --ability session/read --lifetime 30      an invocation that only reads, for 30 s',
    "sibyl token --ability 'chat/*' --ability weather/now",
    'sibyl token --json | jq -r .expiresAt                 details, for a program',
    'TOKEN=$(sibyl token --bearer)                         one token for many requests, for 15 minutes',
    'sibyl token revoke                                    all your bearers at this oracle',
    'printf %s "$TOKEN" | sibyl token revoke -             only this bearer',
    'sibyl token whoami                               print your DID, for ORACLE_CONTROLLERS',
    'sibyl token grant did:key:z6Mk... > access.ucan  grant access, as a controller',
    'sibyl token accept access.ucan                   store it, as the user; chat and token use it',
    'sibyl token grants list                          list the grants, to revoke one',
  ],
  options: tokenOptions,
  commands: [revokeCommand, ...delegationCommands, grantsCommand],
  run: async ({ options, io }) => (await import('./token.ts')).printToken(options, io),
})
