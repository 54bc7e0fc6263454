import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { reservePort } from '@sibyl/testing'
import { onTestFinished } from 'vitest'
import { FakeTerminal } from '../commands/chat/terminal.test.helper.ts'
import { bufferedLog } from '../devnet/buffered-log.ts'
import { type StartedDevnet, startDevnet } from '../devnet/start-devnet.ts'
import { run } from '../main.ts'

/** A folder, gone after the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-registry-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A devnet in this process; close it after the tests. */
export const openDevnet = async (): Promise<
  StartedDevnet & { readonly folder: string; readonly remove: () => Promise<void> }
> => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-devnet-'))
  const { logger } = bufferedLog(new FakeTerminal({}).io.stderr)
  const started = await startDevnet({ folder, port: await reservePort(), logger })
  return {
    ...started,
    folder,
    async remove() {
      await started.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An oracle's project on disk, gone after the test. */
export const makeProject = async (config: object = {}, env: Readonly<Record<string, string>> = {}) => {
  const folder = join(temporaryFolder(), 'Über Oracle')
  mkdirSync(folder)
  const words = createMnemonic(12)
  const { did } = await signingKeyFromMnemonic(words)
  const write = (members: object) =>
    writeFileSync(join(folder, 'oracle.config.json'), JSON.stringify({ name: 'Field Oracle', ...members }))
  write(config)
  const settings = Object.entries({ ORACLE_MNEMONIC: words.reveal(), ...env })
  writeFileSync(join(folder, '.env'), settings.map(([name, value]) => `${name}="${value}"\n`).join(''), { mode: 0o600 })
  return { folder, did, words, configure: write }
}

/** A person at a computer, who calls `sibyl`. */
export const person = (env: Readonly<Record<string, string>> = {}) => {
  const home = temporaryFolder()
  const start = (args: readonly string[], { cwd = home, isTTY = false, stdin = '', columns = 80 } = {}) => {
    const terminal = new FakeTerminal({ SIBYL_HOME: home, ...env }, isTTY, columns, cwd)
    if (!isTTY) terminal.stdin.end(stdin)
    return { terminal, ended: run(args, terminal.io) }
  }
  const sibyl = async (args: readonly string[], options: Parameters<typeof start>[1] = {}) => {
    const { terminal, ended } = start(args, options)
    const code = await ended
    return { code, text: terminal.text, errors: terminal.errors }
  }
  /** The one object of a call with `--json`. */
  const json = async (args: readonly string[], options: Parameters<typeof start>[1] = {}) => {
    const { code, text } = await sibyl([...args, '--json'], options)
    return { code, ...JSON.parse(text) }
  }
  return { home, start, sibyl, json }
}
