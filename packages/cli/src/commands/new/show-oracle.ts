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

/** A new oracle, and what was done for its folder afterwards. */
export interface MadeOracle extends ScaffoldedOracle {
  readonly git: RepositoryOutcome | undefined
  readonly installed: boolean
  /** What its package manager is called with for that. */
  readonly installArguments: readonly string[]
}

/** Tells as one JSON object what was made. */
export const tellOracle = (made: MadeOracle, io: CommandIo): void => {
  const { answers, registration, placed, target } = made
  const { start, talk } = nextCommands(made, io)
  writeJson(io, {
    folder: target.folder,
    name: answers.profile.name,
    template: answers.template,
    network: answers.network,
    did: made.oracleDid,
    entityDid: registration?.entityDid ?? null,
    registry: registration?.registry.url ?? null,
    controllers: made.controllers,
    apiUrl: answers.apiUrl,
    port: answers.port,
    bot: made.botUserId ?? null,
    files: placed.written,
    left: placed.left,
    movedTo: placed.movedTo ?? null,
    keysMade: made.madeKeys,
    git: made.git?.kind ?? null,
    packageManager: answers.packageManager,
    installed: made.installed,
    resumed: made.resumed,
    next: [start.join(' && '), talk],
  })
}

/** From as many columns on, values stand beside their names. */
const wide = 64

/** Shows a person what was made, where everything is, and what to do next. */
export const showOracle = (made: MadeOracle, io: CommandIo): void => {
  const { stdout, env } = io
  const { bold, dim, accent } = stylesFor(stdout, env)
  const columns = stdout.columns ?? 100
  const say = (line = '') => stdout.write(`${line}\n`)
  const put = (text: string, indent = 2) => {
    for (const line of wrapWords(text, columns - indent)) say(' '.repeat(indent) + line)
  }
  const rows = rowsOf(made, io)
  const width = Math.max(...rows.map(([name]) => displayWidth(name))) + 4
  say(`\n${bold(`${made.answers.profile.name} is made.`)}\n`)
  for (const [name, value] of rows) {
    if (columns < wide) {
      if (name !== '') say(`  ${dim(name)}`)
      put(value, 4)
    } else {
      const [first = '', ...more] = wrapWords(value, columns - width)
      say(`  ${dim(name.padEnd(width - 2))}${first}`)
      for (const line of more) say(' '.repeat(width) + line)
    }
  }
  for (const note of notesOf(made, sibylFor(made, io))) {
    say()
    for (const line of note) put(line)
  }
  const { start, where, talk } = nextCommands(made, io)
  const joined = start.join(' && ')
  say('\nNext:\n')
  for (const line of displayWidth(joined) + 2 <= columns ? [joined] : start) say(`  ${accent(line)}`)
  say()
  put(`Then, ${where}:`, 0)
  say()
  say(`  ${accent(talk)}`)
}

type Row = readonly [name: string, value: string]

const rowsOf = (made: MadeOracle, io: CommandIo): readonly Row[] => {
  const { answers, registration, placed, botUserId, madeKeys, target, git } = made
  const rows: Row[] = [['DID', made.oracleDid]]
  if (registration === undefined) rows.push(['entity', 'not registered'])
  else {
    rows.push(['entity', registration.entityDid], ['', `at ${registration.registry.title}`])
    rows.push(['signed by', signerOf(answers)])
    if (answers.signing === 'qr') rows.push(['', registration.controllerDid])
  }
  rows.push(['bot', botUserId ?? 'none: no MATRIX_BASE_URL'])
  rows.push(['project', `${formatCount(placed.written.length, 'file')} in ${pathFor(target.folder, io)}`])
  if (placed.left.length > 0) rows.push(['left', `as they were: ${placed.left.join(', ')}`])
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
  return [['git', git.kind === 'no-git' ? 'none: git is not on this computer' : `none: ${git.reason}`]]
}

const notesOf = (
  { answers, registration, madeKeys, placed }: MadeOracle,
  sibyl: string,
): readonly (readonly string[])[] => {
  const listed = registration === undefined ? undefined : listedPort(answers)
  const isLeft = (path: string) => placed.left.includes(path)
  const wasProject = isLeft('.env') || isLeft('oracle.config.json')
  return [
    ...(madeKeys.includes('ORACLE_MNEMONIC')
      ? [['Whoever has the words of ORACLE_MNEMONIC in .env is this oracle: keep a copy in a safe place.']]
      : []),
    ...(answers.profile.model === 'offline'
      ? []
      : [[`For ${answers.profile.model} set OPENAI_API_KEY in .env; without it the offline model answers.`]]),
    ...(listed === undefined
      ? []
      : [
          [
            `The registry lists your oracle at ${answers.apiUrl}, it listens on ${answers.port}.`,
            `Now: PORT=${listed} in .env`,
            `Or later, while it runs: ${sibyl} update-oracle-api-url --port ${answers.port}`,
          ],
        ]),
    ...(isLeft('.gitignore') && placed.written.includes('.env')
      ? [['.env holds secrets: see that .gitignore, which was there, names it.']]
      : []),
    ...(isLeft('package.json') && !wasProject
      ? [['package.json was there: add what a new oracle has in its own, scripts, "type": "module" and dependencies.']]
      : []),
    ...(wasProject
      ? [[`It was not registered, as there was a project already. To register it: ${sibyl} create-entity --oracle`]]
      : []),
  ]
}

/** Returns what to type next: what installs and starts it, and what talks to it. */
const nextCommands = (
  { target, answers, installed, installArguments }: MadeOracle,
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

/** Returns what runs the command from now on: itself where it is installed for all, else the project's own. */
const sibylFor = ({ answers }: Pick<MadeOracle, 'answers'>, io: CommandIo): string =>
  isOnPath(io) ? 'sibyl' : packageCommands(answers.packageManager).sibyl

const isOnPath = ({ env }: CommandIo): boolean =>
  env.npm_config_user_agent === undefined && findCheckout() === undefined

/** A path for a shell: the way there where it leads down, else in full. A hyphen at the beginning makes no option of it. */
const wayFrom = (way: string, path: string): string => {
  if (way.startsWith('..')) return path
  return way.startsWith('-') ? `./${way}` : way
}

/** Returns a path for people: from here where it is below, else in full. */
const pathFor = (path: string, { cwd }: CommandIo): string => {
  const way = relative(cwd, path)
  if (way === '') return 'this folder'
  return cleanText(way.startsWith('..') ? path : `./${way}`)
}
