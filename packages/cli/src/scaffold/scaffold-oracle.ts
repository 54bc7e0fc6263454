import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { createMnemonic, type Mnemonic, parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import type { BotCredentials } from '../bot/bot-account.ts'
import { madeSecrets } from '../env/made-secrets.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import { explainError } from '../errors/explain-error.ts'
import { shellWord } from '../output/format.ts'
import { readProjectFile, replaceProjectFile } from '../project/read-project-file.ts'
import type { PackageSource, ProjectFile } from './answers/project-facts.ts'
import type { ScaffoldAnswers } from './answers/scaffold-answers.ts'
import { beginRecord, Progress, type ScaffoldRecord } from './journal/scaffold-journal.ts'
import { type Registration, registerEntity } from './register-entity.ts'
import { editWorkspace } from './render/edit-workspace.ts'
import { mergeManifest } from './render/merge-manifest.ts'
import type { ScaffoldMeans } from './scaffold-effects.ts'
import { checkMerge, type PlacedProject, placeProject } from './staging/place-project.ts'
import { stageProject } from './staging/staged-project.ts'
import type { TargetFolder } from './staging/target-folder.ts'

export interface ScaffoldPlan {
  readonly target: TargetFolder
  readonly answers: ScaffoldAnswers
  /** The mnemonic of the oracle; by default a new one. */
  readonly words: Mnemonic | undefined
  /** The effects of an earlier run for this folder. */
  readonly record: ScaffoldRecord | undefined
}

export interface ScaffoldedOracle {
  readonly target: TargetFolder
  readonly answers: ScaffoldAnswers
  readonly oracleDid: string
  readonly controllers: readonly string[]
  readonly registration: Registration | undefined
  readonly botUserId: string | undefined
  readonly placed: PlacedProject
  /** The names of the variables in `.env` with generated values. */
  readonly madeKeys: readonly string[]
  /** Whether an earlier run was continued. */
  readonly resumed: boolean
}

/**
 * Creates an oracle: registers it, provisions its bot, and places its project. A failed or interrupted run leaves no
 * file; its external effects are in the journal, and the next call continues from there.
 *
 * @throws CommandError; `scaffold_unfinished` when there were external effects
 */
export const scaffoldOracle = async (plan: ScaffoldPlan, means: ScaffoldMeans): Promise<ScaffoldedOracle> => {
  const { target, answers } = plan
  const { effects, asker, journal, signal } = means
  const words = plan.record ? recordedWords(plan.record) : (plan.words ?? createMnemonic(24))
  const { did: oracleDid } = await signingKeyFromMnemonic(words)
  const progress = new Progress(
    journal,
    { ...(plan.record ?? beginRecord(answers, words.reveal())), answers },
    plan.record,
  )
  const staged = await stageProject(target)
  try {
    const packages = await effects.findPackages(answers, asker.during.bind(asker))
    const developerDid = await effects.developerDid()
    // Written before the first external effect: a full disk fails here.
    const sources = await effects.renderSources({ answers, packages })
    await checkFiles(target, sources)
    await staged.write(sources, signal)
    signal.throwIfAborted()
    const registration = answers.register
      ? await registerEntity({ answers, words, oracleDid }, progress, means)
      : undefined
    signal.throwIfAborted()
    const bot = await provisionBot(answers, progress, means)
    const controllers = [...new Set([registration?.controllerDid ?? oracleDid, developerDid])]
    const { entityDid } = registration ?? {}
    const settings = effects.renderSettings({ answers, mnemonic: words.reveal(), entityDid, controllers, bot })
    await staged.write(settings, signal)
    signal.throwIfAborted()
    const placed = await withManifest(await placeProject(target, staged), target.folder, { sources, packages })
    await journal.forget()
    return {
      target,
      answers,
      oracleDid,
      controllers,
      registration,
      botUserId: bot?.userId,
      placed,
      madeKeys: madeKeysIn(settings, placed, plan.words !== undefined),
      resumed: plan.record !== undefined,
    }
  } catch (error) {
    await staged.remove()
    throw progress.begun
      ? unfinishedError(error, progress.record, `${means.called} ${shellWord(target.folder)}`)
      : error
  }
}

/** Adds the scripts, dependencies and overrides to the files of package managers in a folder that was no project. */
const withManifest = async (
  placed: PlacedProject,
  folder: string,
  { sources, packages }: { readonly sources: readonly ProjectFile[]; readonly packages: PackageSource },
): Promise<PlacedProject> => {
  const isLeft = (path: string) => placed.left.includes(path)
  const made = sources.find(({ path }) => path === manifestPath)?.content
  if (!isLeft(manifestPath) || isLeft('oracle.config.json') || typeof made !== 'string') return placed
  const keptEntries = await mergeManifest(folder, made)
  if (keptEntries === undefined) return placed
  const merged = [manifestPath]
  const workspace = join(folder, workspacePath)
  const own = isLeft(workspacePath) ? await readProjectFile(workspace) : undefined
  if (own !== undefined && !/^overrides:[^\n]*\S/m.test(own)) {
    await replaceProjectFile(workspace, editWorkspace(own, packages), (await stat(workspace)).mode & 0o777)
    merged.push(workspacePath)
  }
  return { ...placed, left: placed.left.filter(path => !merged.includes(path)), keptEntries }
}

const manifestPath = 'package.json'
const workspacePath = 'pnpm-workspace.yaml'

const recordedWords = ({ mnemonic }: ScaffoldRecord): Mnemonic => {
  const parsed = parseMnemonic(mnemonic)
  if (parsed.ok) return parsed.mnemonic
  throw cliErrors.configuration_invalid(
    'The record of the unfinished run for this folder is damaged.',
    'Begin again: --fresh',
  )
}

const checkFiles = async ({ kind, folder }: TargetFolder, files: readonly ProjectFile[]): Promise<void> => {
  if (kind === 'merge' || kind === 'empty') {
    await checkMerge(
      folder,
      files.map(({ path }) => path),
    )
  }
}

const provisionBot = async (
  answers: ScaffoldAnswers,
  progress: Progress,
  { effects, asker, signal }: ScaffoldMeans,
): Promise<BotCredentials | undefined> => {
  const { matrixBaseUrl: baseUrl } = answers
  const { bot, botAccount } = progress.record
  if (baseUrl === undefined) return undefined
  if (bot?.baseUrl === baseUrl) return bot
  const account = botAccount?.baseUrl === baseUrl ? botAccount : undefined
  const made = await asker.during('Preparing the messaging bot', () =>
    effects.provisionBot({
      answers,
      baseUrl,
      account,
      signal,
      onRegistered: user => progress.note({ botAccount: { baseUrl, ...user } }),
    }),
  )
  await progress.note({ bot: made })
  return made
}

const madeKeysIn = (
  files: readonly ProjectFile[],
  { written }: PlacedProject,
  wordsGiven: boolean,
): readonly string[] => {
  const file = files.find(({ path }) => path === '.env' && written.includes(path))
  if (file === undefined) return []
  const variables = parseEnv(String(file.content))
  return madeSecrets
    .map(({ variable }) => variable)
    .filter(variable => variables[variable] && !(wordsGiven && variable === 'ORACLE_MNEMONIC'))
}

/**
 * Returns the error for a run that stopped after its first external effect, with the command to continue.
 *
 * @param command Continues the run.
 */
const unfinishedError = (error: unknown, record: ScaffoldRecord, command: string): CommandError => {
  const { message, remedy, exitCode } = explainError(error)
  const done = record.entityDid === undefined ? '' : ` The oracle is already registered, as ${record.entityDid}.`
  const again = cliErrors.account_unfunded.is(error)
    ? `Its mnemonic is stored, and nothing was written. When it has funds, continue with the same command: ${command}`
    : `No file was written; to continue from here: ${command}`
  const withoutBot =
    cliErrors.homeserver_unavailable.is(error) || cliErrors.bot_refused.is(error)
      ? `Or without a bot: ${command} --matrix-url none`
      : ''
  return cliErrors.scaffold_unfinished(`${message}${done}`, [remedy, again, withoutBot].filter(Boolean).join(' '), {
    exitCode,
    cause: error,
  })
}
