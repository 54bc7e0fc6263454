import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { JsonValue } from '@sibyl/protocol'
import type { CommandIo } from '../command-io.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import { parseJson } from '../home/parse-json.ts'

/** The most bytes of a file with an entity or a patch; a registry takes 100,000 of one. */
const maxBytes = 200_000
/** The most levels of its JSON. */
const maxDepth = 64

/** The members of an entity or a patch, before anybody looked at them. */
export type EntityDraft = Readonly<Record<string, JsonValue>>

/**
 * Reads an entity or a patch as JSON from a file, or with `-` from standard input.
 *
 * @throws `usage_invalid` when it cannot be read, is too long, or is no JSON object
 */
export const readEntityFile = async (path: string, { cwd, stdin }: CommandIo): Promise<EntityDraft> => {
  const name = path === '-' ? 'standard input' : path
  const text = await (path === '-' ? readAll(stdin, name) : readFrom(resolve(cwd, path), name))
  const value = parseJson(text.replace(/^\uFEFF/, ''))
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depthOf(text) > maxDepth) {
    const example = '{ "type": "CookStove", "properties": { "serial": "A-17" } }'
    throw cliErrors.usage_invalid(`What ${name} holds is no JSON object that a registry takes.`, `Such as: ${example}`)
  }
  return value as EntityDraft
}

const readFrom = async (path: string, name: string): Promise<string> => {
  try {
    const file = await open(path)
    return await readAll(file.createReadStream(), name)
  } catch (cause) {
    if (cliErrors.usage_invalid.is(cause)) throw cause
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    throw cliErrors.usage_invalid(
      `${name} cannot be read${reason}.`,
      'Name a file with JSON, or - for standard input.',
      {
        cause,
      },
    )
  }
}

const readAll = async (input: Readable, name: string): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > maxBytes)
      throw cliErrors.usage_invalid(`${name} has more than ${maxBytes} bytes.`, 'An entity has fewer.')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** How deep brackets are nested; those in texts count as well, which a registry would hardly take. */
const depthOf = (text: string): number => {
  let [depth, deepest] = [0, 0]
  for (const character of text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '')) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}
