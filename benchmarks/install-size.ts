// Production packages that an app with core and weather installs: how many and how large. Needs the npm registry.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'sibyl-install-'))
const packages = ['protocol', 'identity', 'storage', 'core', 'plugins/weather']
const folders = packages.map(name => `packages/${name}`)
execFileSync('npx', ['tsc', '-b', ...folders], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
for (const name of packages) {
  execFileSync('npx', ['-y', 'pnpm@12', 'pack', '--pack-destination', work], {
    cwd: join(root, 'packages', name),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
const tarballs = readdirSync(work).filter(file => file.endsWith('.tgz'))
const nameOf = (file: string) => file.replace(/^sibyl-/, '@sibyl/').replace(/-\d+\.\d+\.\d+\.tgz$/, '')
const local = Object.fromEntries(tarballs.map(file => [nameOf(file), `file:./${file}`]))
const manifest = { name: 'app', private: true, type: 'module', dependencies: local, overrides: local }
writeFileSync(join(work, 'package.json'), JSON.stringify(manifest))
execFileSync('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
  cwd: work,
  stdio: 'inherit',
})
const lock = execFileSync('npm', ['ls', '--all', '--parseable'], { cwd: work, encoding: 'utf8' })
const count = new Set(lock.trim().split('\n')).size - 1
const kilobytes = Number(execFileSync('du', ['-sk', 'node_modules'], { cwd: work, encoding: 'utf8' }).split('\t')[0])
console.log(
  `core + weather: ${count} packages, ${(kilobytes / 1000).toFixed(1)} MB in node_modules, ${tarballs.length} of them ours`,
)
rmSync(work, { recursive: true, force: true })
