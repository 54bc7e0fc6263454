import { defineCommand } from '../../command/define-command.ts'
import { devnetOptions } from './devnet-options.ts'

const help = `
A registry on this computer: an oracle that keeps entities, their claims and credentials, without a chain, a server or a
model. What it keeps outlives it; to begin with nothing, delete its folder. The explorer shows it in a browser.
Commands that register something use it where it runs; where it does not, they start it for as long as they take.
Programs use it through REGISTRY_URL and its API key, which is shown at the first start. DIDs name the port of the first
start, also when it runs on another one later.

Examples:
  sibyl devnet                            start it at http://localhost:4100, or go on with it
  sibyl devnet --port 4200 --data ./net   a second one, with data of its own
  sibyl devnet --new-key                  an API key in the place of the one before
  sibyl devnet --json | jq -r .url        for a program; the API key is in it where it is new

Exit codes: 0 done, 2 usage, 3 configuration, 130 interrupted while it ended.`

export const devnetCommand = defineCommand({
  name: 'devnet',
  summary: 'start a local registry with an explorer',
  help,
  options: devnetOptions,
  run: async ({ options, io }) => (await import('./devnet.ts')).devnet(options, io),
})
