import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const bin = new URL('../bin.ts', import.meta.url).pathname

/** Runs `sibyl --help` with a home of its own. @returns where the cache of it is */
const runWith = (home: string) => {
  const { PATH, NODE_OPTIONS } = process.env
  execFileSync(process.execPath, ['--conditions=sibyl-source', bin, '--help'], {
    env: { PATH, NODE_OPTIONS, HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(home, '.cache/sibyl/compiled')
}

const temporaryHome = () => {
  const home = mkdtempSync(join(tmpdir(), 'sibyl-compiled-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

test('what Node compiled is kept for its owner alone', () => {
  const folder = runWith(temporaryHome())
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).not.toEqual([])
})

test('nothing is run from a folder that others may write to, nor kept there', () => {
  const home = temporaryHome()
  const folder = join(home, '.cache/sibyl/compiled')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o777)
  expect(readdirSync(runWith(home))).toEqual([])
})
