import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { beginRepository } from './begin-repository.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sibyl git ü-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'x'))
})

const env = () => ({ PATH: process.env.PATH, HOME: root })

test('begins a repository, also if the environment names another one', async () => {
  const outcome = await beginRepository(join(root, 'x'), { ...env(), GIT_DIR: join(root, 'other') })
  expect(outcome).toEqual({ kind: 'begun' })
  expect([existsSync(join(root, 'x/.git/HEAD')), existsSync(join(root, 'other'))]).toEqual([true, false])
})

test('begins none inside another one, or in a worktree', async () => {
  writeFileSync(join(root, '.git'), 'gitdir: elsewhere')
  expect(await beginRepository(join(root, 'x'), env())).toEqual({ kind: 'inside', repository: root })
})

test('begins none without git', async () => {
  expect(await beginRepository(join(root, 'x'), { PATH: root })).toEqual({ kind: 'no-git' })
})

test('reports the error of git', async () => {
  writeFileSync(join(root, 'git'), '#!/bin/sh\necho "fatal: \u001b[31mno\u001b[0m" >&2\nexit 128\n')
  chmodSync(join(root, 'git'), 0o755)
  expect(await beginRepository(join(root, 'x'), { PATH: root })).toEqual({ kind: 'failed', reason: 'fatal: [31mno[0m' })
})
