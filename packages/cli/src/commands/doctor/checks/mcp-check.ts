import type { TriedServer } from '@sibyl/bundle'
import { isSecretName } from '@sibyl/plugin/host'
import { parseJson } from '@sibyl/protocol'
import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { cleanLine } from '../../../output/clean-text.ts'
import type { DoctorContext, WebResponse } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

/** The offered version of the protocol; a server responds with a version that it supports. */
const protocolVersion = '2025-06-18'

const handshake = z.object({
  result: z.object({
    protocolVersion: z.string(),
    serverInfo: z.object({ name: z.string(), version: z.string().optional() }),
  }),
})

/** Connects to each MCP server of a variable, over streamable HTTP with its `…_MCP_TOKEN`, and disconnects. */
export const checkMcp = async (context: DoctorContext): Promise<Finding[]> => {
  const { project, inspection, setting } = context
  const known = (await inspection)?.variables.map(({ name }) => name) ?? []
  const names = [...new Set([...known, ...Object.keys(project?.envFile ?? {})])].filter(name => /_MCP_URL$/.test(name))
  const findings = await Promise.all(
    names.map(async name => {
      const url = setting(name)
      return url === undefined ? [] : [await checkServer(name, url, context)]
    }),
  )
  return findings.flat()
}

const checkServer = async (name: string, url: string, context: DoctorContext): Promise<Finding> => {
  const { ok, warn, fail } = findingsOf('Services', 'mcp')
  const variable = cleanLine(name)
  if (url.startsWith('embedded:')) return ok(`${variable} is the bundled server`)
  if (url.startsWith('stdio:')) return ok(`${variable} starts a program with the oracle; it is not tested`)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return fail(
      `${variable} is not the address of an MCP server.`,
      'Set it to an address such as https://mcp.example.org/mcp, or to embedded:',
    )
  }
  const { origin } = new URL(url)
  const tokenVariable = variable.replace(/_URL$/, '_TOKEN')
  const token = context.setting(tokenVariable)
  const headers: Readonly<Record<string, string>> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const reply = await context.send(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'sibyl doctor', version: '0' } },
    }),
  })
  if (reply.kind === 'silent') {
    return fail(`No MCP server responds at ${origin} (${reply.reason}).`, `Start it, or check ${variable}.`)
  }
  const session = reply.headers.get('mcp-session-id')
  if (session !== null)
    await context.send(url, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': session } })
  const found = handshake.safeParse(messageOf(reply)).data
  if (found) {
    const { serverInfo } = found.result
    return ok(`${variable} is ${cleanLine(serverInfo.name)} ${cleanLine(serverInfo.version ?? '')}`.trim())
  }
  if (reply.status === 401 || reply.status === 403) {
    return token === undefined
      ? warn(`The MCP server of ${variable} requires credentials (status ${reply.status}).`, `Set ${tokenVariable}.`)
      : fail(`The MCP server of ${variable} rejects ${tokenVariable} (status ${reply.status}).`, 'Get a new one.')
  }
  return fail(
    `The server at ${variable} is not an MCP server (status ${reply.status}).`,
    `Check ${variable}, including its path.`,
  )
}

/** Returns the message in a response: JSON, or the data of the first event that has a result. */
const messageOf = ({ text, json }: Extract<WebResponse, { kind: 'reply' }>): unknown => {
  if (json !== undefined) return json
  const events: unknown[] = []
  createParser({ onEvent: ({ data }) => events.push(parseJson(data)) }).feed(`${text}\n\n`)
  return events.find(event => typeof event === 'object' && event !== null && 'result' in event)
}

/** Timeout for a server to connect and list its tools, in milliseconds. */
const limitMs = 20_000

/** Connects to each MCP server of `mcp.json`, like the oracle. */
export const checkMcpFile = async (context: DoctorContext): Promise<Finding[]> => {
  const { project, inspection, setting, signal } = context
  const found = await inspection
  const plugin = found?.plugins.find(({ name }) => name === 'mcp')
  // An invalid file is already one of the start problems.
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
  if (server.state === 'untried') return ok(`MCP server ${name} connects for each caller; it is not tested`)
  if (server.state === 'ready') {
    const { tools, leftOut } = server
    const unusable = leftOut === 0 ? '' : `, ${leftOut} more that cannot be used`
    return ok(`MCP server ${name} has ${tools} ${tools === 1 ? 'tool' : 'tools'}${unusable}`)
  }
  const text = server.said === undefined ? '' : ` It wrote: ${cleanLine(server.said)}`
  return fail(
    `MCP server ${name} is away: ${cleanLine(server.reason)}${text}`,
    `Start it, fix its entry in ${cleanLine(file)}, or disable it: "disabled": true`,
  )
}
