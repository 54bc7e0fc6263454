import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import { openDeveloperKey, run } from '@sibyl/cli'
import { createOracleApp } from '@sibyl/core'
import { readConfig } from '@sibyl/example-quickstart/config'
import { notebook } from '@sibyl/example-quickstart/notebook'
import { createMnemonic } from '@sibyl/identity'
import { workspaceRoot } from '@sibyl/tooling-source'
import type { Frame } from './frame.ts'
import { RecordingTerminal } from './recording-terminal.ts'

/** The size of the recorded terminal, in characters. */
export const terminalSize = { columns: 84, rows: 40 }

const weatherProvider = join(workspaceRoot, 'packages/plugins/weather/src/testing/local-provider-process.ts')

/**
 * Records a conversation with the quickstart's oracle: `sibyl chat` on a terminal, against an oracle that runs in this
 * process with the offline model and a local server for the weather.
 */
export const recordSession = async (): Promise<readonly Frame[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-session-'))
  const provider = spawn(process.execPath, ['--conditions=sibyl-source', weatherProvider], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [address] = await once(provider.stdout, 'data')
    const oracle = await createOracleApp({
      config: readConfig(),
      plugins: [...bundledPlugins(), notebook()],
      env: {
        NO_COLOR: '1',
        LOG_LEVEL: 'silent',
        PORT: '0',
        DATABASE_URL: `file:${join(folder, 'sibyl.db')}`,
        ORACLE_MNEMONIC: createMnemonic(12).reveal(),
        LLM_PROVIDER: 'offline',
        PIN_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
        WEATHER_BASE_URL: String(address).trim(),
      },
    })
    try {
      const ready = new Promise(resolve => oracle.on('ready', resolve))
      const { url } = await oracle.listen()
      await ready
      const home = join(folder, 'home')
      await openDeveloperKey(home)
      return await converse(
        new RecordingTerminal(terminalSize.columns, terminalSize.rows, { SIBYL_HOME: home }, folder),
        url,
      )
    } finally {
      await oracle.close()
    }
  } finally {
    provider.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

const converse = async (terminal: RecordingTerminal, url: string): Promise<readonly Frame[]> => {
  await terminal.echo('$ npx -y pnpm@12 sibyl chat\n')
  const ended = run(['chat', '--url', url], terminal.io)
  await terminal.until('you ')
  await terminal.type("What's the weather in Berlin?\r")
  await terminal.until('offline model')
  await terminal.until('you ')
  await terminal.type('Note that the pump leaks\r')
  await terminal.until('offline model')
  await terminal.until('you ')
  await terminal.type('Erase my notes\r')
  await terminal.until('Allow it?')
  await terminal.type('\r')
  await terminal.until('offline model')
  await terminal.until('you ')
  const frames = terminal.frames.map(frame => withAddress(frame, new URL(url).host))
  await terminal.type('\u0004')
  await ended
  return frames
}

/** Shows the address that the quickstart has when its port is not in use. */
const withAddress = (frame: Frame, host: string): Frame => ({
  ...frame,
  rows: frame.rows.map(row => row.map(run => ({ ...run, text: run.text.replace(host, 'localhost:3000') }))),
})
