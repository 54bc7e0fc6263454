import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { environmentOf, settingOf } from '../config/environment.ts'
import { reasonOf, StartError } from '../errors/start-error.ts'

/** Variables by name; `process.env` in a running oracle. */
export type Variables = Record<string, string | undefined>

/** A secret that is generated for one oracle. */
export interface MadeSecret {
  readonly variable: string
  /** Written to the file. */
  readonly description: string
  /** Generates a new one, which needs no quotes. */
  make(): string
}

export interface LoadEnvFileOptions {
  /** Receives the values of the file. @default process.env */
  readonly variables?: Variables
  /** Generated and added to the file if neither it nor the environment has them, outside production. @default none */
  readonly secrets?: readonly MadeSecret[]
  /** Receives remarks for the user, a sentence each. @default on standard error */
  readonly report?: (remark: string) => void
}

/**
 * Loads an `.env` file: values of the environment take precedence, and a name without a value counts as present. The
 * mode of a file that others could read is set to 0600. While the `sibyl` command inspects the oracle (SIBYL_INSPECT),
 * the file stays unchanged.
 *
 * @param path @default `.env` in the working folder
 * @throws StartError (`start_failed`) when the file exists but cannot be read
 */
export const loadEnvFile = (path = '.env', options: LoadEnvFileOptions = {}): void => {
  const { variables = process.env, secrets = [], report = remark => console.error(remark) } = options
  const isChecked = Boolean(variables.SIBYL_INSPECT)
  const text = load(path, variables)
  if (isChecked) return
  if (text !== undefined) fixMode(path, report)
  const missing = secrets.filter(({ variable }) => variables[variable] === undefined)
  if (missing.length === 0 || environmentOf(settingOf(variables, 'NODE_ENV')) === 'production') return
  const remark = addSecrets({ path, text, variables, missing })
  if (remark !== undefined) report(remark)
}

/** Adds secrets to the file and loads it again; returns the remarks. */
const addSecrets = ({
  path,
  text,
  variables,
  missing,
}: {
  readonly path: string
  readonly text: string | undefined
  readonly variables: Variables
  readonly missing: readonly MadeSecret[]
}): string | undefined => {
  const unset = (why: string) => `${path} ${why}, so these variables stay unset: ${namesOf(missing)}`
  const next = withSecrets(text, missing)
  if (!isReadBack(next, text, missing)) return unset('has an unterminated quote')
  try {
    const made = writePrivateFile(path, next, { replace: text !== undefined })
    if (load(path, variables) === undefined) return unset('is a broken link')
    return made ? `Made in ${path} (0600): ${namesOf(missing)}` : undefined
  } catch (error) {
    return unset(`cannot be written (${reasonOf(error)})`)
  }
}

const namesOf = (secrets: readonly MadeSecret[]) => secrets.map(({ variable }) => variable).join(', ')

/** Loads the current content of the file; undefined if it does not exist. */
const load = (path: string, variables: Variables): string | undefined => {
  const text = readText(path)
  for (const [name, value] of Object.entries(valuesIn(text))) variables[name] ??= value
  return text
}

/** Parses the text of the file; the byte order mark of some editors is skipped. */
const valuesIn = (text = '') => parseEnv(text.replace(/^\uFEFF/, ''))

const heading = '# Settings of this computer, which git ignores. See .env.example for all settings.\n'

const withSecrets = (text: string | undefined, secrets: readonly MadeSecret[]): string => {
  const begun = text === undefined ? heading : text === '' || text.endsWith('\n') ? text : `${text}\n`
  const added = secrets.map(({ variable, description, make }) => `\n# ${description}\n${variable}=${make()}\n`)
  return begun + added.join('')
}

/** Returns whether existing values are read unchanged, and the added ones too. */
const isReadBack = (next: string, text: string | undefined, added: readonly MadeSecret[]): boolean => {
  const read = valuesIn(next)
  const asBefore = Object.entries(valuesIn(text)).every(([name, value]) => read[name] === value)
  return asBefore && added.every(({ variable }) => read[variable] !== undefined)
}

const readText = (path: string): string | undefined => {
  try {
    const text = readFileSync(path, 'utf8')
    if (!text.includes('\0')) return text
    throw new StartError(`${path} is not UTF-8 text, but perhaps UTF-16, which PowerShell writes. Save it as UTF-8.`)
  } catch (error) {
    if (error instanceof StartError) throw error
    if (reasonOf(error) === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read (${reasonOf(error)}). Check its type and permissions.`)
  }
}

const fixMode = (path: string, report: (remark: string) => void): void => {
  const mode = statSync(path).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  const found = `Other users could read ${path} (mode ${mode.toString(8).padStart(4, '0')})`
  try {
    chmodSync(path, 0o600)
    report(`${found}; its mode is now 0600. If others use this computer, change the secrets in it.`)
  } catch (error) {
    report(`${found}, and the mode cannot be changed (${reasonOf(error)}). Restrict it: chmod 600 ${path}`)
  }
}

/**
 * Writes a file atomically that only its owner may read.
 *
 * @param replace Whether it replaces an existing file; otherwise the file must be new.
 * @returns false when the file must be new and another process created it first
 */
const writePrivateFile = (path: string, text: string, { replace }: { readonly replace: boolean }): boolean => {
  const target = replace ? realpathSync(path) : path
  const draft = `${target}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    if (replace) renameSync(draft, target)
    else linkSync(draft, target)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
