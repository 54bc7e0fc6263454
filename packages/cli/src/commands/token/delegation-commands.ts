import { publicKeyFromDid } from '@sibyl/identity'
import { jsonOption } from '../../command/common-options.ts'
import { type CommandMaker, checkedText, defineCommand } from '../../command/define-command.ts'
import { askOptions, grantOptions } from './token-options.ts'

/** Exit codes of a command that asks an oracle. */
export const askingExitCodes = 'Exit codes: 0 done, 1 refused, 2 usage, 3 configuration, 4 network.'

const localExitCodes = 'Exit codes: 0 done, 2 usage, 3 configuration.'

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
Removes the delegation from this computer only. Run sibyl token revoke to revoke it.

Examples:
  sibyl token drop http://localhost:3000

${localExitCodes}`

const whoamiHelp = `
A controller of an oracle needs it for ORACLE_CONTROLLERS, or to let you in. sibyl whoami shows more.

Examples:
  sibyl token whoami

${localExitCodes}`

const grantCommand = defineCommand({
  name: 'grant',
  summary: 'grant access to a user, as a controller of the oracle',
  help: grantHelp,
  positionals: {
    did: {
      summary: 'the DID of the user, as printed by sibyl token whoami',
      parse: checkedText(text => publicKeyFromDid(text) !== undefined, 'a DID that starts with did:key:z6Mk.'),
    },
  },
  options: grantOptions,
  run: async ({ positionals: { did }, options, io }) => (await import('./grant.ts')).grantAccess(did, options, io),
})

const acceptCommand = defineCommand({
  name: 'accept',
  summary: 'store a delegation that grants you access to an oracle',
  help: acceptHelp,
  positionals: { file: { optional: true, summary: 'its file, - or nothing for stdin' } },
  options: askOptions,
  run: async ({ positionals: { file }, options, io }) =>
    (await import('./accept.ts')).acceptDelegation(file, options, io),
})

const listCommand = defineCommand({
  name: 'list',
  summary: 'list your stored delegations',
  help: listHelp,
  options: jsonOption,
  run: async ({ options, io }) => (await import('./list-delegations.ts')).listDelegations(options, io),
})

const dropCommand = defineCommand({
  name: 'drop',
  summary: 'remove the delegation for an oracle',
  help: dropHelp,
  positionals: { oracle: { summary: 'its address or DID, as listed by sibyl token list' } },
  options: jsonOption,
  run: async ({ positionals: { oracle }, options, io }) =>
    (await import('./list-delegations.ts')).dropDelegation(oracle, options, io),
})

const whoamiCommand = defineCommand({
  name: 'whoami',
  summary: 'print your DID',
  help: whoamiHelp,
  options: jsonOption,
  run: async ({ options, io }) => (await import('./list-delegations.ts')).showDid(options, io),
})

/** The commands below `sibyl token` on delegations. */
export const delegationCommands: readonly CommandMaker[] = [
  grantCommand,
  acceptCommand,
  listCommand,
  dropCommand,
  whoamiCommand,
]
