import { defineCommand } from '../../command/define-command.ts'
import { inspectOptions } from './inspect-options.ts'

const help = `
Shows what a turn of this project's oracle begins with, as its model is sent it: the system prompt, the tools, and what they
cost in tokens (estimated, at four characters each), before anybody has said a word. Capabilities that are loaded on demand
are listed with what a load adds. The oracle is not started for it: nothing listens, no model is called, and its database is
not touched. Secrets are struck out.

Examples:
  sibyl inspect                      plugins, prompt, tools and their cost
  sibyl inspect --prompt             print only the system prompt
  sibyl inspect --json | jq '.turn.tools[] | {name, tokens}'

Exit codes: 0 done, 2 usage, 3 the oracle would not start, 130 interrupted.`

export const inspectCommand = defineCommand({
  name: 'inspect',
  summary: 'show the prompt, the tools and the token cost of a turn',
  help,
  options: inspectOptions,
  run: async ({ options, io }) => (await import('./inspect.ts')).inspect(options, io),
})
