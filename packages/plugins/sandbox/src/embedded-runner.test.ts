import { afterAll, describe, expect, test } from 'vitest'
import { startSandbox } from './embedded-runner.test.support.ts'

const sandbox = startSandbox()
afterAll(() => sandbox.close())

describe.concurrent('the result', () => {
  test.each([
    ['await Promise.resolve(3)', '3'],
    ['const later = async () => 4; later()', '4'],
    ['Array.from({ length: 10_002 }, () => 0)', /,0,… 2 more\]$/],
  ])('of %s', async (code, result) => {
    const outcome = await sandbox.run(code)
    expect(outcome).toMatchObject({ ok: true, output: '', files: [] })
    expect(outcome.result).toEqual(typeof result === 'string' ? result : expect.stringMatching(result))
  })

  test('is text like JSON, for whatever value', async () => {
    const { result } = await sandbox.run(`
      const values = [
        'a' + 'b\\n\\0', { a: null, 'b c': [1.5, true] }, undefined, NaN, 10n, Symbol('s'), /x/g, new Map([[1, 'a']]), new Set([1]),
        function f() {}, new Date(0), new Date(NaN), new Uint8Array([1, 2]), new ArrayBuffer(3), Promise.resolve(),
        new RangeError('no').message, Object.create(null), new Date(0).getHours() + new Date(2026, 6, 1).getTimezoneOffset(),
        /[\\p{L}--[a-z]]/v.test('é'), Object.groupBy([1], () => 'a').a,
      ]
      values`)
    expect(result).toBe(
      '["ab\\n\\u0000",{"a":null,"b c":[1.5,true]},undefined,NaN,10n,Symbol(s),/x/g,Map {1 => "a"},Set {1},' +
        '[Function f],"1970-01-01T00:00:00.000Z",Invalid Date,Uint8Array [1,2],[ArrayBuffer of 3 bytes],[Promise],' +
        '"no",{},0,true,[1]]',
    )
  })

  test('is not there where the program has none', async () => {
    expect(await sandbox.run('const a = 1')).not.toHaveProperty('result')
  })
})

test('its output, line by line', async () => {
  const { output } = await sandbox.run(
    'console.log("a", 1, { b: [2] }); console.warn("c\\nd"); console.error(); console.info("e\\0f")',
  )
  expect(output).toBe('a 1 {"b":[2]}\nc\nd\n\ne\0f\n')
})

describe.concurrent('an error', () => {
  test.each([
    ['let a = 1\n\nfoo.bar()', /^ReferenceError: 'foo' is not defined\n.*program\.js:3:1\)$/],
    ['let a = 1\nlet b = ;', /^SyntaxError: .*\n.*program\.js:2:\d+$/],
    [
      'const f = () => {\n  throw new TypeError("not so")\n}\nf()',
      /^TypeError: not so\n.*at f \(program\.js:2:\d+\)\n.*program\.js:4:\d+\)$/,
    ],
    ['throw { code: 3 }', /^Thrown: \{"code":3\}$/],
    ['throw null', /^Thrown: null$/],
    ['await Promise.reject(new RangeError("later"))', /^RangeError: later/],
    ['await new Promise(() => {})', /^The program waits for a promise that never settles\.$/],
    ['files.read("no.txt")', /^Error: The file 'no\.txt' does not exist\./],
  ])('names the line of %j', async (code, error) => {
    const outcome = await sandbox.run(code)
    expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(error) })
    expect(outcome).not.toHaveProperty('result')
  })

  test('comes with what was printed and written before', async () => {
    const outcome = await sandbox.run('console.log("so far"); files.write("a.txt", "b"); throw new Error("here")')
    expect(outcome).toMatchObject({ ok: false, output: 'so far\n', files: [{ name: 'a.txt', text: 'b' }] })
  })
})

describe.concurrent('files', () => {
  test('are read as text and as bytes, and written as both', async () => {
    const outcome = await sandbox.run(
      `files.write('out/upper.txt', files.read('data/in.txt').toUpperCase())
       files.write('bytes.bin', new Uint8Array([0, 255]))
       files.write('again.txt', files.readBytes('data/in.txt'))
       files.write('nul.txt', files.read('nul.txt') + files.read('nul.txt').length)
       files.list().concat(files.readBytes('bytes.bin').length)`,
      [
        { name: 'data/in.txt', text: 'grün' },
        { name: 'nul.txt', text: 'a\0b' },
      ],
    )
    expect(outcome.result).toBe('["data/in.txt","nul.txt","out/upper.txt","bytes.bin","again.txt",2]')
    expect(outcome.files).toEqual([
      { name: 'out/upper.txt', bytes: 5, text: 'GRÜN', encoding: 'utf8' },
      { name: 'bytes.bin', bytes: 2, text: 'AP8=', encoding: 'base64' },
      { name: 'again.txt', bytes: 5, text: 'grün', encoding: 'utf8' },
      { name: 'nul.txt', bytes: 4, text: 'a\0b3', encoding: 'utf8' },
    ])
  })

  test('have no names that lead elsewhere', async () => {
    const names = [
      '../up',
      '/etc/passwd',
      'a/../b',
      'a//b',
      '.env',
      'a\0b',
      'a\\b',
      '',
      'x'.repeat(121),
      'a/',
      'C:x',
      'a\u202eb',
    ]
    const { result, files } = await sandbox.run(
      `JSON.parse(files.read('names.json')).map(name => { try { files.write(name, 'x') } catch (error) { return error.message.slice(0, 33) } })`,
      [{ name: 'names.json', text: JSON.stringify(names) }],
    )
    expect(JSON.parse(result ?? '')).toEqual(names.map(() => 'The name of a file is invalid. Us'))
    expect(files).toEqual([])
    for (const name of names) {
      await expect(sandbox.run('1', [{ name, text: '' }])).rejects.toThrow('The name of a file is invalid')
    }
  })
})

describe('it rejects', () => {
  const signal = new AbortController().signal
  const request = { language: 'javascript', code: '1', actor: { did: 'did:example:a', via: 'ucan' }, signal }

  test('other languages', async () => {
    await expect(sandbox.runner.run({ ...request, language: 'python' })).rejects.toThrow('only runs JavaScript')
  })

  test('too much code, too many and too large files, a name twice', async () => {
    await expect(sandbox.run(' ')).rejects.toThrow('The code is empty')
    await expect(sandbox.run('1'.repeat(100_001))).rejects.toThrow('the maximum is 100000 characters')
    const file = (index: number) => ({ name: `f${index}`, text: '' })
    await expect(
      sandbox.run(
        '1',
        Array.from({ length: 21 }, (_, index) => file(index)),
      ),
    ).rejects.toThrow('too many files: the maximum is 20')
    await expect(sandbox.run('1', [{ name: 'a', text: 'ü'.repeat(500_001) }])).rejects.toThrow('the maximum is 1 MB')
    await expect(sandbox.run('1', [file(1), file(1)])).rejects.toThrow("Two files have the name 'f1'")
  })
})

test('a program that is stopped from outside is gone, and the next one runs', async () => {
  const stop = new AbortController()
  const request = { language: 'javascript', actor: { did: 'did:example:stopped', via: 'ucan' } }
  const running = sandbox.runner.run({ ...request, code: 'while (true);', signal: stop.signal })
  const next = sandbox.runner.run({ ...request, code: '5', signal: new AbortController().signal })
  stop.abort(new Error('The turn was stopped.'))
  await expect(running).rejects.toThrow('The turn was stopped.')
  expect(await next).toMatchObject({ ok: true, result: '5' })
})

test('closing ends what runs and what waits, and may be done again', async () => {
  const other = startSandbox()
  const running = ['while (true);', 'while (true);', '1'].map(code =>
    expect(other.run(code)).rejects.toThrow('The oracle is shutting down.'),
  )
  await other.close()
  await Promise.all(running)
  await other.close()
})
