import { chmodSync, readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { MadeSecret } from '@sibyl/cli/env'
import { ownSecrets } from './own-secrets.ts'
import { reasonOf, StartError } from './start-error.ts'
import { writePrivateFile } from './write-private-file.ts'

/** Variables by name; `process.env` in a running oracle. */
export type Variables = Record<string, string | undefined>

/**
 * Loads an `.env` file: what the environment has already stays. Outside production it then adds to the file, and
 * loads, the secrets that neither names; a name without a value counts as named and stays blank.
 *
 * @returns what the person at this computer should know, a sentence each
 * @throws StartError when the file is there but cannot be read
 */
export const loadEnvFile = (path: string, variables: Variables): string[] => {
  const text = load(path, variables)
  const remarks = text === undefined ? [] : mendMode(path)
  const missing = missingIn(variables)
  if (missing.length === 0 || variables.NODE_ENV === 'production') return remarks
  const unset = (why: string) => [...remarks, `${path} ${why}, so these stay unset: ${namesOf(missing)}`]
  const next = withSecrets(text, missing)
  if (!isReadBack(next, text, missing)) return unset('has a quote without an end')
  try {
    const made = writePrivateFile(path, next, { replace: text !== undefined })
    if (load(path, variables) === undefined) return unset('is a link to nothing')
    return made ? [...remarks, `Made in ${path} (0600): ${namesOf(missing)}`] : remarks
  } catch (error) {
    return unset(`cannot be written (${reasonOf(error)})`)
  }
}

const missingIn = (variables: Variables) => ownSecrets.filter(({ variable }) => variables[variable] === undefined)

const namesOf = (secrets: readonly MadeSecret[]) => secrets.map(({ variable }) => variable).join(', ')

/** Loads what the file says now; undefined when there is none. */
const load = (path: string, variables: Variables): string | undefined => {
  const text = readText(path)
  for (const [name, value] of Object.entries(parseEnv(text ?? ''))) variables[name] ??= value
  return text
}

const heading = '# Settings of this computer, which git ignores. All that can be set is in .env.example.\n'

const withSecrets = (text: string | undefined, secrets: readonly MadeSecret[]): string => {
  const begun = text === undefined ? heading : text === '' || text.endsWith('\n') ? text : `${text}\n`
  const added = secrets.map(({ variable, description, make }) => `\n# ${description}\n${variable}=${make()}\n`)
  return begun + added.join('')
}

/** Whether what was there is still read as it was, and what is added as well. */
const isReadBack = (next: string, text: string | undefined, added: readonly MadeSecret[]): boolean => {
  const read = parseEnv(next)
  const asBefore = Object.entries(parseEnv(text ?? '')).every(([name, value]) => read[name] === value)
  return asBefore && added.every(({ variable }) => read[variable] !== undefined)
}

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read (${reasonOf(error)}). Check what it is and who may read it.`)
  }
}

const mendMode = (path: string): string[] => {
  const mode = statSync(path).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return []
  const found = `Others could read ${path} (mode ${mode.toString(8).padStart(4, '0')})`
  try {
    chmodSync(path, 0o600)
    return [`${found}; now it is yours alone (0600). If others use this computer, change the secrets in it.`]
  } catch (error) {
    return [`${found}, and this cannot be changed (${reasonOf(error)}). Make it yours alone: chmod 600 ${path}`]
  }
}
