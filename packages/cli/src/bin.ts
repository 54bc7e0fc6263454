#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { processIo } from './process/command-io.ts'
import { oldNode } from './process/node-version.ts'

const io = processIo()
const argv = process.argv.slice(2)
const old = oldNode(process.versions.node, {
  caller: io.env.npm_lifecycle_script === 'create-sibyl' ? 'create-sibyl' : 'sibyl',
  inProject: existsSync(join(io.cwd, 'oracle.config.json')),
})
if (old) {
  if (argv.includes('--json'))
    io.stdout.write(`${JSON.stringify({ error: { code: 'configuration_invalid', ...old } })}\n`)
  io.stderr.write(`sibyl: ${old.message}\n       ${old.remedy}\n`)
  process.exit(3)
}
/** Commands that run until they are stopped. They exit automatically when their output is closed. */
const isEndless = ['chat', '--chat', 'api', 'ussd', 'dev', 'devnet'].includes(argv[0] ?? '')
for (const stream of [io.stdout, io.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The terminal was closed: SIGHUP ends the command, which may have to clean up.
    if (error.code === 'EIO') return
    // The reader has gone, as in `sibyl chat | head`; the work is completed anyway.
    if (error.code === 'EPIPE' && !isEndless) return
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
}

// Node 22 warns that its SQLite is experimental.
if (process.versions.node.startsWith('22.')) await import('@sibyl/core/node-version')

// The rest uses features that an old Node lacks.
const { keepCompiled } = await import('./process/compile-cache.ts')
keepCompiled(io.env)
const { run } = await import('./main.ts')
const code = await run(argv, io)
for (const stream of [io.stdout, io.stderr]) await new Promise(resolve => stream.write('', resolve))
process.exit(code)
