import { BootError, type BootProblem } from '@sibyl/plugin'

/** Something that is wrong with the file of the servers. */
export interface FileFault {
  /** The server at fault, as it is written; none where it is the file. */
  readonly server?: string
  /** The member at fault, such as `headers.Authorization`. */
  readonly member?: string
  /** A sentence without values. */
  readonly fault: string
}

/** All faults of a file as what keeps the oracle from starting. @param file its name as the operator gave it */
export const fileFaults = (file: string, faults: readonly FileFault[], variable?: string): BootError =>
  new BootError(faults.map(fault => problemOf(file, fault, variable)))

const problemOf = (file: string, { server, member, fault }: FileFault, variable?: string): BootProblem => ({
  code: 'mcp_servers_invalid',
  headline: headlineOf(file, server, member),
  lines: [
    fault,
    server === undefined
      ? `Mend ${file}, or switch the plugin off: features: { mcp: false } in createOracleApp`
      : `Mend it in ${file}, or switch the server off: "disabled": true`,
  ],
  plugin: 'mcp',
  ...(variable === undefined ? {} : { variable }),
})

const headlineOf = (file: string, server: string | undefined, member: string | undefined): string => {
  if (server === undefined) return `MCP servers cannot be read from ${file}`
  const whose = `MCP server '${server.slice(0, 60)}' in ${file}`
  return member === undefined ? `${whose} cannot be used` : `${whose} has an unusable '${member.slice(0, 80)}'`
}
