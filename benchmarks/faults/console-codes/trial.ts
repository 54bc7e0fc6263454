// Opens the console from a terminal, and signs in with what other accounts of the computer read in the argument of the browser.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { bundledAdapters } from '@sibyl/bundle'
import { json, TestClient } from '@sibyl/bundle/testing'
import { reservePort, testApp } from '@sibyl/testing'
import { reportTrial } from '../frame/report-trial.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const ORACLE_OPERATOR_TOKEN = 'operator-token-of-the-trial-01'
const port = await reservePort()
const url = `http://localhost:${port}`
const { app } = await testApp({
  plugins: [],
  adapters: bundledAdapters(),
  env: { ORACLE_OPERATOR_TOKEN, ORACLE_ADAPTERS: 'none', PUBLIC_URL: url },
})
await app.listen({ host: '127.0.0.1', port })

const home = mkdtempSync(join(tmpdir(), 'sibyl-codes-'))
const argument = join(home, 'argument')
const browser = join(home, 'browser')
writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${argument}.new && mv ${argument}.new ${argument}\n`, {
  mode: 0o700,
})
const cli = join(import.meta.dirname, '../../../packages/cli/src/bin.ts')
const command = [process.execPath, ...process.execArgv, cli, 'console', '--url', url].join(' ')
const folders = { XDG_DATA_DIRS: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, SIBYL_HOME: home }
// A terminal: without one, the command prints the address.
const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
  cwd: home,
  env: {
    ...process.env,
    ...folders,
    ...{ XDG_CURRENT_DESKTOP: '', DE: 'generic', DISPLAY: ':9', BROWSER: browser, CI: '', ORACLE_OPERATOR_TOKEN },
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let text = ''
terminal.stdout.on('data', (chunk: Buffer) => {
  text += chunk.toString()
})
await once(terminal, 'exit')
for (const line of text.split('\r\n')) if (line.startsWith('{"removed"')) process.stdout.write(`${line}\n`)
announceOracle(url, app.identity.did)
const rest = /Type this code there: ([0-9A-Z]+)/.exec(text)?.[1] ?? ''
for (let waited = 0; !existsSync(argument) && waited < 300; waited += 1) await setTimeout(100)
const read = new URL(readFileSync(argument, 'utf8')).hash.slice('#code='.length)
rmSync(home, { recursive: true })

const send = async (path: string, init?: RequestInit) => app.request(path, init)
/** Returns whether a code signs in. */
const signsIn = async (code: string): Promise<boolean> => {
  const client = new TestClient(send, 'sibyl-console')
  const { path, cookie } = await client.begin({ redirect_uri: `${url}/console`, scope: 'session/read' })
  return (await send(`${path}/code`, json({ code, scopes: ['session/read'] }, { cookie }))).status < 400
}
const withArgument = await signsIn(read)
const whole = withArgument || (await signsIn(`${read}${rest}`))
await app.close()
reportTrial({
  tried: { 'codes that the user signs in with': Number(whole) },
  violations: {
    'codes that the argument of the browser has whole': withArgument ? ['it signs in'] : [],
    'ends of codes in the argument': rest !== '' && read.includes(rest) ? ['it has the end'] : [],
  },
})
