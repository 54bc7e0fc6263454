// Plays systemd-run: the settings of the file override those of `-E`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

const args = process.argv.slice(2)
const env = { ...process.env }
const properties = {}
for (;;) {
  const option = args.shift()
  if (option === '-E' || option === '-p') {
    const [, name, value] = /^(\w+)=(.*)$/.exec(args.shift())
    if (option === '-E') env[name] = value
    else properties[name] = value
  } else if (!option.startsWith('-')) {
    Object.assign(env, parseEnv(readFileSync(properties.EnvironmentFile, 'utf8')))
    const { status } = spawnSync(option, args, { cwd: properties.WorkingDirectory, env, stdio: 'inherit' })
    process.exit(status ?? 1)
  }
}
