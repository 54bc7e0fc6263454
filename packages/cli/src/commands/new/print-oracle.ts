import { relative } from 'node:path'
import { cleanText, writeJson } from '../../output/clean-text.ts'
import { displayWidth, wrapWords } from '../../output/display-width.ts'
import { formatCount, shellWord } from '../../output/format.ts'
import { stylesFor } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { ScaffoldAnswers } from '../../scaffold/answers/scaffold-answers.ts'
import type { RepositoryOutcome } from '../../scaffold/git/begin-repository.ts'
import { findCheckout } from '../../scaffold/packages/find-checkout.ts'
import { packageCommands } from '../../scaffold/render/package-commands.ts'
import type { ScaffoldedOracle } from '../../scaffold/scaffold-oracle.ts'
import { listedPort } from './check-answers.ts'

/** A new oracle, and the results of the steps after it. */
export interface CreatedOracle extends ScaffoldedOracle {
  readonly git: RepositoryOutcome | undefined
  readonly installed: boolean
  /** The arguments of the package manager for the installation. */
  readonly installArguments: readonly string[]
}

/** Prints the result as one JSON object. */
export const printOracleAsJson = (created: CreatedOracle, io: CommandIo): void => {
  const { answers, registration, placed, target } = created
  const { start, talk } = nextCommands(created, io)
  writeJson(io, {
    folder: target.folder,
    name: answers.profile.name,
    template: answers.template,
    network: answers.network,
    did: created.oracleDid,
    entityDid: registration?.entityDid ?? null,
    registry: registration?.registry.url ?? null,
    controllers: created.controllers,
    apiUrl: answers.apiUrl,
    port: answers.port,
    tenant: answers.tenant ?? null,
    bot: created.botUserId ?? null,
    files: placed.written,
    left: placed.left,
    movedTo: placed.movedTo ?? null,
    keysMade: created.madeKeys,
    git: created.git?.kind ?? null,
    packageManager: answers.packageManager,
    installed: created.installed,
    resumed: created.resumed,
    next: [start.join(' && '), talk],
  })
}

/** Minimum columns to show values beside their names. */
const wide = 64

/** Shows the result, its files, and the next steps. */
export const printOracle = (created: CreatedOracle, io: CommandIo): void => {
  const { stdout, env } = io
  const { bold, dim, accent } = stylesFor(stdout, env)
  const columns = stdout.columns ?? 100
  const print = (line = '') => stdout.write(`${line}\n`)
  const put = (text: string, indent = 2) => {
    for (const line of wrapWords(text, columns - indent)) print(' '.repeat(indent) + line)
  }
  const rows = rowsOf(created, io)
  const width = Math.max(...rows.map(([name]) => displayWidth(name))) + 4
  print(`\n${bold(`${created.answers.profile.name} is made.`)}\n`)
  for (const [name, value] of rows) {
    if (columns < wide) {
      if (name !== '') print(`  ${dim(name)}`)
      put(value, 4)
    } else {
      const [first = '', ...more] = wrapWords(value, columns - width)
      print(`  ${dim(name.padEnd(width - 2))}${first}`)
      for (const line of more) print(' '.repeat(width) + line)
    }
  }
  for (const note of notesOf(created, sibylFor(created, io))) {
    print()
    for (const line of note) put(line)
  }
  const { start, where, talk } = nextCommands(created, io)
  const joined = start.join(' && ')
  print('\nNext:\n')
  for (const line of displayWidth(joined) + 2 <= columns ? [joined] : start) print(`  ${accent(line)}`)
  print()
  put(`Then, ${where}:`, 0)
  print()
  print(`  ${accent(talk)}`)
}

type Row = readonly [name: string, value: string]

const rowsOf = (created: CreatedOracle, io: CommandIo): readonly Row[] => {
  const { answers, registration, placed, botUserId, madeKeys, target, git } = created
  const rows: Row[] = [['DID', created.oracleDid]]
  if (registration === undefined) rows.push(['entity', 'not registered'])
  else {
    rows.push(['entity', registration.entityDid], ['', `at ${registration.registry.title}`])
    rows.push(['signed by', signerOf(answers)])
    if (answers.signing === 'qr') rows.push(['', registration.controllerDid])
  }
  if (answers.tenant !== undefined) rows.push(['database', `schema ${answers.tenant} of DATABASE_URL`])
  rows.push(['bot', botUserId ?? 'none: no MATRIX_BASE_URL'])
  rows.push(['project', `${formatCount(placed.written.length, 'file')} in ${pathFor(target.folder, io)}`])
  if (placed.left.length > 0) rows.push(['left', `unchanged: ${placed.left.join(', ')}`])
  if (placed.movedTo !== undefined) rows.push(['before', `moved to ${pathFor(placed.movedTo, io)}`])
  if (madeKeys.length > 0) rows.push(['keys', `${madeKeys.length} made, in .env (0600)`])
  return [...rows, ...gitRow(git)]
}

const signerOf = ({ signing, network }: ScaffoldAnswers): string => {
  if (signing === 'mnemonic') return 'its mnemonic'
  return network === 'devnet' ? 'your phone' : 'your phone; the account of its mnemonic pays'
}

const gitRow = (git: RepositoryOutcome | undefined): readonly Row[] => {
  if (git === undefined || git.kind === 'inside') return []
  if (git.kind === 'begun') return [['git', 'a repository, without a commit yet']]
  return [['git', git.kind === 'no-git' ? 'none: git is not installed' : `none: ${git.reason}`]]
}

const notesOf = (
  { answers, registration, madeKeys, placed }: CreatedOracle,
  sibyl: string,
): readonly (readonly string[])[] => {
  const listed = registration === undefined ? undefined : listedPort(answers)
  const isLeft = (path: string) => placed.left.includes(path)
  const wasProject = isLeft('.env') || isLeft('oracle.config.json')
  return [
    ...(madeKeys.includes('ORACLE_MNEMONIC')
      ? [['The mnemonic in ORACLE_MNEMONIC in .env controls this oracle: keep a copy in a safe place.']]
      : []),
    ...(answers.profile.model === 'offline' || answers.modelUrl !== undefined
      ? []
      : [[`For ${answers.profile.model} set OPENAI_API_KEY in .env; without it the offline model answers.`]]),
    ...(listed === undefined
      ? []
      : [
          [
            `The registry lists your oracle at ${answers.apiUrl}, but it listens on ${answers.port}.`,
            `Now: PORT=${listed} in .env`,
            `Or later, while it runs: ${sibyl} update-oracle-api-url --port ${answers.port}`,
          ],
        ]),
    ...(isLeft('.gitignore') && placed.written.includes('.env')
      ? [['.env has secrets: check that your existing .gitignore lists it.']]
      : []),
    ...(isLeft('package.json') && !wasProject
      ? [['package.json already existed: add the scripts, "type": "module" and dependencies that a new oracle has.']]
      : []),
    ...(placed.keptEntries === undefined
      ? []
      : [
          [
            `package.json has the scripts and dependencies of a new oracle. Of yours stay: ${placed.keptEntries.join(', ') || 'all'}.`,
          ],
        ]),
    ...(wasProject
      ? [[`It was not registered, because a project already existed. To register it: ${sibyl} create-entity --oracle`]]
      : []),
  ]
}

/** Returns the next commands: install, start, chat. */
const nextCommands = (
  { target, answers, installed, installArguments }: CreatedOracle,
  io: CommandIo,
): { readonly start: readonly string[]; readonly where: string; readonly talk: string } => {
  const { dev } = packageCommands(answers.packageManager)
  const install = [answers.packageManager, ...installArguments].join(' ')
  const path = relative(io.cwd, target.folder)
  const go = path === '' ? [] : [`cd ${shellWord(cleanText(wayFrom(path, target.folder)))}`]
  const onPath = isOnPath(io)
  // Outside the project, `sibyl chat` connects to another port by default.
  const url = onPath ? ` --url http://localhost:${answers.port}` : ''
  return {
    start: [...go, ...(installed ? [] : [install]), dev],
    where: onPath || path === '' ? 'in another terminal' : 'in another terminal, in that folder',
    talk: `${sibylFor({ answers }, io)} chat${url}`,
  }
}

/** Returns the command for further calls: itself if it is installed globally, otherwise that of the project. */
const sibylFor = ({ answers }: Pick<CreatedOracle, 'answers'>, io: CommandIo): string =>
  isOnPath(io) ? 'sibyl' : packageCommands(answers.packageManager).sibyl

const isOnPath = ({ env }: CommandIo): boolean =>
  env.npm_config_user_agent === undefined && findCheckout() === undefined

/**
 * Returns a path for a shell: relative if it leads down, otherwise absolute. A hyphen at its start does not become an
 * option.
 */
const wayFrom = (way: string, path: string): string => {
  if (way.startsWith('..')) return path
  return way.startsWith('-') ? `./${way}` : way
}

/** Returns a path to display: relative if it is below the current folder, otherwise absolute. */
const pathFor = (path: string, { cwd }: CommandIo): string => {
  const way = relative(cwd, path)
  if (way === '') return 'this folder'
  return cleanText(way.startsWith('..') ? path : `./${way}`)
}
