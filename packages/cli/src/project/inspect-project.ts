import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type OracleInspection, oracleInspection } from '@sibyl/core/records'
import { createTextRedactor, isSecretName } from '@sibyl/plugin/host'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { botVariables, commandVariables } from '../env/command-variables.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import { type CommandIo, onStop } from '../process/command-io.ts'
import { findUpward } from '../process/find-upward.ts'
import { ownVersion } from '../process/own-version.ts'
import { explainCrash } from './explain-crash.ts'
import { type OracleCommand, oracleCommand } from './oracle-command.ts'
import type { Project } from './project.ts'

/** Timeout of the inspection, in milliseconds. */
const limitMs = 30_000
/** Time that output is read after the exit, if a child process keeps the stream open, in milliseconds. */
const lastWordsMs = 500
/** The longest inspection that is read, in bytes. */
const maxInspectionBytes = 8 * 1024 * 1024
/** Characters of the standard error of a project that are kept. */
const maxErrors = 16_384

/**
 * Inspects the oracle of a project. Its `main.ts` runs in a separate process up to `createOracleApp`; it does not
 * listen or open its database.
 *
 * @throws `project_failed` when it does not reach that call within 30 s, `configuration_invalid` when it has no main
 * file, `interrupted` at Ctrl-C
 */
export const inspectProject = async (
  project: Project,
  io: Pick<CommandIo, 'env' | 'onInterrupt' | 'onTermination'>,
): Promise<OracleInspection> => {
  const read = oracleInspection.safeParse(parseJson(await callOracle(project, io, { limitMs })))
  if (read.success) return withUnread(read.data, project)
  throw await unknownFormat(project)
}

/** Returns the error for an oracle that sent something other than requested. */
export const unknownFormat = async ({ folder }: Project): Promise<CommandError> =>
  cliErrors.project_failed(
    'The report of the oracle has an unknown format.',
    (await otherVersion(folder)) ?? 'Install the same version of @sibyl/core and @sibyl/cli: see package.json',
  )

export interface OracleCall {
  /** Added to the environment. */
  readonly variables?: Readonly<Record<string, string>>
  /** @default no limit */
  readonly limitMs?: number
  /** Receives each complete line of the report as it arrives. */
  readonly onLine?: (line: string) => void
  /** The remedy after Ctrl-C. */
  readonly onInterrupt?: string
}

/** Runs `main.ts` of a project up to `createOracleApp`, which works for this command; returns its report. */
export const callOracle = async (
  project: Project,
  io: Pick<CommandIo, 'env' | 'onInterrupt' | 'onTermination'>,
  call: OracleCall,
): Promise<string> => {
  const command = await oracleCommand(project, io)
  const reported = await run(command, io, call)
  if (reported.text !== '') return reported.text
  throw explain(reported, { command, project, io, onVersion: await otherVersion(project.folder) })
}

interface Report {
  /** Empty if the oracle sent nothing. */
  readonly text: string
  readonly errors: string
  /** The end of the process: an exit code, a signal, or a limit. */
  readonly end: number | 'too long' | 'too large' | NodeJS.Signals
}

const run = async (
  { file, args, cwd, env }: OracleCommand,
  io: Pick<CommandIo, 'onInterrupt' | 'onTermination'>,
  { variables, limitMs: callMs, onLine = () => {}, onInterrupt = '' }: OracleCall,
): Promise<Report> => {
  const child = spawn(file, args, {
    cwd,
    env: { ...env, ...variables, SIBYL_INSPECT: '3' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let why: 'too long' | 'too large' | 'interrupted' | undefined
  const end = (reason: typeof why) => {
    why ??= reason
    child.kill('SIGKILL')
  }
  const timer = callMs === undefined ? undefined : setTimeout(() => end('too long'), callMs)
  const ends = [child.stdio[3] as Readable, child.stderr as Readable] as const
  const lines = createInterface({ input: ends[0] }).on('line', onLine)
  child.once('exit', () => {
    clearTimeout(timer)
    const cut = setTimeout(() => ends.map(stream => stream.destroy()), lastWordsMs)
    child.once('close', () => clearTimeout(cut))
  })
  const release = onStop(io, () => end('interrupted'))
  try {
    const [text, errors, [code, signal]] = await Promise.all([
      readUpTo(ends[0], maxInspectionBytes, () => end('too large')),
      readUpTo(ends[1], maxErrors),
      once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    ])
    if (why === 'interrupted') throw cliErrors.interrupted('Interrupted before the oracle was done.', onInterrupt)
    return { text: why === undefined ? text : '', errors, end: why ?? code ?? signal ?? 1 }
  } finally {
    clearTimeout(timer)
    lines.close()
    release()
    child.kill('SIGKILL')
  }
}

/** Reads a stream to its end and keeps its start. */
const readUpTo = async (stream: Readable, limit: number, tooMuch: () => void = () => {}): Promise<string> => {
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      if (length + piece.length > limit) tooMuch()
      pieces.push(piece.subarray(0, Math.max(0, limit - length)))
      length += piece.length
    }
  } catch {
    // It was interrupted with its process, whose exit is more informative.
  }
  return Buffer.concat(pieces).toString('utf8')
}

interface Failed {
  readonly command: OracleCommand
  readonly project: Project
  readonly io: Pick<CommandIo, 'env'>
  /** The remedy for a core of another version than this command. */
  readonly onVersion: string | undefined
}

const missingInModule = /ERR_PACKAGE_PATH_NOT_EXPORTED|does not provide an export named/

const explain = ({ errors, end }: Report, { command, project, io, onVersion }: Failed): CommandError => {
  const { entry } = command
  const failed = (message: string, remedy: string) =>
    cliErrors.project_failed(message, onVersion === undefined ? remedy : `${remedy} ${onVersion}`)
  if (end === 'too long') {
    const message = `${entry} did not complete the inspection within ${limitMs / 1_000} s.`
    return failed(message, 'Check what it waits for before createOracleApp; npm start shows it.')
  }
  if (end === 'too large') {
    const message = 'The inspection of the oracle is larger than 8 MiB.'
    return cliErrors.project_failed(message, 'Check the size of its prompt and of the schemas of its tools.')
  }
  if (end === 0) {
    return failed(
      `${entry} ended without a call of createOracleApp.`,
      'Call createOracleApp, as in the templates of sibyl new.',
    )
  }
  const crash = explainCrash(withoutSecrets(errors, { ...io.env, ...project.envFile }), project.folder)
  const where = crash.place === undefined ? '' : `, in ${crash.place}`
  const message = `${entry} does not start${where}: ${crash.reason}`
  if (crash.missingPackage !== undefined) {
    return cliErrors.project_failed(message, 'Install the packages of the project: npm install (or pnpm, or yarn)')
  }
  if (onVersion !== undefined && missingInModule.test(crash.reason)) return cliErrors.project_failed(message, onVersion)
  return failed(message, `Fix it; node ${entry} shows the complete error.`)
}

/** Minimum length of a part of a secret in a list, such as one key of several, to be redacted. */
const shortestPart = 8

/** Redacts the values of secret variables: the code of a project may print anything when it fails. */
const withoutSecrets = (text: string, values: Readonly<Record<string, string | undefined>>): string => {
  const secrets = Object.entries(values).flatMap(([name, value = '']) => (isSecretName(name) ? [value] : []))
  const parts = secrets.flatMap(secret => secret.split(/[,:]/)).filter(part => part.length >= shortestPart)
  return createTextRedactor([...secrets, ...parts])(text)
}

/** Adds the names in `.env` that neither the oracle nor this command reads. */
const withUnread = (inspection: OracleInspection, { envFile }: Project): OracleInspection => {
  const bot = botVariables.map(([variable]) => variable)
  const read = new Set(
    [...inspection.variables, ...inspection.unknownVariables, ...commandVariables, ...bot].map(it => it.name),
  )
  const unread = Object.keys(envFile).filter(name => !read.has(name) && !/^(NODE|SIBYL)_/.test(name))
  return {
    ...inspection,
    unknownVariables: [...inspection.unknownVariables, ...unread.map(name => ({ name }))],
  }
}

const manifest = z.object({ version: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]{0,50}$/) })

/**
 * Returns the remedy for a project with another version of `@sibyl/core` than this command.
 *
 * @returns a sentence; undefined if they agree, or none is installed
 */
const otherVersion = async (folder: string): Promise<string | undefined> => {
  const [core, own] = await Promise.all([installedCore(folder), ownVersion()])
  if (core === undefined || core === own) return undefined
  return `The project has @sibyl/core ${core}, and this sibyl is ${own}: use the command of the project (npx sibyl), or install all @sibyl packages in one version.`
}

/** Returns the version of `@sibyl/core` that is installed in a folder, or in one above it. */
export const installedCore = async (folder: string): Promise<string | undefined> => {
  const text = await findUpward(folder, one =>
    readFile(join(one, 'node_modules/@sibyl/core/package.json'), 'utf8').catch(() => undefined),
  )
  return manifest.safeParse(parseJson(text ?? '')).data?.version
}
