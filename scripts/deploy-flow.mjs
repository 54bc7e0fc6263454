// A project on a server, as docs/guide/deploy.md says it: its lines are run as they stand there, below a folder that stands for
// the server's /opt, /etc and /var. systemd is played by starting what the project's unit says, with its environment alone.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { start } from './ci/run.mjs'
import { firstAnswer, freePort } from './ci/start-oracle.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const guide = readFileSync(join(root, 'docs/guide/deploy.md'), 'utf8')
/** The production install of each package manager, as the guide writes it. */
const installs = {
  npm: 'npm ci --omit=dev',
  pnpm: 'pnpm install --prod --frozen-lockfile',
  yarn: 'yarn workspaces focus --production',
}
/** Commands that need root or a server. */
const played = ['useradd', 'chgrp', 'systemctl', 'scp']
const stopSeconds = 20

/**
 * Makes the steps that deploy a project; each fails with what went wrong.
 *
 * @param options `name` and `command` are the package manager's, `sibyl` the project's command, `cwd` the project; `run` runs
 *   a command to its end and gives its output, `path` is its PATH.
 */
export function deploySteps({ name, command, sibyl, cwd, run, path }) {
  const server = new Server(path)
  const shell = (line, where = server.home) =>
    run(['sh', '-ec', server.map(line)], { cwd: where, path: [join(server.folder, 'bin'), path].join(delimiter) })
  const chat = (unit, session) =>
    run([...sibyl, 'chat', '--once', 'What can you do?', '--session', session, '--url', unit.url], { cwd })
  /** Mints one token for what follows, and gives what asks with it. Without a bearer it is good for GET alone. */
  const signIn = async (unit, ...flags) => {
    const abilities = ['--ability', 'session/*', '--ability', 'files/*']
    const token = (await run([...sibyl, 'token', ...abilities, ...flags, '--url', unit.url], { cwd })).trim()
    const authorization = `Bearer ${token.split(/\s+/).at(-1)}`
    const request = (path, { headers, ...init } = {}) =>
      fetch(unit.url + path, { ...init, headers: { ...headers, authorization } })
    const sessions = async () => {
      const { sessions = [] } = await (await request('/sessions')).json()
      return sessions
        .map(({ id }) => id)
        .toSorted()
        .join()
    }
    return { request, sessions }
  }
  const demand = (holds, what) => {
    if (!holds) throw new Error(what)
  }
  const copyOver = async () => {
    await shell(line('tar -czf'), cwd)
    copyFileSync(join(cwd, '../oracle.tgz'), join(server.home, 'oracle.tgz'))
  }
  const install = async () => {
    const [, ...rest] = installs[name].split(' ')
    demand(guide.includes(installs[name]), `the guide does not say: ${installs[name]}`)
    await shell(line('tar -xzf'))
    await shell(line('cd /opt/oracle && ').replace(installs.npm, [...command, ...rest].join(' ')))
    await shell(line('chgrp -R'))
  }
  let oracle
  let further
  let postgres

  return {
    steps: [
      [
        'deploy',
        async () => {
          await copyOver()
          copyFileSync(join(cwd, '.env'), join(server.home, '.env'))
          await shell(line('useradd'))
          await shell(line('mkdir -p /opt/oracle'))
          await shell(line('install -m 600 .env /etc'))
          await install()
          for (const secret of ['.env', '.data', '.git']) {
            demand(!existsSync(join(server.folder, 'opt/oracle', secret)), `${secret} was copied to the server`)
          }
          await shell(line('cp /opt/oracle/deploy/oracle.service'))
          const { stdout } = spawnSync('du', ['-sk', join(server.folder, 'opt/oracle')], { encoding: 'utf8' })
          return Number(stdout.split('\t')[0]) / 1000
        },
      ],
      [
        'inside another server',
        async () => {
          const [, program] = /^```ts [\w/.-]+\/site\.ts\n(.*?)^```$/ms.exec(guide) ?? []
          writeFileSync(join(cwd, 'src/site.ts'), program)
          const said = await run(['node', 'src/site.ts'], { cwd })
          rmSync(join(cwd, 'src/site.ts'))
          demand(said.trim().endsWith('200 ok'), said)
        },
      ],
      [
        'boot, chat on the server',
        async () => {
          const added = block('PUBLIC_URL=').replace(/^OPENAI_API_KEY=.*$/m, 'LLM_PROVIDER=offline')
          server.set(`${added}PORT=${await freePort()}\n`)
          oracle = await server.startUnit('oracle')
          const health = await (await fetch(`${oracle.url}/health`)).json()
          demand(health.environment === 'production', `it is not in production: ${JSON.stringify(health)}`)
          demand((await chat(oracle, 'before')).includes('I am the offline model'), 'the answer is another one')
        },
      ],
      [
        'backup, restore',
        async () => {
          const file = '/files/content?path=report.txt'
          const before = await signIn(oracle, '--bearer')
          await before.request(file, { method: 'PUT', body: 'all wells' })
          const backup = block('install -d -o oracle').replace('-o oracle -g oracle', '')
          await shell(backup)
          await before.request(`${file}&forever=true`, { method: 'DELETE', headers: { 'if-match': '*' } })
          demand((await before.request(file)).status === 404, 'the file is still there')
          await chat(oracle, 'since')
          demand((await before.sessions()) === 'before,since', 'a session is missing before the restore')
          await oracle.stop()
          server.set(server.map('DATABASE_URL=file:/var/lib/oracle/restored.db\n'))
          await shell(backup.replace('$as_oracle backup /var/backups/oracle', block('$as_oracle restore')))
          oracle = await server.startUnit('oracle')
          const after = await signIn(oracle)
          demand((await after.sessions()) === 'before', 'the database is not that of the backup')
          demand((await (await after.request(file)).text()) === 'all wells', 'the file of the backup is not there')
          demand(oracle.output().includes('restored from a backup'), `the restore was not noticed: ${oracle.output()}`)
        },
      ],
      [
        'upgrade on the server',
        async () => {
          const [, , ...driver] = line('npm install pg').split(' ')
          await run([...command, name === 'npm' ? 'install' : 'add', ...driver], { cwd })
          await copyOver()
          await oracle.stop()
          await shell(line('rm -rf /opt/oracle'))
          await install()
          oracle = await server.startUnit('oracle')
          demand((await (await signIn(oracle)).sessions()) === 'before', 'the sessions are gone')
          await oracle.stop()
        },
      ],
      [
        'two on PostgreSQL',
        async () => {
          postgres = await startPostgres()
          if (postgres === undefined) return
          server.set(`DATABASE_URL=${await postgres.createDatabase()}\n`)
          for (const start of [
            'cp /etc/systemd/system/oracle.service',
            'mkdir -p /etc/systemd/system/oracle-2',
            'printf',
            'echo PORT=',
          ]) {
            await shell(line(start))
          }
          writeFileSync(join(server.folder, 'etc/oracle-2.env'), `PORT=${await freePort()}\n`)
          const units = await Promise.all([server.startUnit('oracle'), server.startUnit('oracle-2')])
          oracle = units[0]
          further = units[1]
          await chat(oracle, 'shared')
          const elsewhere = await (await signIn(further)).sessions()
          demand(elsewhere === 'shared', `the second process has not that session: ${elsewhere}`)
          await oracle.stop()
          await chat(further, 'alone')
          await further.stop()
        },
      ],
    ],
    async end() {
      await oracle?.stop().catch(() => {})
      await further?.stop().catch(() => {})
      await postgres?.stop()
      server.remove()
    },
  }
}

/** The first line of a block of the guide that begins so, without its remark. */
function line(beginning) {
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text)
  const found = blocks.flatMap(text => text.split('\n')).find(one => one.startsWith(beginning))
  if (found === undefined) throw new Error(`docs/guide/deploy.md has no line that begins: ${beginning}`)
  return found.replace(/ {2,}#.*$/, '')
}

/** The block of the guide that begins so. */
function block(beginning) {
  const found = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].find(([, text]) => text.startsWith(beginning))
  if (found === undefined) throw new Error(`docs/guide/deploy.md has no block that begins: ${beginning}`)
  return found[1]
}

/** A folder that stands for a server. */
class Server {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-server-'))
  home = join(this.folder, 'root')
  #path

  constructor(path) {
    this.#path = path
    for (const part of ['root', 'bin', 'opt', 'etc/systemd/system', 'var/lib', 'var/cache', 'var/backups']) {
      mkdirSync(join(this.folder, part), { recursive: true })
    }
    for (const name of played) {
      writeFileSync(join(this.folder, 'bin', name), '#!/bin/sh\n')
      chmodSync(join(this.folder, 'bin', name), 0o755)
    }
    const systemdRun = `#!/bin/sh\nexec node '${join(root, 'scripts/ci/play-systemd-run.mjs')}' "$@"\n`
    writeFileSync(join(this.folder, 'bin/systemd-run'), systemdRun, { mode: 0o755 })
    process.on('exit', () => this.remove())
  }

  /** Names the folders of the server in a text; none of this computer's own may be left in it. */
  map(text) {
    const mapped = text.replace(/(?<![\w.-])\/(?=(opt|etc|var)\/)/g, `${this.folder}/`)
    if (/(?<![\w-])\/(opt|etc|var)\b/.test(mapped.replaceAll(`${this.folder}/`, '')))
      throw new Error(`not mapped: ${text}`)
    return mapped
  }

  /** Adds settings, which go before those above them. */
  set(settings) {
    const file = join(this.folder, 'etc/oracle.env')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n${settings}`)
  }

  /** Starts what a unit says, as systemd would, and waits until it is healthy. */
  async startUnit(name) {
    const units = join(this.folder, 'etc/systemd/system')
    const dropIns = join(units, `${name}.service.d`)
    const files = existsSync(dropIns) ? readdirSync(dropIns).map(file => join(dropIns, file)) : []
    const texts = [join(units, `${name}.service`), ...files].map(file => this.map(readFileSync(file, 'utf8')))
    const values = key =>
      texts.flatMap(text => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, it]) => it))
    for (const [kind, folder] of Object.entries({ StateDirectory: 'var/lib', CacheDirectory: 'var/cache' })) {
      for (const made of values(kind)) mkdirSync(join(this.folder, folder, made), { recursive: true, mode: 0o700 })
    }
    const environment = Object.assign(
      {},
      ...values('Environment').map(given => parseEnv(given.replaceAll(' ', '\n'))),
      ...values('EnvironmentFile').map(file => parseEnv(readFileSync(file, 'utf8'))),
    )
    const [program, ...args] = values('ExecStart')[0].replace('/usr/bin/node', process.execPath).split(' ')
    const assignments = Object.entries({ PATH: this.#path, ...environment }).map(([key, value]) => `${key}=${value}`)
    let output = ''
    const { ended, stop } = start(['env', '-i', ...assignments, program, ...args], {
      cwd: values('WorkingDirectory')[0],
      onOutput: text => {
        output += text
      },
    })
    const url = `http://127.0.0.1:${environment.PORT}`
    const state = await Promise.race([firstAnswer(`${url}/health`, 30), ended])
    if (state !== 'healthy') throw new Error(`${name}: ${state}\n${output.slice(-3000)}`)
    return {
      url,
      output: () => output,
      async stop() {
        const { why } = await stop(stopSeconds, 'SIGTERM')
        if (why !== 'exit code 0') throw new Error(`${name} ended with ${why}\n${output.slice(-3000)}`)
      },
    }
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A server of PostgreSQL for the two processes; undefined where this computer has none. */
async function startPostgres() {
  const { startPostgres } = await import('../packages/storage/src/testing/start-postgres.ts')
  return startPostgres()
}
