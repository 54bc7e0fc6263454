import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { bundledSibyl } from '../../process/bundled-sibyl.test.helper.ts'

/** A home for the command, gone after the test. */
export const temporaryHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'sibyl-devnet-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** `sibyl devnet` as a process, ended after the test. */
export const startDevnet = (home: string, args: readonly string[] = []) => {
  const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [bundledSibyl, 'devnet', ...args], {
    env: { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, SIBYL_HOME: home },
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
  return {
    ended,
    /** Waits until it has told all; fails when it ends without. */
    async started() {
      const lost = ended.then(end => {
        throw new Error(`It ended before it had started: ${JSON.stringify(end)}`)
      })
      lost.catch(() => {})
      while (!shown.stdout.includes('curl ')) await Promise.race([once(child.stdout, 'data'), lost])
      return {
        ...shown,
        url: /http:\S+/.exec(shown.stdout)?.[0] ?? '',
        did: / DID +(\S+)/.exec(shown.stdout)?.[1],
        signer: /did:key:\w+/.exec(shown.stdout)?.[0],
        apiKey: /devnet_[\w-]+/.exec(shown.stdout)?.[0],
      }
    },
    kill(signal: NodeJS.Signals) {
      child.kill(signal)
      return ended
    },
  }
}
