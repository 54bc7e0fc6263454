import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Oracles start in half the time with packages that are bundled, from the current sources. */
const bundle = fileURLToPath(new URL('../../../scripts/bundle-packages.mjs', import.meta.url))
execFileSync(process.execPath, [bundle, '--if-changed'], { stdio: 'pipe' })

/** A folder for `.env` and `.data`, gone after the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-quickstart-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The quickstart as a process of its own, ended after the test; on a free port unless `env` names one. */
export const startQuickstart = (folder: string, env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [program, folder], {
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const shown = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', text => {
      shown[name] += text
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, ...shown }))

  /** Waits until the output has these words; fails when the process ends without them. */
  const until = async (name: 'stdout' | 'stderr', words: string) => {
    const lost = ended.then(end => {
      throw new Error(`It ended without saying ${JSON.stringify(words)}: ${JSON.stringify(end)}`)
    })
    lost.catch(() => {})
    while (!shown[name].includes(words)) await Promise.race([once(child[name], 'data'), lost])
  }

  return {
    ended,
    until,
    /** Waits until it is ready and gives its address. */
    async url(): Promise<string> {
      await until('stdout', '[boot] ready')
      return /http:\S+/.exec(shown.stdout)?.[0] ?? ''
    },
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
