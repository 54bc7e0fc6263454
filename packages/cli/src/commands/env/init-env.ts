import { join } from 'node:path'
import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { listEnvVariables } from '@sibyl/core'
import type { MadeSecret } from '@sibyl/core/start'
import { createMnemonic, type Mnemonic } from '@sibyl/identity'
import { type Asker, mayAsk } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import { madeSecrets } from '../../env/made-secrets.ts'
import { renderEnvValues } from '../../env/render-env-values.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { writeNewFile } from '../../home/through-draft.ts'
import { askForMnemonic, readGivenWords } from '../../keystore/given-secret.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { editEnvFile } from '../../project/edit-env-file.ts'
import { openProject } from '../../project/open-project.ts'
import type { Project } from '../../project/project.ts'
import { readProjectFile } from '../../project/read-project-file.ts'
import type { EnvInitOptions } from './env-command.ts'

/**
 * Runs `sibyl env init`: creates the `.env` of the project, or adds secrets that neither it nor the environment has.
 */
export const initEnv = async (options: EnvInitOptions, io: CommandIo): Promise<void> => {
  if (options.newMnemonic && options.mnemonicFile !== undefined) {
    throw cliErrors.usage_invalid('--new-mnemonic conflicts with --mnemonic-file.', 'Pass only one of them.')
  }
  const project = await openProject(io)
  const path = join(project.folder, '.env')
  const missing = madeSecrets.filter(({ variable }) => stateOf(variable, project, io) === 'missing')
  const blank = madeSecrets.map(it => it.variable).filter(variable => stateOf(variable, project, io) === 'blank')
  const made = await valuesFor(missing, project, { options, io })
  const isNew = (await readProjectFile(path)) === undefined
  if (isNew) await writeNew(path, made)
  else if (missing.length > 0) await editEnvFile(path, made)
  report({ path, isNew, added: Object.keys(made), blank }, options, io)
}

const stateOf = (variable: string, { envFile }: Project, { env }: CommandIo): 'set' | 'blank' | 'missing' => {
  const value = env[variable] ?? (Object.hasOwn(envFile, variable) ? envFile[variable] : undefined)
  if (value === undefined) return 'missing'
  return value.trim() === '' ? 'blank' : 'set'
}

interface Call {
  readonly options: EnvInitOptions
  readonly io: CommandIo
}

const valuesFor = async (
  missing: readonly MadeSecret[],
  project: Project,
  call: Call,
): Promise<Readonly<Record<string, string>>> => {
  const made = Object.fromEntries(missing.map(({ variable, make }) => [variable, make()]))
  if (made.ORACLE_MNEMONIC === undefined) return made
  return { ...made, ORACLE_MNEMONIC: (await wordsFor(project, call)).reveal() }
}

/** Returns the mnemonic. A new one creates another oracle, so a registered oracle never gets one without a request. */
const wordsFor = async (project: Project, { options, io }: Call): Promise<Mnemonic> => {
  if (options.newMnemonic) return createMnemonic(24)
  const given = await readGivenWords(options.mnemonicFile, io)
  if (given) return given
  const entityDid = project.setting('ORACLE_ENTITY_DID')
  if (entityDid === undefined) return createMnemonic(24)
  if (mayAsk(io, options)) return askForWords(entityDid, clackAsker(io))
  throw cliErrors.usage_invalid(
    `The mnemonic of the oracle is missing, and a new one would create another oracle than ${cleanLine(entityDid)}.`,
    'Pass it: sibyl env init --mnemonic-file <file> (or SIBYL_MNEMONIC). To create another oracle: --new-mnemonic',
  )
}

const askForWords = async (entityDid: string, asker: Asker): Promise<Mnemonic> => {
  asker.note(
    [`It is registered as ${cleanLine(entityDid)}; a new mnemonic would create another oracle.`],
    'ORACLE_MNEMONIC is missing',
  )
  const answer = await asker.select('Which words?', [
    { value: 'given', label: 'Enter the mnemonic', hint: 'from the person who registered it' },
    { value: 'new', label: 'New ones', hint: 'creates another oracle, for experiments' },
  ])
  return answer === 'new' ? createMnemonic(24) : askForMnemonic(asker, 'Its 12 or 24 words')
}

const writeNew = async (path: string, values: Readonly<Record<string, string>>): Promise<void> => {
  const made = await writeNewFile(
    path,
    renderEnvValues(values, listEnvVariables([...bundledPlugins(), ...bundledAdapters()])),
  )
  // Another process created one in the meantime.
  if (!made) await editEnvFile(path, values)
}

interface Outcome {
  readonly path: string
  readonly isNew: boolean
  readonly added: readonly string[]
  readonly blank: readonly string[]
}

const report = ({ path, isNew, added, blank }: Outcome, { json }: EnvInitOptions, io: CommandIo) => {
  if (json) return writeJson(io, { path, made: isNew, added, blank })
  const { stdout } = io
  if (isNew) stdout.write(`Made ${path} (0600)\n`)
  else if (added.length > 0) stdout.write(`Added to ${path}\n`)
  else stdout.write(`Nothing is missing in ${path}\n`)
  for (const variable of added) stdout.write(`  ${variable}\n`)
  if (blank.length > 0) stdout.write('Blank, and unchanged\n')
  for (const variable of blank) stdout.write(`  ${variable}\n`)
  if (added.includes('ORACLE_MNEMONIC'))
    stdout.write('Keep a copy of the mnemonic in a safe place: it controls the oracle.\n')
}
