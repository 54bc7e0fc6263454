#!/usr/bin/env node
import { processIo } from './command-io.ts'
import { keepCompiled } from './compile-cache.ts'

const io = processIo()
for (const stream of [io.stdout, io.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The terminal has gone: SIGHUP ends the command, which may have to clean up.
    if (error.code === 'EIO') return
    // Whoever read along has gone, as in `sibyl chat | head`.
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
}

keepCompiled(io.env)
const { run } = await import('./main.ts')
const code = await run(process.argv.slice(2), io)
for (const stream of [io.stdout, io.stderr]) await new Promise(resolve => stream.write('', resolve))
process.exit(code)
