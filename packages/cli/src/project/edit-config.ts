import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type OracleConfig, parseOracleConfig } from '@sibyl/core'
import { isObject, parseJson } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { configFile } from './project.ts'
import { readProjectFile, replaceProjectFile } from './read-project-file.ts'

/**
 * Sets keys of the `oracle.config.json` of a project, atomically: formatting, order and other keys stay, and new keys
 * are appended.
 *
 * @throws `configuration_invalid` when the file cannot be read or written, is not a JSON object, or would become
 * invalid; it stays unchanged
 */
export const editConfig = async (folder: string, changes: Partial<OracleConfig>): Promise<void> => {
  const path = join(folder, configFile)
  const text = (await readProjectFile(path)) ?? '{}\n'
  const edited = editConfigText(text, changes)
  const before = parseJson(text)
  if (edited === undefined || !isDeepStrictEqual(parseJson(edited), { ...(before as object), ...changes })) {
    throw cliErrors.configuration_invalid(
      `${path} cannot be edited: it is not one JSON object.`,
      'Fix it, and try again.',
    )
  }
  const [problem] = parseOracleConfig(parseJson(edited)).problems
  if (problem)
    throw cliErrors.configuration_invalid(`${problem.headline}.`, `${problem.lines.join(' ')} The file: ${path}`)
  const mode = await stat(path).then(
    facts => facts.mode & 0o777,
    () => 0o644,
  )
  await replaceProjectFile(path, edited, mode)
}

/** Returns the edited text of `editConfig`; undefined if it is not a JSON object. */
export const editConfigText = (text: string, changes: Partial<OracleConfig>): string | undefined => {
  const value = parseJson(text)
  if (!isObject(value)) return undefined
  return Object.entries(changes).reduce((before, [key, entry]) => setKey(before, key, JSON.stringify(entry)), text)
}

const setKey = (text: string, key: string, value: string): string => {
  const members = topMembers(text)
  // Of a duplicate key the last one counts.
  const member = members.findLast(one => one.key === key)
  if (member) return text.slice(0, member.start) + value + text.slice(member.end)
  const last = members.at(-1)
  const name = JSON.stringify(key)
  if (last) {
    const before = text.slice(members.at(-2)?.end ?? text.indexOf('{') + 1, last.nameStart)
    return `${text.slice(0, last.end)},${before.replace(',', '') || ' '}${name}: ${value}${text.slice(last.end)}`
  }
  const open = text.indexOf('{') + 1
  return `${text.slice(0, open)}\n  ${name}: ${value}\n${text.slice(text.lastIndexOf('}'))}`
}

/** A member of the outermost object: the positions of its name and value. */
interface Member {
  readonly key: string
  readonly nameStart: number
  readonly start: number
  readonly end: number
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Returns the members of the outermost object of a JSON text. */
const topMembers = (text: string): Member[] => {
  const members: Member[] = []
  let depth = 0
  let name: RegExpExecArray | undefined
  let start: number | undefined
  let end = 0
  const close = () => {
    if (name && start !== undefined) members.push({ key: JSON.parse(name[0]), nameStart: name.index, start, end })
    name = undefined
    start = undefined
  }
  for (const match of text.matchAll(token)) {
    const [piece] = match
    if (depth === 1 && (piece === ',' || piece === '}')) close()
    else if (depth === 1 && piece !== ':') {
      if (name) start ??= match.index
      else name = match
    }
    if (piece === '{' || piece === '[') depth += 1
    if (piece === '}' || piece === ']') depth -= 1
    end = match.index + piece.length
  }
  return members
}
