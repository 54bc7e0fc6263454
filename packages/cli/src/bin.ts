#!/usr/bin/env node
import { processIo } from './command-io.ts'
import { keepCompiled } from './compile-cache.ts'

const io = processIo()
const argv = process.argv.slice(2)
/** These go on until somebody ends them: where nobody reads what they say any more, they end by themselves. */
const isEndless = ['chat', '--chat', 'ussd', 'dev', 'devnet'].includes(argv[0] ?? '')
for (const stream of [io.stdout, io.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The terminal has gone: SIGHUP ends the command, which may have to clean up.
    if (error.code === 'EIO') return
    // Whoever read along has gone, as in `sibyl chat | head`; what was to be done is done all the same.
    if (error.code === 'EPIPE' && !isEndless) return
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
}

keepCompiled(io.env)
const { run } = await import('./main.ts')
const code = await run(argv, io)
for (const stream of [io.stdout, io.stderr]) await new Promise(resolve => stream.write('', resolve))
process.exit(code)
