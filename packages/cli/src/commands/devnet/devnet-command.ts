import { parseListenPort } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const devnetOptions = {
  port: {
    value: '<port>',
    parse: parseListenPort,
    summary: 'where to listen, 0 for a free one (default: that of the first start, 4100)',
  },
  data: { value: '<folder>', summary: 'where its data and keys are (default: devnet, in the folder of your key)' },
  newKey: { summary: 'create a new API key, which replaces the previous one' },
  verbose: { summary: "show the oracle's log" },
  json: { summary: 'print one JSON object to stdout once it listens', conflicts: 'verbose' },
} as const

export type DevnetOptions = OptionsOf<typeof devnetOptions>

const help = `A local registry: an oracle that stores entities, their claims and credentials, without a chain, a server or a model.
Its data persists; to start with an empty registry, delete its folder. The explorer shows the data in a browser.
Commands that register entities use a running devnet, or start one for as long as they run.
Other programs use it with REGISTRY_URL and its API key, which is shown at the first start. DIDs contain the port of the
first start, even if it later runs on another one.`

export const devnetCommand = defineCommand({
  name: 'devnet',
  summary: 'start a local registry with an explorer',
  help,
  examples: [
    'sibyl devnet                            start it at http://localhost:4100',
    'sibyl devnet --port 4200 --data ./net   a second one, with separate data',
    'sibyl devnet --new-key                  replace the API key',
    'sibyl devnet --json | jq -r .url        for a program; includes a new API key',
  ],
  exits: '0 done, 2 usage, 3 configuration, 130 interrupted while it stopped.',
  options: devnetOptions,
  run: async ({ options, io }) => (await import('./devnet.ts')).devnet(options, io),
})
