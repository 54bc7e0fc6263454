import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isBootError, repeatedMembers } from '@sibyl/plugin'
import { type FileFault, fileFaults } from './file-faults.ts'
import { type ReadServer, readServer } from './read-server.ts'
import type { ServerEntry } from './server-entry.ts'

/** Where the servers stand when no variable names a file. */
const defaultFile = 'mcp.json'
const variableName = 'MCP_SERVERS_FILE'

/** The largest file, in bytes, and the most servers in it. */
const maxBytes = 1_000_000
const maxServers = 200

/** What `readServersFile` takes. */
export interface ServersFileRequest {
  /** The file that the operator names; without it `mcp.json` in the working folder, where it is there. */
  readonly file?: string | undefined
  /** The folder that relative paths start from. @default the working folder */
  readonly folder?: string
  /** The value of a variable that the file refers to. */
  variable(name: string): string | undefined
}

/** Reads the servers that are switched on, in their order. Throws a `BootError` with everything that is wrong. */
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
  const faults = [
    ...read.flatMap(({ title, ...one }) => faultsOf(title, one)),
    ...entries.flatMap((entry, index) => takenName(entry, entries.slice(0, index))),
  ]
  if (faults.length > 0) throw fileFaults(name, faults)
  return entries
}

const faultsOf = (server: string, read: ReadServer): FileFault[] =>
  'faults' in read ? read.faults.map(fault => ({ server, ...fault })) : []

const takenName = ({ name, title }: ServerEntry, before: readonly ServerEntry[]): FileFault[] => {
  const other = before.find(entry => entry.name === name)
  if (!other) return []
  return [{ server: title, fault: `It and '${other.title}' would both be called '${name}'. Rename one of them.` }]
}

/** The text of the file; undefined where nobody named it and it is not there. */
const readText = async (path: string, name: string, isNamed: boolean): Promise<string | undefined> => {
  const refuse = (fault: string) => fileFaults(name, [{ fault }], isNamed ? variableName : undefined)
  try {
    const { size } = await stat(path)
    if (size > maxBytes) throw refuse(`It has ${size} bytes, at most ${maxBytes}.`)
    return (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    if (isBootError(error)) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !isNamed) return undefined
    throw refuse(`${reasons[code] ?? `It cannot be read (${code})`}.${isNamed ? ` ${variableName} names it.` : ''}`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file',
  EACCES: 'It may not be read',
  EISDIR: 'It is a folder',
}

const readJson = (name: string, text: string): Readonly<Record<string, unknown>> => {
  const refuse = (fault: string) => fileFaults(name, [{ fault }])
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw refuse(`It is not JSON${placeOf(error, text)}.`)
  }
  const servers = isObject(given) ? (given.mcpServers ?? given.servers) : undefined
  if (!isObject(servers)) throw refuse('It has no object "mcpServers": { "<name>": { … } }.')
  const repeated = [...repeatedMembers(text)]
  if (repeated.length > 0) {
    throw fileFaults(
      name,
      repeated.slice(0, 20).map(([, server, ...member]) => ({
        ...(server === undefined ? {} : { server }),
        ...(member.length > 0 ? { member: member.join('.') } : {}),
        fault: `'${member.at(-1) ?? server ?? 'mcpServers'}' stands there twice. Rename or remove one.`,
      })),
    )
  }
  const count = Object.keys(servers).length
  if (count > maxServers) throw refuse(`It has ${count} servers, at most ${maxServers}.`)
  return servers
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where a text stops being JSON. The words of the parser have pieces of the text, which may be secrets. */
const placeOf = (error: unknown, text: string): string => {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  if (position === undefined) return ''
  const before = text.slice(0, Number(position)).split('\n')
  return ` from line ${before.length}, column ${before.at(-1)!.length + 1}`
}
