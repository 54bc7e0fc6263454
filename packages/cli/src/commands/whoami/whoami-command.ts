import { jsonOption } from '../../command/common-options.ts'
import { defineCommand } from '../../command/define-command.ts'

export const whoamiCommand = defineCommand({
  name: 'whoami',
  summary: 'show your DID, your logins and the oracle of the folder',
  examples: [
    'sibyl whoami            your DID on this computer, your logins, and the oracle of the folder',
    'sibyl whoami --json     for scripts',
  ],
  exits: '0 done, 2 usage, 3 configuration.',
  options: jsonOption,
  run: async ({ options, io }) => (await import('./whoami.ts')).whoami(options, io),
})
