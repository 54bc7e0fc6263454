import { jsonOption } from '../../command/common-options.ts'
import { defineCommand } from '../../command/define-command.ts'

export const logoutCommand = defineCommand({
  name: 'logout',
  summary: 'forget logins',
  help: "Removes the login from this computer only. A copy of it and of this computer's key stays valid until the login expires.",
  examples: [
    'sibyl logout                            if you have only one login',
    'sibyl logout http://localhost:4100      those at one registry, by its address or DID',
    'sibyl logout did:key:z6Mk...            those of one controller',
    'sibyl logout --all',
  ],
  exits: '0 done, 2 usage, 3 configuration.',
  positionals: { which: { optional: true, summary: 'the address or DID of a registry, or the DID that signed' } },
  options: { all: { summary: 'remove all logins' }, ...jsonOption },
  run: async ({ positionals: { which }, options, io }) => (await import('./logout.ts')).logout(which, options, io),
})
