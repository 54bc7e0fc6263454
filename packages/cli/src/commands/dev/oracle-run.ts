import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import type { OutputStream } from '../../process/command-io.ts'
import type { OracleCommand } from '../../project/oracle-command.ts'

/** The message of an oracle on the pipe of SIBYL_DEV. */
const listening = z.object({ listening: z.object({ url: z.string().max(1_000) }) })

/** The end of an oracle: its exit code or its signal. */
export type RunEnd = number | NodeJS.Signals

/** Starts the oracle of a project. Its output goes to these streams. */
export const startRun = (
  { file, args, cwd, env }: OracleCommand,
  { stdout, stderr }: { readonly stdout: OutputStream; readonly stderr: OutputStream },
) => {
  const stdio: StdioOptions = ['ignore', descriptorOf(stdout), descriptorOf(stderr), 'pipe']
  const child = spawn(file, args, { cwd, env: { ...env, SIBYL_DEV: '3' }, stdio })
  child.stdout?.pipe(stdout, { end: false })
  child.stderr?.pipe(stderr, { end: false })
  const ended = new Promise<RunEnd>(resolve => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 1))
    child.once('error', () => resolve(1))
  })
  return {
    /** Resolves with its address once it responds; never, if it exits before. */
    listening: listeningOf(child),
    ended,
    /** Stops it, and kills it after this time. */
    stop(graceMs: number): Promise<RunEnd> {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      return ended.finally(() => clearTimeout(timer))
    },
    kill: (): void => void child.kill('SIGKILL'),
  }
}

export type OracleRun = ReturnType<typeof startRun>

/** Returns the descriptor of a terminal or a file, so that the oracle can detect it. */
const descriptorOf = (stream: OutputStream & { readonly fd?: number }): number | 'pipe' => stream.fd ?? 'pipe'

const listeningOf = (child: ChildProcess): Promise<string> =>
  new Promise(resolve => {
    const pipe = child.stdio[3] as Readable
    pipe.on('error', () => {})
    createInterface({ input: pipe }).on('line', line => {
      const read = listening.safeParse(parseJson(line))
      if (read.success) resolve(read.data.listening.url)
    })
  })
