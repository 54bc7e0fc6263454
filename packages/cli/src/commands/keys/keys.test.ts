import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { createMnemonic, parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { testApp } from '@sibyl/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Keystore } from '../../keystore/keystore.ts'
import { putKey } from '../../keystore/put-key.test.helper.ts'
import { run } from '../../main.ts'
import { bundledSibyl } from '../../process/bundled-sibyl.test.helper.ts'
import { inherited } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import type { RotationEffect } from './rotation-effects.ts'

const passphrase = 'unlikely canary passphrase'

let home: string
let folder: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sibyl-keys-home-'))
  folder = await mkdtemp(join(tmpdir(), 'sibyl keys prüfen '))
})
afterEach(() => Promise.all([home, folder].map(path => rm(path, { recursive: true, force: true }))))

const terminalOf = (env: Record<string, string> = {}, isTTY = false) => {
  const terminal = new FakeTerminal({ SIBYL_HOME: home, ...env }, isTTY)
  return Object.assign(terminal, { io: { ...terminal.io, cwd: folder } })
}

const sibyl = async (args: readonly string[], env: Record<string, string> = {}, stdin?: string) => {
  const terminal = terminalOf(env)
  if (stdin !== undefined) terminal.stdin.end(stdin)
  const code = await run(['keys', ...args], terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

const didOf = async (words: { reveal(): string }) => {
  const parsed = parseMnemonic(words.reveal())
  return parsed.ok ? (await signingKeyFromMnemonic(parsed.mnemonic)).did : ''
}

/** Fails if a text contains a secret or consecutive words of a mnemonic. */
const expectSilence = (text: string, ...secrets: string[]) => {
  for (const secret of secrets) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain(secret.split(' ').slice(0, 3).join(' '))
  }
}

describe('sibyl keys', () => {
  it('creates, lists and rotates a key without a question', async () => {
    const env = { SIBYL_PASSPHRASE: passphrase }
    const made = await sibyl(['new', 'work', '--json'], env)
    expect(made).toMatchObject({ code: 0, errors: '' })
    const { did } = JSON.parse(made.text)
    expect((await sibyl(['show'])).text).toBe(`work  ${did}\n`)
    const rotated = JSON.parse((await sibyl(['rotate', 'work', '--json'], env)).text)
    expect(rotated).toEqual({ name: 'work', did: expect.any(String), retired: { name: 'work.1', did } })
    const { keys } = JSON.parse((await sibyl(['show', '--json'])).text)
    expect(keys.map((key: { name: string }) => key.name)).toEqual(['work', 'work.1'])
    expect((await sibyl(['show', 'work.1'])).text).toMatch(new RegExp(`did +${did}\n`))
  })

  it('imports a mnemonic from stdin and a passphrase from a file, and shows neither', { tags: 'long' }, async () => {
    const words = createMnemonic(12)
    await writeFile(join(folder, 'passphrase'), `${passphrase}\n`)
    const args = ['import', 'work', '--mnemonic-file', '-', '--passphrase-file', 'passphrase']
    const imported = await sibyl(args, {}, `  ${words.reveal().toUpperCase()}\n`)
    expect(imported).toMatchObject({ code: 0, text: expect.stringContaining(await didOf(words)) })
    expect((await new Keystore(home).open('work', passphrase)).words.reveal()).toBe(words.reveal())
    const files = await Promise.all(
      (await readdir(join(home, 'keys'))).map(name => readFile(join(home, 'keys', name), 'utf8')),
    )
    expectSilence([imported.text, imported.errors, ...files].join('\n'), words.reveal(), passphrase)
  })

  it.each([
    [['new', 'work'], {}, 'Missing: --passphrase-file <file> (or SIBYL_PASSPHRASE)'],
    [['import', 'work'], {}, 'Missing: --mnemonic-file <file> (or SIBYL_MNEMONIC), --passphrase-file'],
    [['rotate', '--oracle'], {}, 'There is no oracle here'],
    [['rotate'], {}, 'Which key?'],
    [['show', '--reveal'], {}, 'Which key?'],
    [['show', 'work', '--reveal'], { SIBYL_PASSPHRASE: passphrase }, 'only on a terminal'],
    [['show', 'work', '--reveal', '--json'], { SIBYL_PASSPHRASE: passphrase }, 'only on a terminal'],
    [['show', 'nobody'], {}, 'The key nobody does not exist.'],
    [['show', '../x'], {}, 'The name of the key is invalid.'],
    [['new', 'Work'], { SIBYL_PASSPHRASE: passphrase }, 'The name of the key is invalid.'],
    [['new', 'work'], { SIBYL_PASSPHRASE: 'canary' }, 'At least 10 characters'],
    [['new', 'work', '--passphrase-file', 'nowhere'], {}, 'cannot be read (ENOENT)'],
    [['new', 'work', '--passphrase', passphrase], {}, "Unknown option '--passphrase'"],
    [['import', 'work', '--mnemonic-file', '-', '--passphrase-file', '-'], {}, 'cannot both come from stdin'],
    [['import', 'work'], { SIBYL_MNEMONIC: 'canary canary', SIBYL_PASSPHRASE: passphrase }, 'got 2'],
  ])('prints the error of: keys %j %j', async (args, env, words) => {
    const { code, text, errors } = await sibyl(args, env)
    expect([2, 3]).toContain(code)
    expect(errors.replace(/\s+/g, ' ')).toContain(words)
    expectSilence(text + errors, 'canary')
  })

  it('rejects a wrong passphrase with one sentence and exit code 1', async () => {
    await putKey(home, 'work', passphrase)
    const { code, text, errors } = await sibyl(['rotate', 'work', '--json'], {
      SIBYL_PASSPHRASE: 'another one, canary',
    })
    expect([code, JSON.parse(text)]).toEqual([
      1,
      {
        error: {
          code: 'passphrase_wrong',
          message: 'The passphrase does not decrypt the key work.',
          remedy: expect.any(String),
        },
      },
    ])
    expectSilence(text + errors, 'canary')
  })
})

describe('on a terminal', () => {
  it('asks for a passphrase twice', { tags: 'long' }, async () => {
    const terminal = terminalOf({}, true)
    const making = run(['keys', 'new', 'work'], terminal.io)
    await terminal.until('A passphrase for it')
    terminal.type('short\r')
    await terminal.until('At least 10 characters')
    terminal.type('\u0015')
    terminal.type(`${passphrase}\r`)
    await terminal.until('Repeat the passphrase')
    terminal.type(`${passphrase}\r`)
    expect(await making).toBe(0)
    const { words: made } = await new Keystore(home).open('work', passphrase)
    expectSilence(terminal.raw + terminal.errors, passphrase, made.reveal())
  })

  it('shows the mnemonic once, on the alternate screen', async () => {
    const { words } = await putKey(home, 'work', passphrase)
    const reader = terminalOf({}, true)
    const revealing = run(['keys', 'show', 'work', '--reveal'], reader.io)
    await reader.until('Passphrase of the key')
    reader.type(`${passphrase}\r`)
    await reader.until('written it down')
    const shown = reader.text
    for (const [place, word] of words.reveal().split(' ').entries()) {
      expect(shown).toContain(`${String(place + 1).padStart(2)}. ${word}`)
    }
    reader.type('y')
    expect(await revealing).toBe(0)
    const [before = '', other = ''] = reader.raw.split('\u001b[?1049h')
    const [, after = ''] = other.split('\u001b[?1049l')
    expectSilence(before + after + reader.errors, passphrase, words.reveal())
    expect(after).toContain('The mnemonic of work was shown.')
  })

  it('rejects a passphrase that is typed visibly', async () => {
    const terminal = terminalOf({}, true)
    expect(await run(['keys', 'new', 'work', '--passphrase-file', '-'], terminal.io)).toBe(2)
    expect(terminal.errors).toContain('A passphrase that is typed for --passphrase-file - would be visible.')
  })

  it('Ctrl-C cancels a question, with nothing created', async () => {
    const terminal = terminalOf({}, true)
    const making = run(['keys', 'new', 'work'], terminal.io)
    await terminal.until('A passphrase for it')
    terminal.type('\u0003')
    expect(await making).toBe(130)
    expect(await new Keystore(home).list()).toEqual([])
  })
})

describe('sibyl keys rotate --oracle', () => {
  const project = async (env: string) => {
    await writeFile(join(folder, 'oracle.config.json'), '{ "name": "Field Oracle", "entityDid": "did:web:a" }')
    await writeFile(join(folder, '.env'), env, { mode: 0o600 })
  }
  const env = async () => parseEnv(await readFile(join(folder, '.env'), 'utf8'))

  it('writes a new mnemonic to .env and keeps the old one under a passphrase', async () => {
    const words = createMnemonic(24)
    const did = await didOf(words)
    await project(`# mine\nPORT=4000\nORACLE_MNEMONIC="${words.reveal()}"\nORACLE_CONTROLLERS=${did},did:key:z6MkB\n`)
    const { code, text, errors } = await sibyl(['rotate', '--oracle', '--yes'], { SIBYL_PASSPHRASE: passphrase })
    expect(code).toBe(0)
    const after = await env()
    const next = parseMnemonic(after.ORACLE_MNEMONIC ?? '')
    const nextDid = next.ok ? await didOf(next.mnemonic) : ''
    expect(nextDid).not.toBe(did)
    expect(after).toMatchObject({ PORT: '4000', ORACLE_CONTROLLERS: `${nextDid},did:key:z6MkB` })
    expect(text).toContain(`sibyl update-entity did:web:a --set did=${nextDid} --controller ${nextDid}`)
    expect((await new Keystore(home).open('field-oracle.1', passphrase)).words.reveal()).toBe(words.reveal())
    expectSilence(text + errors, words.reveal(), after.ORACLE_MNEMONIC ?? '', passphrase)
  })

  it.each([
    ['PORT=4000\n', {}, 3, 'has no ORACLE_MNEMONIC'],
    ['ORACLE_MNEMONIC=canary canary\n', {}, 3, 'is not a mnemonic'],
    ['ORACLE_MNEMONIC=\n', { ORACLE_MNEMONIC: 'canary' }, 3, 'is set in the environment'],
  ])('changes nothing with %j in .env', async (text, variables, code, words) => {
    await project(text)
    const answer = await sibyl(['rotate', '--oracle', '--yes'], { SIBYL_PASSPHRASE: passphrase, ...variables })
    expect(answer).toMatchObject({ code, errors: expect.stringContaining(words) })
    expect(await readFile(join(folder, '.env'), 'utf8')).toBe(text)
    expectSilence(answer.text + answer.errors, 'canary')
  })

  it('reports what stays valid and what has to be issued again', async () => {
    await project(`ORACLE_MNEMONIC=${createMnemonic(24).reveal()}\n`)
    const args = ['rotate', '--oracle', '--yes', '--json']
    const { text } = await sibyl(args, { SIBYL_PASSPHRASE: passphrase })
    const { effects }: { effects: RotationEffect[] } = JSON.parse(text)
    expect([...new Set(effects.map(({ state }) => state))]).toEqual(['valid', 'ended', 'changed'])
    const guide = await readFile(new URL('../../../../../docs/guide/access.md', import.meta.url), 'utf8')
    for (const { what, effect } of effects) expect(guide.replaceAll(/\s+/g, ' ')).toContain(`**${what}** ${effect}`)
  })

  it('fails while an oracle has the database open, or responds at the port', async () => {
    const text = `ORACLE_MNEMONIC="${createMnemonic(24).reveal()}"\n`
    await project(text)
    const rotate = () => sibyl(['rotate', '--oracle', '--yes'], { SIBYL_PASSPHRASE: passphrase })
    const refused = { code: 3, errors: expect.stringContaining('The oracle is running') }
    const mnemonic = parseEnv(text).ORACLE_MNEMONIC ?? ''
    for (const database of [`file:${join(folder, '.data/sibyl.db')}`, 'memory:']) {
      await mkdir(join(folder, '.data'), { recursive: true })
      const oracle = await testApp({ plugins: [], env: { DATABASE_URL: database, ORACLE_MNEMONIC: mnemonic } })
      try {
        const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
        await project(database === 'memory:' ? `${text}PORT=${port}\n` : text)
        expect(await rotate()).toMatchObject(refused)
        expect((await env()).ORACLE_MNEMONIC).toBe(mnemonic)
        expect(await new Keystore(home).list()).toEqual([])
      } finally {
        await oracle.app.close()
      }
    }
    expect(await rotate()).toMatchObject({ code: 0 })
  })

  it('leaves the old or the new mnemonic when the process is killed', { tags: 'long' }, async () => {
    const words = createMnemonic(24)
    const killAfter = async (ms: number) => {
      const child = spawn(process.execPath, [bundledSibyl, 'keys', 'rotate', '--oracle', '--yes', '--json'], {
        cwd: folder,
        env: { PATH: process.env.PATH, ...inherited(), SIBYL_HOME: home, SIBYL_PASSPHRASE: passphrase },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const timer = setTimeout(() => child.kill('SIGKILL'), ms)
      const output = (await Promise.all([child.stdout, child.stderr].map(stream => stream.toArray()))).join('')
      clearTimeout(timer)
      return output
    }
    await project(`PORT=4000\nORACLE_MNEMONIC="${words.reveal()}"\n`)
    const began = performance.now()
    expect(await killAfter(60_000)).toContain('"effects"')
    const whole = performance.now() - began
    const outputs: string[] = []
    for (const share of [0.8, 0.95]) {
      const before = (await env()).ORACLE_MNEMONIC ?? ''
      outputs.push(await killAfter(whole * share))
      const after = await env()
      expect(after.PORT).toBe('4000')
      const parsed = parseMnemonic(after.ORACLE_MNEMONIC ?? '')
      expect(parsed.ok).toBe(true)
      if (after.ORACLE_MNEMONIC === before) continue
      const did = await didOf({ reveal: () => before })
      const kept = (await new Keystore(home).list()).find(key => key.did === did)
      expect((await new Keystore(home).open(kept?.name ?? '', passphrase)).words.reveal()).toBe(before)
    }
    expectSilence(outputs.join(), words.reveal())
  })

  it('does not replace a mnemonic that was set during the question', async () => {
    await project(`ORACLE_MNEMONIC=${createMnemonic(24).reveal()}\n`)
    const terminal = terminalOf({}, true)
    const rotating = run(['keys', 'rotate', '--oracle'], terminal.io)
    await terminal.until('Go on?')
    const text = `ORACLE_MNEMONIC=${createMnemonic(24).reveal()}\n`
    await project(text)
    terminal.type('y')
    await terminal.until('A passphrase for it')
    terminal.type(`${passphrase}\r`)
    await terminal.until('Repeat the passphrase')
    terminal.type(`${passphrase}\r`)
    expect([await rotating, await readFile(join(folder, '.env'), 'utf8')]).toEqual([3, text])
    expect(terminal.errors).toContain('was changed by another process')
  })

  it('asks first, and changes nothing without a yes', async () => {
    const text = `ORACLE_MNEMONIC=${createMnemonic(24).reveal()}\n`
    await project(text)
    expect(await sibyl(['rotate', '--oracle'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--yes, --passphrase-file'),
    })
    const terminal = terminalOf({}, true)
    const rotating = run(['keys', 'rotate', '--oracle'], terminal.io)
    await terminal.until('Go on?')
    terminal.type('n')
    expect([await rotating, await readFile(join(folder, '.env'), 'utf8')]).toEqual([1, text])
  })
})
