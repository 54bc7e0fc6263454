import { defineCommand } from '../../command/define-command.ts'
import { devOptions } from './dev-options.ts'

const help = `
Runs the oracle of the project that you are in, and starts it again when a file changes: its sources (tests apart), .env,
oracle.config.json, package.json and the file of MCP servers (mcp.json, or what MCP_SERVERS_FILE names). Sessions are kept; a running answer gets 2 s to end. What does not start is shown,
and the next save tries again. Ctrl-C ends it, twice ends it at once.

Examples:
  sibyl dev                  on PORT of the environment or .env, else 3000
  sibyl dev --port 4000      on another port, whatever they say
  sibyl dev --json           print events as lines of JSON, the oracle's own log on stderr

Exit codes: 0 ended by Ctrl-C or a supervisor, 2 usage, 3 configuration, 130 ended at once.`

export const devCommand = defineCommand({
  name: 'dev',
  summary: 'run the oracle of this project and restart it at every change',
  help,
  options: devOptions,
  run: async ({ options, io }) => (await import('./dev.ts')).dev(options, io),
})
