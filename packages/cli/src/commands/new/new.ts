import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { intro } from '@clack/prompts'
import { type Asker, mayAsk } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import { listenForInterruption } from '../../ask/until-interrupted.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { readGivenWords } from '../../keystore/given-secret.ts'
import { installArguments, installProject } from '../../package-manager/install-project.ts'
import { newCommandOf } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { oldestNode } from '../../process/node-version.ts'
import { oldShellNode } from '../../process/shell-node.ts'
import { tenantDatabase } from '../../scaffold/answers/tenant-database.ts'
import { beginRepository } from '../../scaffold/git/begin-repository.ts'
import { lockTarget } from '../../scaffold/journal/lock-target.ts'
import { ScaffoldJournal } from '../../scaffold/journal/scaffold-journal.ts'
import { realEffects } from '../../scaffold/real-effects.ts'
import type { ScaffoldEffects } from '../../scaffold/scaffold-effects.ts'
import { type ScaffoldPlan, scaffoldOracle } from '../../scaffold/scaffold-oracle.ts'
import { realTarget, type TargetFolder, targetFolder } from '../../scaffold/staging/target-folder.ts'
import { checks, folderFromName } from './check-answers.ts'
import { collectAnswers } from './collect-answers.ts'
import { commandLine, flagsOf, usual } from './command-line.ts'
import { checkFlags, checkNothingMissing, givenAddresses, switchesOf } from './given-answers.ts'
import type { NewOptions } from './new-command.ts'
import { type CreatedOracle, printOracle, printOracleAsJson } from './print-oracle.ts'
import { resumeAnswers } from './resume-answers.ts'
import { showPlan } from './show-plan.ts'

/** Runs `sibyl new`. Throws CommandError. */
export const runNew = async (dir: string | undefined, options: NewOptions, io: CommandIo): Promise<void> => {
  const asker = clackAsker(io, options.json ? io.stderr : undefined)
  const asks = mayAsk(io, options)
  const interruption = listenForInterruption(io)
  try {
    if (asks) intro('A new oracle. Press Ctrl-C to cancel.', { output: io.stdout })
    await newOracle(dir, options, {
      io,
      asker,
      asks,
      effects: realEffects(io, asker, asks),
      signal: interruption.signal,
    })
  } finally {
    interruption.release()
  }
}

interface NewMeans {
  readonly io: CommandIo
  readonly asker: Asker
  /** Whether questions are possible. */
  readonly asks: boolean
  readonly effects: ScaffoldEffects
  readonly signal: AbortSignal
}

/** Creates an oracle: finds its folder, collects the answers, runs the steps, and shows the next steps. */
export const newOracle = (dir: string | undefined, options: NewOptions, means: NewMeans): Promise<void> =>
  makeOracle(dir, options, means).catch(error => {
    if (!cliErrors.interrupted.is(error) || error.remedy !== '') throw error
    throw cliErrors.interrupted(error.message, 'Nothing was written.', { cause: error })
  })

const makeOracle = async (dir: string | undefined, options: NewOptions, means: NewMeans): Promise<void> => {
  const { io, asks } = means
  checkFlags(dir, options)
  printOwnNode(means, options)
  const [target, release] = await findTarget(dir, options, means)
  try {
    if (options.dryRun) {
      const plan = await planOracle(target, options, means)
      return await showPlan({ ...plan, effects: means.effects, json: options.json === true }, io)
    }
    const journal = new ScaffoldJournal(target.folder, io.env)
    if (options.fresh) printDiscarded(await journal.setAside(), means)
    const record = await journal.read()
    if (record === undefined && !asks) checkNothingMissing(dir, options, io.env)
    const plan: ScaffoldPlan = record
      ? {
          target,
          answers: resumeAnswers(record, options, await readGivenWords(options.mnemonicFile, io)),
          words: undefined,
          record,
        }
      : await planOracle(target, options, means)
    tenantDatabase(plan.answers.tenant, io.env)
    if (record) printResumed(plan, means)
    const scaffolded = await scaffoldOracle(plan, { ...means, journal, called: newCommandOf(io.env) }).catch(error => {
      if (asks && !record && !cliErrors.scaffold_unfinished.is(error)) printRepeatCommand(plan, options, means)
      throw error
    })
    await finish(scaffolded, options, means)
  } finally {
    await release()
  }
}

/** Reports, before the questions, that the Node of the shell cannot run the project. */
const printOwnNode = ({ io, asker }: NewMeans, { json }: NewOptions): void => {
  const version = oldShellNode(io.env)
  if (version === undefined || json) return
  const text = `Your Node ${version} cannot run the project, which needs ${oldestNode} or later. The project gets Node ${process.versions.node} of its own from npm.`
  asker.note([text, 'To use yours instead: nvm install 24, or https://nodejs.org'], 'Node')
}

/** The folder of the project, and its lock unless it is a dry run. */
type LockedTarget = readonly [target: TargetFolder, release: () => Promise<void>]

/** Finds the folder; on a terminal asks again until a project can be created there. */
const findTarget = async (dir: string | undefined, options: NewOptions, means: NewMeans): Promise<LockedTarget> => {
  const { io, asker, asks } = means
  const { name } = options
  if (dir !== undefined) return openTarget(dir, options, io)
  if (!asks) {
    checkNothingMissing(dir, options, io.env)
    return openTarget(folderFromName(name ?? ''), options, io)
  }
  for (;;) {
    const initial = name === undefined ? usual.folder : `./${folderFromName(name)}`
    const answer = await asker.text('Where?', { initial, check: checks.folder })
    try {
      return await openTarget(answer.trim(), options, io)
    } catch (error) {
      if (!cliErrors.folder_not_usable.is(error)) throw error
      asker.note([error.message, error.remedy])
    }
  }
}

/** Locks a folder and inspects it; a `~` that the shell did not expand is the home folder of the user. */
const openTarget = async (dir: string, options: NewOptions, io: CommandIo): Promise<LockedTarget> => {
  const path = resolve(io.cwd, dir.replace(/^~(?=$|[/\\])/, io.env.HOME || homedir()))
  const folder = await realTarget(path)
  const release = options.dryRun ? async () => {} : await lockTarget(folder, io.env)
  try {
    return [await targetFolder(path, options, { cwd: io.cwd, home: homeFolder(io.env) }), release]
  } catch (error) {
    await forgetIfFinished(new ScaffoldJournal(folder, io.env), folder)
    await release()
    throw error
  }
}

/** Discards the record of a run that was killed after it had placed the project. */
const forgetIfFinished = async (journal: ScaffoldJournal, folder: string): Promise<void> => {
  const entityDid = (await journal.read().catch(() => undefined))?.entityDid
  if (entityDid === undefined) return
  const config = await readFile(join(folder, 'oracle.config.json'), 'utf8').catch(() => '')
  if (config.includes(entityDid)) await journal.forget()
}

const planOracle = async (
  target: TargetFolder,
  options: NewOptions,
  { io, asker, asks }: NewMeans,
): Promise<ScaffoldPlan> => {
  const hasProject = target.kind === 'merge' && ['.env', 'oracle.config.json'].some(it => target.entries.includes(it))
  const { answers, words } = await collectAnswers({
    folder: target.folder,
    options: hasProject ? { ...options, register: false, matrixUrl: 'none' } : options,
    io,
    asker: asks ? asker : undefined,
  })
  return { target, answers, words, record: undefined }
}

/** Shows the typed answers as a command, so that they are not lost. A typed mnemonic is asked for again. */
const printRepeatCommand = ({ answers, words }: ScaffoldPlan, options: NewOptions, { io, asker }: NewMeans): void => {
  const { '--auth': auth, '--rpc-url': rpcUrl, ...flags } = flagsOf(answers)
  const again = {
    ...(words && options.auth === undefined ? {} : { '--auth': auth }),
    ...flags,
    // That of CHAIN_RPC_URL may contain a key, and is set the next time.
    ...(rpcUrl === givenAddresses({ ...options, rpcUrl: undefined }, io.env).rpcUrl ? {} : { '--rpc-url': rpcUrl }),
  }
  const folder = relative(io.cwd, answers.folder)
  asker.note([], 'To run it again with your answers:')
  // On one line at any width, so that it can be copied.
  io.stdout.write(`\n${commandLine(newCommandOf(io.env), folder || '.', again, switchesOf(options))}\n\n`)
}

const printDiscarded = (kept: string | undefined, { asker }: NewMeans): void => {
  if (kept === undefined) return
  asker.note(
    [`The mnemonic stays in ${kept}, because its account may have funds.`],
    'The previous run is not continued',
  )
}

const printResumed = ({ record }: ScaffoldPlan, { asker }: NewMeans): void => {
  const when = record?.startedAt.slice(0, 16).replace('T', ' ')
  const what =
    record?.entityDid === undefined
      ? 'Its answers were accepted unchanged.'
      : `${record.entityDid} is already registered.`
  asker.note([what, 'To start over: --fresh'], `Continuing the run of ${when} UTC`)
}

const finish = async (
  scaffolded: Awaited<ReturnType<typeof scaffoldOracle>>,
  { install, json }: NewOptions,
  { io, asker, signal }: NewMeans,
): Promise<void> => {
  const { target, answers } = scaffolded
  const git = answers.git && target.kind !== 'merge' ? await beginRepository(target.folder, io.env) : undefined
  const show = (installed: boolean) => {
    const created: CreatedOracle = { ...scaffolded, git, installed, installArguments: args }
    return json ? printOracleAsJson(created, io) : printOracle(created, io)
  }
  const args = await installArguments(target.folder, answers.packageManager)
  if (!install) return show(false)
  try {
    await asker.during(`Installing with ${answers.packageManager}`, () =>
      installProject(target.folder, answers.packageManager, io.env, signal),
    )
  } catch (error) {
    if (!json) show(false)
    if (!signal.aborted) throw error
    const again = `The project was written. To install it: ${[answers.packageManager, ...args].join(' ')}`
    throw cliErrors.interrupted('The installation was interrupted.', again, { cause: error })
  }
  show(true)
}
