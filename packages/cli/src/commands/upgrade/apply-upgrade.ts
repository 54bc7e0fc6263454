import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, parseJson } from '@sibyl/protocol'
import { untilInterrupted } from '../../ask/until-interrupted.ts'
import { during } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { cleanText } from '../../output/clean-text.ts'
import type { PackageManager } from '../../package-manager/detect-package-manager.ts'
import { installProject, runManager } from '../../package-manager/install-project.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { replaceProjectFile } from '../../project/read-project-file.ts'
import type { ChangedSource } from './moved-imports.ts'
import type { ProjectTexts, UpgradePlan } from './plan-upgrade.ts'
import type { UpgradeOptions } from './upgrade-command.ts'

export const manifestFile = 'package.json'
export const workspaceFile = 'pnpm-workspace.yaml'
const lockfiles = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock']

/** The scripts that show whether a project works with its new packages. */
const verifyingScripts = ['check', 'test']
/** Lines of the end of the output of a failed script that are shown. */
const shownLines = 15

interface Upgrade {
  readonly folder: string
  readonly texts: ProjectTexts
  readonly sources: readonly ChangedSource[]
  readonly options: UpgradeOptions
  readonly io: CommandIo
}

/**
 * Writes the planned files, installs, and runs the scripts of the project. If one of them fails, all files are restored;
 * with `--keep`, those of a failed script stay.
 *
 * @returns the names of the scripts that passed
 * @throws `install_failed`, `upgrade_failed`
 */
export const applyUpgrade = async (plan: UpgradePlan, upgrade: Upgrade): Promise<readonly string[]> => {
  const { folder, texts, sources, options, io } = upgrade
  const vendor = join(folder, 'vendor')
  const removeAll = async (names: readonly string[]) => {
    for (const name of names) await rm(join(vendor, name), { force: true })
  }
  const locks = await readLocks(folder)
  const undo = async () => {
    await writeTexts(folder, texts)
    for (const { path, before } of sources) await replaceKept(path, before)
    for (const [path, content] of locks) await writeFile(path, content)
    await removeAll(plan.added.map(({ fileName }) => fileName))
  }
  await mkdir(vendor, { recursive: true })
  let passed: readonly string[] = []
  try {
    for (const { fileName, content } of plan.added) await writeFile(join(vendor, fileName), content)
    await writeTexts(folder, plan)
    for (const { path, after } of sources) await replaceKept(path, after)
    if (options.install !== false) {
      await install(folder, io)
      passed = await verify(upgrade, async () => {
        await undo()
        return install(folder, io).then(
          () => true,
          () => false,
        )
      })
    }
  } catch (error) {
    if (!cliErrors.upgrade_failed.is(error)) await undo()
    else if (options.keep) await removeAll(plan.removed)
    throw error
  }
  await removeAll(plan.removed)
  return passed
}

/**
 * Runs the scripts of the project.
 *
 * @param restore Restores the project; returns whether its packages are installed.
 */
const verify = async ({ folder, options, io }: Upgrade, restore: () => Promise<boolean>): Promise<string[]> => {
  const manager = managerOf(folder)
  const passed: string[] = []
  for (const script of await scriptsOf(folder)) {
    const { code, output } = await untilInterrupted(io, signal =>
      during(`Running ${script}`, io, () =>
        runManager(['run', script], { folder, manager, env: { ...io.env, NO_COLOR: '1' }, signal }),
      ),
    )
    if (code !== 0) {
      const end = cleanText(output.trimEnd().split('\n').slice(-shownLines).join('\n'))
      const message = `${manager} run ${script} fails with the new packages:\n${end}`
      if (options.keep) {
        const again = verifyingScripts.map(name => `${manager} run ${name}`).join(' and ')
        throw cliErrors.upgrade_failed(message, `The new packages are installed. Fix the project until ${again} pass.`)
      }
      const next = 'To keep the new packages and fix the project, upgrade with --keep.'
      const state = (await restore())
        ? 'The project is as before the upgrade.'
        : `The files are as before the upgrade; install their packages: ${manager} install.`
      throw cliErrors.upgrade_failed(message, `${state} ${next}`)
    }
    passed.push(script)
  }
  return passed
}

const scriptsOf = async (folder: string): Promise<string[]> => {
  const manifest = parseJson(await readFile(join(folder, manifestFile), 'utf8'))
  const scripts = isObject(manifest) && isObject(manifest.scripts) ? manifest.scripts : {}
  return verifyingScripts.filter(name => Object.hasOwn(scripts, name))
}

const readLocks = async (folder: string): Promise<(readonly [string, Uint8Array])[]> => {
  const paths = lockfiles.map(name => join(folder, name)).filter(existsSync)
  return Promise.all(paths.map(async path => [path, await readFile(path)] as const))
}

const install = async (folder: string, io: CommandIo): Promise<void> => {
  const manager = managerOf(folder)
  await untilInterrupted(io, signal =>
    during(`Installing with ${manager}`, io, () => installProject(folder, manager, io.env, signal)),
  ).catch(error => {
    if (!cliErrors.install_failed.is(error)) throw error
    throw cliErrors.install_failed(error.message, 'The files are as before the upgrade.', { cause: error })
  })
}

const writeTexts = async (folder: string, { manifest, workspace }: ProjectTexts): Promise<void> => {
  await replaceKept(join(folder, manifestFile), manifest)
  if (workspace !== undefined) await replaceKept(join(folder, workspaceFile), workspace)
}

const replaceKept = async (path: string, text: string): Promise<void> =>
  replaceProjectFile(path, text, (await stat(path)).mode & 0o777)

/** Returns the package manager of the project, by its files. */
const managerOf = (folder: string): PackageManager => {
  if (existsSync(join(folder, workspaceFile))) return 'pnpm'
  return existsSync(join(folder, 'yarn.lock')) ? 'yarn' : 'npm'
}
