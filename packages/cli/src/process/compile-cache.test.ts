import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const bin = new URL('../bin.ts', import.meta.url).pathname

/** Runs `sibyl --help` with its own home folder. @returns the folder of its cache */
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

test("Node's compile cache is stored for its owner only", () => {
  const folder = runWith(temporaryHome())
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).not.toEqual([])
})

test('never uses a cache folder that others can write to', () => {
  const home = temporaryHome()
  const folder = join(home, '.cache/sibyl/compiled')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o777)
  expect(readdirSync(runWith(home))).toEqual([])
})
