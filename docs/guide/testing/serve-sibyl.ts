import { appendFileSync, createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'

const root = join(import.meta.dirname, '../../..')

type Io = Readonly<Record<string, unknown>>

/** Runs a command of `sibyl` in this process. Returns its exit code. */
export const runSibyl = async (argv: readonly string[], io: Io): Promise<number> => {
  const cli: { run(argv: readonly string[], io: Io): Promise<number>; processIo(): Io } = await import(
    join(root, 'packages/cli/src/index.ts')
  )
  return cli.run(argv, { ...cli.processIo(), ...io })
}

/**
 * Serves `sibyl` in this process for the commands of a workspace, since a process for each takes three times the processor
 * time. `packages/cli/src/bin.test.ts` tests the process.
 */
export const serveSibyl = async (folder: string): Promise<Server> => {
  const server = createServer(async ({ url = '' }, response) => {
    const call = join(folder, 'calls', url)
    const [cwd = '', ...argv] = readParts(join(call, 'args'))
    const env = Object.fromEntries(readParts(join(call, 'env')).map(line => line.split(/=(.*)/s, 2)))
    // A relative home folder is in the folder of the process.
    const home = resolve(cwd, String(env.SIBYL_HOME))
    const stdin = createReadStream(join(call, 'stdin'))
    const output = { stdout: fileStream(join(call, 'stdout')), stderr: fileStream(join(call, 'stderr')) }
    response.end(String(await runSibyl(argv, { ...output, stdin, cwd, env: { ...env, SIBYL_HOME: home } })))
  })
  await new Promise<void>(done => server.listen(join(folder, socketName), done))
  return server
}

const socketName = 'sibyl.sock'

/** Returns the program `sibyl` of a workspace, which calls the server. */
export const sibylProgram = (folder: string, curl: string): string => `#!/bin/sh
call=${folder}/calls/$$
mkdir -p $call
printf '%s\\0' "$PWD" "$@" > $call/args
env -0 > $call/env
cat > $call/stdin
code=$('${curl}' -s --unix-socket ${folder}/${socketName} http://sibyl/$$)
cat $call/stdout
cat $call/stderr >&2
exit \${code:-1}
`

/** The parts of a file that end with a NUL. */
const readParts = (path: string): string[] => readFileSync(path, 'utf8').split('\0').slice(0, -1)

const fileStream = (path: string): Writable => {
  writeFileSync(path, '')
  return new Writable({
    write(chunk, _, done) {
      appendFileSync(path, chunk)
      done()
    },
  })
}
