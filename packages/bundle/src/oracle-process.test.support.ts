import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('./oracle.test.support.ts', import.meta.url))

/** Oracles start in half the time with packages that are bundled, from the current sources. */
const bundle = fileURLToPath(new URL('../../../scripts/bundle-packages.mjs', import.meta.url))
execFileSync(process.execPath, [bundle, '--if-changed'], { stdio: 'pipe' })

/** How a process ended, and all that it said. */
export interface EndedProcess {
  readonly code: number | NodeJS.Signals
  readonly stdout: string
  readonly stderr: string
  /** What it told of itself, with SIBYL_INSPECT=3. */
  readonly inspection: string
}

/** An oracle with the bundled plugins as a process, ended after the test; on a free port unless `env` names one. */
export const startOracle = (folder: string, env: Readonly<Record<string, string>> | 'nothing') => {
  const args = [program, ...(env === 'nothing' ? ['nothing'] : [])]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...(env === 'nothing' ? {} : { PORT: '0', ...env }),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable>
  onTestFinished(() => void child.kill('SIGKILL'))
  const content = { stdout: '', stderr: '', inspection: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', text => {
      content[name] += text
    })
  }
  ;(child.stdio[3] as Readable).setEncoding('utf8').on('data', text => {
    content.inspection += text
  })
  const ended: Promise<EndedProcess> = once(child, 'close').then(([code, signal]) => ({
    code: code ?? signal,
    ...content,
  }))
  return {
    ended,
    said: content,
    /** Waits until standard output has these words; fails when the process ends without them. */
    async until(words: string): Promise<void> {
      const lost = ended.then(end => {
        throw new Error(`It ended without saying ${JSON.stringify(words)}: ${JSON.stringify(end)}`)
      })
      lost.catch(() => {})
      while (!content.stdout.includes(words)) await Promise.race([once(child.stdout, 'data'), lost])
    },
    /** Waits until it listens. */
    async url(): Promise<string> {
      await this.until('listening')
      return /http:[^\s"]+/.exec(content.stdout.slice(content.stdout.indexOf('listening')))?.[0] ?? ''
    },
    stop(): Promise<EndedProcess> {
      child.kill('SIGTERM')
      return ended
    },
  }
}
