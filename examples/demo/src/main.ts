import { processIo, run } from '@sibyl/cli'
import { isBootError } from '@sibyl/plugin'
import { bootOracle } from './boot-oracle.ts'
import { Cleanup } from './cleanup.ts'
import { Narrator } from './narrator.ts'
import { tourSession, visit } from './tour.ts'

const { env, stdin, stdout } = process
const onTerminal = stdout.isTTY === true && env.TERM !== 'dumb'
const narrator = new Narrator(stdout, onTerminal && !env.NO_COLOR)
const cleanup = new Cleanup()

const stopping = new AbortController()
const { signal } = stopping
const stop = () => stopping.abort()
process.once('SIGINT', stop)
// A closing terminal emits this more than once.
for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
// The terminal or the pipe is closed: there is no reader.
for (const stream of [stdout, process.stderr]) stream.on('error', stop)

const demo = async (): Promise<void> => {
  narrator.headline('Sibyl', '  a tour of a running oracle; nothing of it stays on this computer')
  const { url, key, home } = await bootOracle(narrator, cleanup)
  await visit({ narrator, url, key, signal })
  narrator.blank()
  if (onTerminal && stdin.isTTY && !env.CI) await letTalk(url, home)
  else narrator.headline('All of it went as it should.', 'The oracle of this tour ends here.')
  narrator.headline('For one that stays:', 'npx -y pnpm@12 start')
}

/** Hands the terminal to the user until they exit, or the process has to stop. */
const letTalk = async (url: string, home: string): Promise<void> => {
  const suggestions = 'Ask for the weather in Tokyo; say “Note that the pump leaks”, then “Erase my notes”.'
  narrator.headline('Your turn.', suggestions)
  narrator.blank()
  process.off('SIGINT', stop)
  const argv = ['chat', '--url', url, '--session', tourSession]
  const talking = run(argv, { ...processIo(), env: { ...env, SIBYL_HOME: home } })
  await Promise.race([talking, new Promise(resolve => signal.addEventListener('abort', resolve))])
  signal.throwIfAborted()
  narrator.blank()
  narrator.headline('That was all.', 'The oracle of this tour ends here.')
}

let exitCode = 0
try {
  await demo()
} catch (error) {
  exitCode = signal.aborted ? 130 : 1
  const reason = error instanceof Error ? error.message : String(error)
  const words = isBootError(error) ? 'The oracle did not start.' : reason
  console.error(signal.aborted ? '\nStopped.' : `\nThe demo failed: ${words}`)
} finally {
  await cleanup.run()
}
process.exit(exitCode)
