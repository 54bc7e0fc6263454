import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isBootError } from '@sibyl/plugin'
import { repeatedMembers } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'
import { type FileViolation, fileViolations } from './file-violations.ts'
import { type ReadServer, readServer } from './read-server.ts'
import type { ServerEntry } from './server-entry.ts'

const defaultFile = 'mcp.json'
const variableName = 'MCP_SERVERS_FILE'

/** Maximum size of the file in bytes, and number of servers in it. */
const maxBytes = 1_000_000
const maxServers = 200

export interface ServersFileRequest {
  /** The operator's file; by default `mcp.json` in the working folder, if it exists. */
  readonly file?: string | undefined
  /** Base of relative paths. @default the working folder */
  readonly folder?: string
  variable(name: string): string | undefined
}

/** Reads the enabled servers in order. Throws a `BootError` with every problem. */
export const readServersFile = async ({
  file,
  folder = '.',
  variable,
}: ServersFileRequest): Promise<readonly ServerEntry[]> => {
  const name = file ?? defaultFile
  const text = await readText(resolve(folder, name), name, file !== undefined)
  if (text === undefined) return []
  const servers = readJson(name, text)
  const read = Object.entries(servers).map(([title, given]) => ({ title, ...readServer(title, given, variable) }))
  const entries = read.flatMap(one => ('entry' in one && one.entry ? [one.entry] : []))
  const violations = [
    ...read.flatMap(({ title, ...one }) => violationsOf(title, one)),
    ...entries.flatMap((entry, index) => takenName(entry, entries.slice(0, index))),
  ]
  if (violations.length > 0) throw fileViolations(name, violations)
  return entries
}

const violationsOf = (server: string, read: ReadServer): FileViolation[] =>
  'faults' in read ? read.faults.map(violation => ({ server, ...violation })) : []

const takenName = ({ name, title }: ServerEntry, before: readonly ServerEntry[]): FileViolation[] => {
  const other = before.find(entry => entry.name === name)
  if (!other) return []
  return [{ server: title, fault: `It and '${other.title}' would both have the name '${name}'. Rename one of them.` }]
}

/** Returns the text of the file; undefined if it is the default file and does not exist. */
const readText = async (path: string, name: string, isNamed: boolean): Promise<string | undefined> => {
  const refuse = (violation: string) => fileViolations(name, [{ fault: violation }], isNamed ? variableName : undefined)
  try {
    const { size } = await stat(path)
    if (size > maxBytes) throw refuse(`The file has ${size} bytes; the maximum is ${maxBytes}.`)
    return (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    if (isBootError(error)) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !isNamed) return undefined
    throw refuse(
      `${reasons[code] ?? `The file cannot be read (${code})`}.${isNamed ? ` ${variableName} names it.` : ''}`,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'The file does not exist',
  EACCES: 'The process may not read the file',
  EISDIR: 'The path is a folder',
}

const readJson = (name: string, text: string): Readonly<Record<string, unknown>> => {
  const refuse = (violation: string) => fileViolations(name, [{ fault: violation }])
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw refuse(`The file is not valid JSON${placeOf(error, text)}.`)
  }
  const servers = isObject(given) ? (given.mcpServers ?? given.servers) : undefined
  if (!isObject(servers)) throw refuse('The file has no object "mcpServers": { "<name>": { … } }. Add it.')
  const repeated = [...repeatedMembers(text)]
  if (repeated.length > 0) {
    throw fileViolations(
      name,
      repeated.slice(0, 20).map(([, server, ...member]) => ({
        ...(server === undefined ? {} : { server }),
        ...(member.length > 0 ? { member: member.join('.') } : {}),
        fault: `'${member.at(-1) ?? server ?? 'mcpServers'}' is a duplicate. Rename or remove one.`,
      })),
    )
  }
  const count = Object.keys(servers).length
  if (count > maxServers) throw refuse(`The file has ${count} servers; the maximum is ${maxServers}.`)
  return servers
}

/** Returns the position of a JSON error. The parser's own message quotes the text, which may contain secrets. */
const placeOf = (error: unknown, text: string): string => {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  if (position === undefined) return ''
  const before = text.slice(0, Number(position)).split('\n')
  return ` from line ${before.length}, column ${before.at(-1)!.length + 1}`
}
