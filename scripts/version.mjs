// Sets the version of the next release in every package, from the changesets: npx -y pnpm@12 release:version
// The summaries of the changesets become a section of CHANGELOG.md, with the text under Unreleased.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { releaseSection, replaceVersions } from './release/release-texts.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const read = path => readFileSync(join(root, path), 'utf8')
const write = (path, text) => writeFileSync(join(root, path), text)

const before = JSON.parse(read('package.json')).version
const summaries = globSync('.changeset/*.md', { cwd: root })
  .filter(path => !path.endsWith('README.md'))
  .sort()
  .map(path =>
    read(path)
      .replace(/^---[\s\S]*?\n---\s*/, '')
      .trim(),
  )
if (summaries.length === 0) {
  console.error('There are no changesets. Describe a change first: npx -y pnpm@12 changeset')
  process.exit(2)
}
const { status } = spawnSync(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version'], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)

const after = JSON.parse(read('packages/core/package.json')).version
write('package.json', read('package.json').replace(`"version": "${before}"`, `"version": "${after}"`))
for (const path of globSync('{packages,packages/plugins,packages/adapters,examples,templates}/*/src/**/*.ts', {
  cwd: root,
})) {
  const text = read(path)
  const replaced = replaceVersions(text, before, after)
  if (replaced !== text) write(path, replaced)
}
write('CHANGELOG.md', releaseSection(read('CHANGELOG.md'), summaries, after, new Date().toISOString().slice(0, 10)))
console.log(`${before} is now ${after}. Run npx -y pnpm@12 install and npx -y pnpm@12 reference, then .ci/run.`)
