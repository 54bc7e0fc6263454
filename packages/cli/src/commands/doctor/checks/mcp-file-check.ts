import type { TriedServer } from '@sibyl/bundle'
import { isSecretName } from '@sibyl/plugin'
import { cleanLine } from '../../../output/clean-text.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { type Finding, findingsOf } from '../finding.ts'

/** How long a server may take to connect and list its tools, in milliseconds. */
const limitMs = 20_000

/** Connects to each MCP server of `mcp.json`, as the oracle would. */
export const checkMcpFile = async (context: DoctorContext): Promise<Finding[]> => {
  const { project, inspection, setting, signal } = context
  const found = await inspection
  const plugin = found?.plugins.find(({ name }) => name === 'mcp')
  // A file that is invalid is among the problems of the start already.
  if (!project || !found || found.problems.length > 0 || !plugin || plugin.state === 'excluded') return []
  const { tryServers } = await import('@sibyl/bundle')
  const file = setting('MCP_SERVERS_FILE')
  const secretNames = found.variables.filter(({ secret }) => secret).map(({ name }) => name)
  const declared = new Set(secretNames)
  const servers = await tryServers({
    folder: project.folder,
    file,
    variable: name => (declared.has(name) ? undefined : setting(name)),
    secrets: [...secretNames, ...Object.keys(project.envFile).filter(isSecretName)].flatMap(
      name => setting(name) ?? [],
    ),
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
  })
  return servers.map(server => findingOf(server, file ?? 'mcp.json'))
}

const findingOf = (server: TriedServer, file: string): Finding => {
  const { ok, fail } = findingsOf('Services', 'mcp-server')
  const name = cleanLine(server.name)
  if (server.state === 'untried') return ok(`MCP server ${name} connects for each caller; it is not tried`)
  if (server.state === 'ready') {
    const { tools, leftOut } = server
    const unusable = leftOut === 0 ? '' : `, ${leftOut} more that cannot be used`
    return ok(`MCP server ${name} has ${tools} ${tools === 1 ? 'tool' : 'tools'}${unusable}`)
  }
  const said = server.said === undefined ? '' : ` It wrote: ${cleanLine(server.said)}`
  return fail(
    `MCP server ${name} is away: ${cleanLine(server.reason)}${said}`,
    `Start it, fix its entry in ${cleanLine(file)}, or switch it off: "disabled": true`,
  )
}
