import { jsonOption } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const doctorOptions = {
  online: { summary: 'test the key of the model provider, with one cheap request' },
  ...jsonOption,
} as const

export type DoctorOptions = OptionsOf<typeof doctorOptions>

const help = `Checks the computer, the project and its settings: Node, versions, plugins and their variables, ports, the address in the
registry, database, files, Matrix, MCP servers, DIDs and the clock. It starts the programs of mcp.json, lists their tools
and stops them. Outside of a project it checks only the computer. It changes nothing, and sends requests only to services
in the settings; each request has a timeout of 5 seconds.

ok needs no action, warn works but needs attention, fail prevents the oracle from working. warn and fail include a remedy.`

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'diagnose problems and show their fixes',
  help,
  examples: [
    'sibyl doctor              before the first start, after a change, or on problems',
    'sibyl doctor --online     also tests the key of the model provider',
    `sibyl doctor --json | jq -r '.findings[] | select(.state == "fail") | .message'`,
  ],
  exits: '0 nothing fails, 1 something fails, 2 usage, 130 interrupted.',
  options: doctorOptions,
  run: async ({ options, io }) => (await import('./doctor.ts')).doctor(options, io),
})
