import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { testApp } from '@sibyl/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FakeTerminal } from './commands/chat/terminal.test.helper.ts'
import { run as runSibyl } from './main.ts'

const cleanups: (() => unknown)[] = []
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sibyl-access-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
})
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Creates a user with their own home folder, who runs commands. */
const person = (name: string) => {
  const home = join(folder, name)
  const run = async (argv: readonly string[], { stdin = '', url }: { stdin?: string; url?: string } = {}) => {
    const env = { SIBYL_HOME: home, ...(url === undefined ? {} : { SIBYL_URL: url }) }
    const terminal = new FakeTerminal(env, false, 80, folder)
    terminal.stdin.end(stdin)
    const code = await runSibyl(argv, terminal.io)
    return { code: code as number, stdout: terminal.text, stderr: terminal.errors }
  }
  return { home, run, did: async () => (await run(['token', 'whoami'])).stdout.trim() }
}

const serve = async (controllers: readonly string[], mnemonic = createMnemonic(12).reveal()) => {
  const oracle = await testApp({
    plugins: [],
    env: {
      ORACLE_NAME: 'Delphi',
      ORACLE_MNEMONIC: mnemonic,
      ORACLE_ACCESS: 'delegated',
      ORACLE_CONTROLLERS: controllers.join(),
    },
  })
  cleanups.push(() => oracle.app.close())
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${port}`
}

it('rejects, authorizes users of a controller, and rejects again after the revocation', async () => {
  const [ada, bob] = [person('ada'), person('bob')]
  const [adaDid, bobDid] = [await ada.did(), await bob.did()]
  const url = await serve([adaDid])
  const chat = () => bob.run(['chat', '--once', 'hello'], { url })

  expect((await ada.run(['chat', '--once', 'hello'], { url })).code).toBe(0)
  expect(await chat()).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'sibyl: This oracle requires a delegation from one of its controllers (ucan_untrusted_root).\n' +
      '       If you operate it, add your DID to ORACLE_CONTROLLERS; ' +
      `otherwise ask a controller to run: sibyl token grant ${bobDid} --url ${url}\n`,
  })
  for (const argv of [
    ['token', '--bearer'],
    ['token', 'revoke'],
  ]) {
    expect((await bob.run(argv, { url })).stderr).toContain(`sibyl token grant ${bobDid} --url ${url}\n`)
  }

  const granted = await ada.run(['token', 'grant', bobDid, '--url', url])
  expect(granted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/) })
  expect(granted.stderr).toMatch(
    new RegExp(`^This lets ${bobDid} do chat/\\* session/\\* auth/token delegation/\\* at Delphi until \\S+Z\\.$`, 'm'),
  )
  expect(granted.stderr).toContain(`  sibyl token accept --url ${url}\n`)

  const accepted = await bob.run(['token', 'accept'], { url, stdin: granted.stdout })
  expect(accepted).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^You have chat.* at Delphi/) })
  expect((await stat(join(bob.home, 'delegations.json'))).mode & 0o777).toBe(0o600)
  expect((await bob.run(['token', 'list'])).stdout).toContain(`\n  from     ${adaDid}\n`)

  expect(await chat()).toMatchObject({ code: 0, stdout: expect.stringContaining('oracle  ') })
  const token = await bob.run(['token'], { url })
  const bearer = await bob.run(['token', '--bearer'], { url })
  for (const { stdout } of [token, bearer]) {
    const headers = { authorization: `Bearer ${stdout.trim()}` }
    expect((await (await fetch(`${url}/sessions`, { headers })).json()).sessions).toHaveLength(1)
  }

  expect((await ada.run(['token', 'revoke', '-'], { url, stdin: granted.stdout })).code).toBe(0)
  const refused = await chat()
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain(
    `Your delegation from ${adaDid}, or one that it depends on, was revoked (ucan_revoked).`,
  )
  expect(refused.stderr).toContain(`ask a controller to run: sibyl token grant ${bobDid} --url ${url}\n`)
  const bearerNow = { authorization: `Bearer ${bearer.stdout.trim()}` }
  expect((await fetch(`${url}/sessions`, { headers: bearerNow })).status).toBe(401)
  const again = await bob.run(['token', 'accept', '-'], { url, stdin: granted.stdout })
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('It was revoked. (ucan_revoked)') })

  const repeated = join(folder, 'access.ucan')
  await writeFile(repeated, (await ada.run(['token', 'grant', bobDid, '--days', '1'], { url })).stdout)
  const replaced = await bob.run(['token', 'accept', repeated], { url })
  expect(replaced.stderr).toContain('The previous delegation for this oracle was removed.\n')
  expect((await chat()).code).toBe(0)

  expect(await bob.run(['token', 'drop', url])).toMatchObject({ code: 0, stderr: 'Dropped.\n' })
  expect((await chat()).code).toBe(1)
  expect(await bob.run(['token', 'drop', url])).toMatchObject({ code: 2 })
  expect(await bob.run(['token', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'You have no stored delegations.\n' })
})
