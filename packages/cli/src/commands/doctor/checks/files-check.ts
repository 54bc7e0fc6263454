import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { homeFolder, octal } from '../../../home/home-folder.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

const gitLimitMs = 5_000

/** Checks the permissions of the secrets of the project and of this user, and whether git tracks them. */
export const checkFiles = async (context: DoctorContext): Promise<Finding[]> => {
  const { project, io } = context
  const [own, ofProject] = await Promise.all([
    checkHome(homeFolder(io.env)),
    project ? checkProjectFiles(project.folder, context) : [],
  ])
  return [...own, ...ofProject]
}

const checkHome = async (folder: string): Promise<Finding[]> => {
  const { ok, warn, fail } = findingsOf('Files', 'home')
  const mode = await modeOf(folder)
  if (mode === undefined) return [ok(`${folder} is created when it is needed`)]
  if (mode & 0o022) return [fail(`Other users can write to ${folder} (${octal(mode)}).`, `chmod 700 ${folder}`)]
  const keys = join(folder, 'keys')
  const files = [...(await filesIn(folder)), ...(await filesIn(keys))]
  const open = []
  for (const file of files) if (((await modeOf(file)) ?? 0) & 0o077) open.push(file)
  if (open.length > 0) return [warn(`Other users can read ${open.join(', ')}.`, `chmod 600 ${open.join(' ')}`)]
  return [ok(`only you can read ${folder}`)]
}

/** Returns the files with keys or rights, by their extension. */
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter(entry => entry.isFile() && entry.name.endsWith('.json'))
    .slice(0, 200)
    .map(entry => join(folder, entry.name))

const checkProjectFiles = async (folder: string, { io, project }: DoctorContext): Promise<Finding[]> => {
  const env = join(folder, '.env')
  const mode = await modeOf(env)
  const { ok, warn } = findingsOf('Files', 'env-mode')
  if (mode === undefined) {
    if (Object.keys(project?.envFile ?? {}).length > 0) return []
    return [warn('There is no .env: all settings come from the environment.', 'To create one: sibyl env init')]
  }
  const findings = [
    mode & 0o077 ? warn(`Other users can read .env (${octal(mode)}).`, 'chmod 600 .env') : ok('only you can read .env'),
  ]
  const data = await modeOf(join(folder, '.data'))
  if (data !== undefined && data & 0o077) {
    findings.push(
      findingsOf('Files', 'data-mode').warn(`Other users can read .data (${octal(data)}).`, 'chmod 700 .data'),
    )
  }
  return [...findings, ...(await checkGit(folder, io.env))]
}

const checkGit = async (folder: string, env: NodeJS.ProcessEnv): Promise<Finding[]> => {
  const { ok, warn, fail } = findingsOf('Files', 'env-git')
  const git = (...args: string[]) => exitCodeOf('git', ['-C', folder, ...args], env)
  if ((await git('rev-parse', '--is-inside-work-tree')) !== 0) return []
  if ((await git('ls-files', '--error-unmatch', '.env')) === 0) {
    const fix =
      'Run git rm --cached .env, add it to .gitignore, and change every secret in it: the history of git contains the old ones.'
    return [fail('.env is in git, with all its secrets.', fix)]
  }
  if ((await git('check-ignore', '-q', '.env')) === 0) return [ok('git leaves .env out')]
  return [warn('.env is not ignored by git.', 'Add the line .env to .gitignore.')]
}

/** Returns the exit code of a program; -1 if it could not be started or timed out. */
const exitCodeOf = (file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise(resolve => {
    execFile(file, args, { env, timeout: gitLimitMs }, error =>
      resolve(error === null ? 0 : typeof error.code === 'number' ? error.code : -1),
    )
  })

/** Returns the mode of a file or folder; undefined if it does not exist, and on Windows. */
const modeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mode }) => (process.platform === 'win32' ? 0 : mode & 0o777),
    () => undefined,
  )
