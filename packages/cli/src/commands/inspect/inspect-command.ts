import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const inspectOptions = {
  prompt: { summary: 'print only the system prompt', conflicts: 'json' },
  json: { summary: 'print the complete inspection as one object' },
} as const

export type InspectOptions = OptionsOf<typeof inspectOptions>

const help = `Shows the start of a turn as it is sent to the model: the system prompt, the tools, and their cost in tokens (estimated,
at four characters per token), before the first message. On-demand capabilities are listed with the cost of a load.
The oracle is not started: it does not listen, calls no model, and does not open its database. Secrets are redacted.`

export const inspectCommand = defineCommand({
  name: 'inspect',
  summary: 'show the prompt, the tools and the token cost of a turn',
  help,
  examples: [
    'sibyl inspect                      plugins, prompt, tools and their cost',
    'sibyl inspect --prompt             print only the system prompt',
    "sibyl inspect --json | jq '.turn.tools[] | {name, tokens}'",
  ],
  exits: '0 done, 2 usage, 3 the oracle does not start, 130 interrupted.',
  options: inspectOptions,
  run: async ({ options, io }) => (await import('./inspect.ts')).inspect(options, io),
})
