import { defineCommand } from '../../command/define-command.ts'
import { doctorOptions } from './doctor-options.ts'

const help = `
Looks at the computer, the project and all that its settings name: Node, versions, plugins and their variables, ports, the
registry's address of the oracle, database, files, Matrix, MCP servers, DIDs, the clock. The programs of mcp.json are
started, asked for their tools and ended. Outside of a project it looks at what there is. Nothing is changed, and nothing is asked that the settings do not name; each request has 5 seconds.

ok is as it should be, warn works but wants a look, fail keeps the oracle from working. Each but ok says what to do.

Examples:
  sibyl doctor              before the first start, after a change, when something is odd
  sibyl doctor --online     asks the model's provider as well, whether the key is good
  sibyl doctor --json | jq -r '.findings[] | select(.state == "fail") | .message'

Exit codes: 0 nothing fails, 1 something fails, 2 usage, 130 interrupted.`

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'diagnose problems and show their fixes',
  help,
  options: doctorOptions,
  run: async ({ options, io }) => (await import('./doctor.ts')).doctor(options, io),
})
