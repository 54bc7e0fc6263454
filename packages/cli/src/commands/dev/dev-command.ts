import { parseListenPort } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const devOptions = {
  port: { value: '<port>', parse: parseListenPort, summary: 'where to listen, 0 for a free one' },
  json: { summary: 'print events as lines of JSON' },
} as const

export type DevOptions = OptionsOf<typeof devOptions>

const help = `Runs the oracle of the current project, and restarts it when a file changes: its sources (except tests), .env,
oracle.config.json, package.json and the file of MCP servers (mcp.json, or the path in MCP_SERVERS_FILE).
Sessions are kept; a running answer gets 2 s to finish. If the oracle does not start, the error is shown and the next
save tries again. Ctrl-C stops it; a second Ctrl-C stops it immediately.`

export const devCommand = defineCommand({
  name: 'dev',
  summary: 'run the oracle of this project and restart it at every change',
  help,
  examples: [
    'sibyl dev                  on PORT of the environment or .env, otherwise 3000',
    'sibyl dev --port 4000      on another port, which overrides them',
    "sibyl dev --json           print events as lines of JSON, the oracle's own log on stderr",
  ],
  exits: '0 stopped by Ctrl-C or a supervisor, 2 usage, 3 configuration, 130 stopped immediately.',
  options: devOptions,
  run: async ({ options, io }) => (await import('./dev.ts')).dev(options, io),
})
