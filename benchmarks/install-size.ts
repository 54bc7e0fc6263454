// Production packages that an app with core and weather installs: how many and how large. Needs the npm registry.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'sibyl-install-'))
const manifests = new Map(
  globSync(['packages/*/package.json', 'packages/plugins/*/package.json'], { cwd: root }).map(file => {
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8'))
    return [manifest.name as string, { folder: join(root, dirname(file)), dependencies: manifest.dependencies ?? {} }]
  }),
)
/** The package with those of this workspace that it needs. */
const withNeeded = (name: string): string[] => [
  name,
  ...Object.keys(manifests.get(name)?.dependencies ?? {}).flatMap(other =>
    manifests.has(other) ? withNeeded(other) : [],
  ),
]
const packages = new Set(['@sibyl/core', '@sibyl/plugin-weather'].flatMap(withNeeded))
execFileSync('npx', ['-y', 'pnpm@12', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
for (const name of packages) {
  execFileSync('npx', ['-y', 'pnpm@12', 'pack', '--pack-destination', work], {
    cwd: manifests.get(name)?.folder,
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
