import { BootError } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'

/** A problem of the servers file. */
export interface FileViolation {
  /** Name of the server as written; undefined for the file itself. */
  readonly server?: string
  /** The invalid member, such as `headers.Authorization`. */
  readonly member?: string
  /** A sentence without values from the file. */
  readonly fault: string
}

/** Returns all problems of a file as boot problems. @param file its name as the operator wrote it */
export const fileViolations = (file: string, violations: readonly FileViolation[], variable?: string): BootError =>
  new BootError(violations.map(violation => problemOf(file, violation, variable)))

const problemOf = (file: string, { server, member, fault }: FileViolation, variable?: string): BootProblem => ({
  code: 'mcp_servers_invalid',
  headline: headlineOf(file, server, member),
  lines: [
    fault,
    server === undefined
      ? `Fix ${file}, or disable the plugin: features: { mcp: false } in createOracleApp`
      : `Fix it in ${file}, or disable the server: "disabled": true`,
  ],
  plugin: 'mcp',
  ...(variable === undefined ? {} : { variable }),
})

const headlineOf = (file: string, server: string | undefined, member: string | undefined): string => {
  if (server === undefined) return `MCP servers cannot be read from ${file}`
  const whose = `MCP server '${server.slice(0, 60)}' in ${file}`
  return member === undefined ? `${whose} is invalid` : `${whose} has an invalid '${member.slice(0, 80)}'`
}
