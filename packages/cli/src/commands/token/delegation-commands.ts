import { publicKeyFromDid } from '@sibyl/identity'
import { abilities, jsonOption, oracleOptions } from '../../command/common-options.ts'
import {
  type CommandMaker,
  checkedText,
  defineCommand,
  type OptionsOf,
  wholeNumber,
} from '../../command/define-command.ts'

/** Options of the commands that only read from an oracle. */
export const askOptions = { ...oracleOptions, ...jsonOption } as const

export type AskOptions = OptionsOf<typeof askOptions>

const grantOptions = {
  ability: {
    ...abilities,
    summary:
      'an ability to grant, repeatable (default: chat/*, session/*, auth/token and delegation/*, or all of yours)',
  },
  days: {
    value: '<days>',
    parse: wholeNumber('whole days', 1, 90),
    summary: 'validity in days, 1 to 90 (default: 30)',
  },
  name: { value: '<name>', summary: 'the name of the user, for the list of grants' },
  ...askOptions,
} as const

export type GrantOptions = OptionsOf<typeof grantOptions>

const localExitCodes = '0 done, 2 usage, 3 configuration.'

const grantHelp = `Requires a controller of the oracle, one of its ORACLE_CONTROLLERS. Prints the delegation to stdout. It is not a secret:
only its audience can use it. The audience can delegate it further, with the same or fewer abilities and the same expiry.`

const acceptHelp = `Stores the delegation in the folder of your key if it is valid, for your DID, and for the oracle at --url. It replaces the
previous delegation for this oracle. sibyl chat and sibyl token use it automatically.`

const grantCommand = defineCommand({
  name: 'grant',
  summary: 'grant access to a user, as a controller of the oracle',
  help: grantHelp,
  examples: [
    'sibyl token grant did:key:z6Mk... --name Bob > access.ucan',
    "sibyl token grant did:key:z6Mk... --days 7 --ability 'chat/*' --ability session/read",
    'sibyl token grants list                               list grants, to revoke one',
  ],
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
  examples: [
    'sibyl token accept access.ucan',
    'sibyl token accept < access.ucan',
    'sibyl token accept                                    paste it on the terminal',
  ],
  positionals: { file: { optional: true, summary: 'its file, - or nothing for stdin' } },
  options: askOptions,
  run: async ({ positionals: { file }, options, io }) =>
    (await import('./accept.ts')).acceptDelegation(file, options, io),
})

const listCommand = defineCommand({
  name: 'list',
  summary: 'list your stored delegations',
  examples: ['sibyl token list', "sibyl token list --json | jq -r '.delegations[].expiresAt'"],
  exits: localExitCodes,
  options: jsonOption,
  run: async ({ options, io }) => (await import('./list-delegations.ts')).listDelegations(options, io),
})

const dropCommand = defineCommand({
  name: 'drop',
  summary: 'remove the delegation for an oracle',
  help: 'Removes the delegation from this computer only. Run sibyl token revoke to revoke it.',
  examples: ['sibyl token drop http://localhost:3000'],
  exits: localExitCodes,
  positionals: { oracle: { summary: 'its address or DID, as listed by sibyl token list' } },
  options: jsonOption,
  run: async ({ positionals: { oracle }, options, io }) =>
    (await import('./list-delegations.ts')).dropDelegation(oracle, options, io),
})

const whoamiCommand = defineCommand({
  name: 'whoami',
  summary: 'print your DID',
  help: 'A controller of an oracle needs it for ORACLE_CONTROLLERS, or to let you in. sibyl whoami shows more.',
  examples: ['sibyl token whoami'],
  exits: localExitCodes,
  options: jsonOption,
  run: async ({ options, io }) => (await import('./list-delegations.ts')).showDid(options, io),
})

/** The commands on delegations below `sibyl token`. */
export const delegationCommands: readonly CommandMaker[] = [
  grantCommand,
  acceptCommand,
  listCommand,
  dropCommand,
  whoamiCommand,
]
