// Packs every published package, checks it as its users install it, and publishes it: node scripts/release.mjs [--dry-run]
// [--built]. --dry-run publishes nothing; --built packs what the last build left in dist.
// Publishing runs in a GitHub workflow only, because npm signs the provenance of a package with the identity of the run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkTarball } from './release/check-tarball.mjs'
import { inOrder } from './release/in-order.mjs'
import { publishedFolders } from './release/published-folders.mjs'
import { releaseTable } from './release/release-table.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, built: { type: 'boolean' } } })
const { version } = readManifest('.')
const work = mkdtempSync(join(tmpdir(), 'sibyl-release-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))

if (!values['dry-run']) requireWorkflow()
const folder = join(work, 'packages')
if (!run(process.execPath, ['scripts/pack-packages.mjs', folder, ...(values.built ? ['--built'] : [])])) process.exit(1)

const checked = await Promise.all(readdirSync(folder).map(file => checkTarball(join(folder, file))))
const packages = inOrder(checked)
const faults = packages.flatMap(({ manifest, faults }) => faults.map(fault => `${manifest.name}: ${fault}`))
console.log(`\n${releaseTable(packages)}\n`)
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error(`\n${faults.length} problems. Nothing was published.`)
  process.exit(1)
}
if (values['dry-run']) console.log(`Dry run: ${packages.length} packages would be published as ${version}.`)
else for (const each of packages) publish(each)

/** Exits unless this is the workflow of a version's tag; then names the repository in each manifest, as provenance requires. */
function requireWorkflow() {
  const { GITHUB_ACTIONS, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_SERVER_URL } = process.env
  if (GITHUB_ACTIONS !== 'true' || !GITHUB_REPOSITORY) {
    console.error('Packages are published by .github/workflows/release.yml only. Use npx -y pnpm@12 release --dry-run')
    process.exit(2)
  }
  if (GITHUB_REF_NAME !== `v${version}`) {
    console.error(`The tag is '${GITHUB_REF_NAME}', and the version is ${version}. Tag the commit as v${version}.`)
    process.exit(2)
  }
  for (const directory of publishedFolders(root)) {
    const repository = { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`, directory }
    const manifest = { ...readManifest(directory), repository }
    writeFileSync(join(root, directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

/** Publishes one tarball; a version that the registry has already is skipped, so that a failed release can be repeated. */
function publish({ file, manifest }) {
  const spec = `${manifest.name}@${manifest.version}`
  const token = process.env.NPM_TOKEN
  const npmrc = join(work, 'npmrc')
  // The token never appears in an argument; npm reads it from the environment.
  writeFileSync(npmrc, token ? `${'//'}registry.npmjs.org/:_authToken=\${NPM_TOKEN}\n` : '', { mode: 0o600 })
  const options = ['--userconfig', npmrc]
  const view = spawnSync('npm', ['view', spec, 'version', ...options], { encoding: 'utf8' })
  if (view.status === 0 && view.stdout.trim() === manifest.version) return console.log(`${spec} is already published`)
  const tag = manifest.version.includes('-') ? 'next' : 'latest'
  if (run('npm', ['publish', file, '--provenance', '--access', 'public', '--tag', tag, ...options])) return
  console.error(`${spec} was not published. Fix the cause and run the workflow again.`)
  process.exit(1)
}

function readManifest(path) {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
}

function run(program, args) {
  return spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status === 0
}
