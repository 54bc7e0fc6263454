import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { welcome } from '../gateway.test.helper.ts'
import { script, serve } from '../run-ussd.test.helper.ts'

const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'sibyl-ussd-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

describe('recordings', () => {
  const record = async (url: string) => {
    const path = join(await folder(), 'session.json')
    const { code, errors } = await script(url, ['--record', path], '1\n/phone +260971234567\n*55#\n*\n')
    expect(code).toBe(0)
    expect(errors).toContain('The file contains everything that is typed, including PINs.')
    return path
  }

  it('contain input and screens, readable by their owner only', async () => {
    const path = await record((await serve()).url)
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      format: 'sibyl-ussd-1',
      sessions: [
        {
          serviceCode: '*1234#',
          phoneNumber: '+447700900001',
          textMode: 'cumulative',
          exchanges: [
            { typed: '', kind: 'continue', text: welcome },
            { typed: '1', kind: 'continue', text: 'You typed 1\n*. Exit' },
          ],
        },
        {
          serviceCode: '*55#',
          phoneNumber: '+260971234567',
          textMode: 'cumulative',
          exchanges: [
            { typed: '', kind: 'continue', text: welcome },
            { typed: '*', kind: 'end', text: 'Goodbye.' },
          ],
        },
      ],
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('replay, each session as a new one', async () => {
    const gateway = await serve()
    const path = await record(gateway.url)
    const recorded = gateway.requests.splice(0)
    const { code, errors, text } = await script(gateway.url, ['--replay', path])
    expect(code).toBe(0)
    expect(errors).toBe('4 screens, as recorded.\n')
    expect(text).toContain('▸ 1\nYou typed 1\n')
    const withoutId = (requests: typeof recorded) => requests.map(({ sessionId: _, ...rest }) => rest)
    expect(withoutId(gateway.requests)).toEqual(withoutId(recorded))
    expect(gateway.requests.map(it => it.sessionId)).not.toContain(recorded[0]?.sessionId)
  })

  it('fail at the first differing screen, and show both', async () => {
    const path = await record((await serve()).url)
    const changed = await serve(({ text }) => (text === '' ? `CON ${welcome}` : 'END Closed today.'))
    const { code, errors, text } = await script(changed.url, ['--replay', path])
    expect(code).toBe(1)
    expect(errors).toContain('The screen differs from the recording. Recorded, and the session continued:')
    expect(text).toMatch(/Closed today\.\n.* ended\nYou typed 1\n/)
    expect(changed.requests).toHaveLength(2)
  })

  it('start in the middle of a session with all of its input', async () => {
    const path = join(await folder(), 'session.json')
    await script((await serve()).url, [], `1\n/record ${path}\n2\n/record\n3\n`)
    const { sessions } = JSON.parse(await readFile(path, 'utf8'))
    expect(sessions[0].exchanges.map((it: { typed: string }) => it.typed)).toEqual(['', '1', '2'])
  })

  it('replace a recording, and no other file', async () => {
    const { url } = await serve()
    const path = await record(url)
    expect(await script(url, ['--record', path, '--once', ''])).toMatchObject({ code: 0 })
    await writeFile(path, 'my notes')
    const refused = await script(url, ['--record', path, '--once', ''])
    expect(refused).toMatchObject({
      code: 2,
      raw: '',
      errors: expect.stringContaining('not a recording of sibyl ussd'),
    })
    expect(await readFile(path, 'utf8')).toBe('my notes')
    expect(await script(url, ['--replay', path])).toMatchObject({ code: 2, raw: '' })
    expect(await script(url, ['--replay', `${path}.gone`])).toMatchObject({ code: 2 })
    expect(await script(url, ['--record', '/nowhere/at/all', '--once', ''])).toMatchObject({ code: 2, raw: '' })
  })
})
