import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPackages } from './find-packages.ts'

const filesOf = (files: Record<string, string>) => {
  const root = mkdtempSync(join(tmpdir(), 'sibyl-packages-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return findPackages(root).map(({ folder, files }) => [folder, files.map(({ path }) => path)])
}

test('finds the sources of every language, in folders of any depth, of the nearest package', () => {
  expect(
    filesOf({
      'package.json': '{}',
      'scripts/run.mjs': '',
      'packages/tides/package.json': '{}',
      'packages/tides/README.md': '',
      'packages/tides/dist/index.js': '',
      'packages/tides/src/app/a/b/view.tsx': '',
      'packages/tides/src/index.ts': '',
      'packages/tides/src/page/page.js': '',
      'packages/tides/src/style.css': '',
    }),
  ).toEqual([
    ['.', ['scripts/run.mjs']],
    ['packages/tides', ['src/app/a/b/view.tsx', 'src/index.ts', 'src/page/page.js']],
  ])
})
