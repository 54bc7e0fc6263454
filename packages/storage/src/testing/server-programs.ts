import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The user 'nobody': PostgreSQL and PgBouncer do not run as root. */
const unprivilegedUser = 65_534
const START_TIME_LIMIT_MS = 60_000

const asRoot = process.getuid?.() === 0

const command = (program: string, args: readonly string[]): readonly [string, readonly string[]] =>
  asRoot ? ['setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', program, ...args]] : [program, args]

/** Returns whether a program is on PATH. */
export const isInstalled = async (program: string): Promise<boolean> => {
  try {
    await run(program, ['--version'])
    return true
  } catch {
    return false
  }
}

/** Gives a file or folder to the user that servers run as. */
export const giveToServer = (path: string): void => {
  if (asRoot) chownSync(path, unprivilegedUser, unprivilegedUser)
}

/** Makes a temporary folder that servers can write to. */
export const makeServerFolder = (prefix: string): string => {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  giveToServer(folder)
  return folder
}

/** Runs a program to its end as the user that servers run as. */
export const runAsServer = async (program: string, args: readonly string[], cwd: string): Promise<void> => {
  const [asWhom, asArgs] = command(program, args)
  await run(asWhom, asArgs, { cwd })
}

/**
 * Starts a server in its folder and resolves when it logs that it is ready. Its shell sends it the signal when standard
 * input closes, which it does at the latest when this process ends.
 */
export const startServer = async (options: {
  readonly program: string
  readonly args: readonly string[]
  readonly folder: string
  readonly endSignal: 'QUIT' | 'TERM'
  /** A part of the line that it logs when it is ready. */
  readonly readyLine: string
}): Promise<ChildProcess> => {
  const script = `program=$1; shift; "$program" "$@" & server=$!; read -r _; kill -${options.endSignal} $server; wait $server`
  const [program, args] = command('sh', ['-c', script, 'sh', options.program, ...options.args])
  const server = spawn(program, args, { cwd: options.folder, stdio: ['pipe', 'ignore', 'pipe'] })
  const timer = setTimeout(() => server.stdin?.end(), START_TIME_LIMIT_MS)
  const lines: string[] = []
  for await (const line of createInterface({ input: server.stderr! })) {
    lines.push(line)
    if (!line.includes(options.readyLine)) continue
    clearTimeout(timer)
    server.stderr!.resume()
    return server
  }
  clearTimeout(timer)
  throw new Error(`${options.program} did not start:\n${lines.join('\n')}`)
}
