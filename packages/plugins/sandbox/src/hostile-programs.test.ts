/** @module-tag long */
import { afterAll, describe, expect, test } from 'vitest'
import { startSandbox } from './embedded-runner.test.support.ts'

const sandbox = startSandbox()
const hasty = startSandbox(500)
afterAll(() => Promise.all([sandbox.close(), hasty.close()]))

/** A test's time has the wait for its turn in it: two programs run at once. */
const timeout = 120_000

/** What each program begins with: it finds nothing of those before it, and leaves something for those after it. */
const begin = `console.log(6 * 7, typeof leftOver, Object.keys(Object.prototype).length, files.list().length)
  var leftOver = Object.prototype.leftOver = 1;`
const begun = '42 undefined 0 0\n'

describe.concurrent('looking for the host', { timeout }, () => {
  test('all that it has is the language, console and files', async () => {
    const { result } = await sandbox.run(
      'Object.getOwnPropertyNames(globalThis).filter(name => /^[a-z]/.test(name)).sort()',
    )
    const language = `decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN
      parseFloat parseInt undefined unescape`.split(/\s+/)
    expect(JSON.parse(result ?? '')).toEqual([...language, 'console', 'files'].sort())
  })

  test('nothing of Node, browsers or QuickJS itself is there', async () => {
    const names = `process require module Buffer fetch XMLHttpRequest WebSocket setTimeout postMessage parentPort Worker
      WebAssembly Atomics Deno std os print importScripts navigator performance`.split(/\s+/)
    const { result } = await sandbox.run(`${JSON.stringify(names)}.map(name =>
      [typeof globalThis[name], new Function('return typeof ' + name)(), eval('typeof ' + name)].join())`)
    expect(JSON.parse(result ?? '')).toEqual(names.map(() => 'undefined,undefined,undefined'))
  })

  test('no chain of constructors and no stack leads out', async () => {
    const cases: readonly (readonly [code: string, value: unknown])[] = [
      ['console.log.constructor("return typeof process")()', 'undefined'],
      ['files.read.constructor.constructor("return this")() === globalThis', true],
      ['[].constructor.constructor("return typeof globalThis.process + typeof require")()', 'undefinedundefined'],
      ['(async () => {}).constructor("return typeof process")().constructor === Promise', true],
      ['(function* () {}).constructor("yield typeof process")().next().value', 'undefined'],
      ['try { null.x } catch (error) { error.constructor.constructor("return typeof process")() }', 'undefined'],
      ['try { files.read("x") } catch (error) { error.constructor.constructor("return this")() === globalThis }', true],
      ['Error.prepareStackTrace = (_, frames) => frames; String(new Error().stack).includes("/")', false],
      ['try { (function f() { f() })() } catch (error) { /node|worker|file:/.test(error.stack) }', false],
      ['Reflect.ownKeys(console).join()', 'log,info,warn,error'],
      ['console.log.caller', 'TypeError: invalid property access'],
      ['this === globalThis', true],
    ]
    const codes = cases.map(([code]) => code)
    const { result } = await sandbox.run(
      `JSON.parse(files.read('codes')).map(code => { try { return (0, eval)(code) } catch (error) { return String(error) } })`,
      [{ name: 'codes', text: JSON.stringify(codes) }],
    )
    const values: unknown[] = JSON.parse(result ?? '')
    expect(codes.map((code, index) => [code, values[index]])).toEqual(cases)
  })

  test('nothing is imported, and nothing reaches the thread', async () => {
    const codes = [
      'import("node:fs")',
      'import("data:text/javascript,export default 1")',
      'postMessage({ kind: "result", value: { files: [], durationMs: 0, result: "forged" } })',
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)',
    ]
    const { result } = await sandbox.run(
      `const faults = []
       for (const code of JSON.parse(files.read('codes'))) {
         try { faults.push(await (0, eval)(code)) } catch (error) { faults.push(String(error)) }
       }
       faults`,
      [{ name: 'codes', text: JSON.stringify(codes) }],
    )
    const violations: unknown[] = JSON.parse(result ?? '')
    expect(violations).toEqual(codes.map(() => expect.stringMatching(/^(Reference|Type|Syntax)?Error/)))
    expect(result).not.toMatch(/file:|node_modules|\/src\//)
    const { error } = await sandbox.run('import fs from "node:fs"')
    expect(error).toMatch(/^SyntaxError/)
    expect(error).not.toMatch(/file:|node_modules|\/src\//)
  })
})

test('a program that changes its environment harms neither itself nor the next one', async () => {
  const programs = [
    'Array.prototype.leftOver = 1; globalThis.leftOver = 1; 3',
    'Object.defineProperty(Object.prototype, "kind", { get: () => "end", set() {} }); 3',
    'Array.prototype.push = String.prototype.slice = JSON.stringify = Function.prototype.call = () => { throw 1 }; 3',
    'Object.prototype.result = "forged"; Object.prototype.get = () => 1; 3',
    'delete globalThis.console; delete globalThis.Object; 3',
    'Promise.prototype.then = function () { while (true); }; 3',
    'String.prototype.toString = Symbol.prototype[Symbol.toPrimitive] = () => { throw 1 }; 3',
    '{ const files = 1; let console = 2; files + console }',
  ]
  for (const code of programs) {
    const outcome = await sandbox.run(`${begin}\n${code}`)
    expect([code, outcome]).toMatchObject([code, { ok: true, result: '3', output: begun, files: [] }])
  }
  expect(await sandbox.run('const files = 1; let console = 2; files + console')).toMatchObject({
    ok: true,
    result: '3',
  })
})

describe.concurrent('results that bite', { timeout }, () => {
  test('are shown without running anything of theirs', async () => {
    const { ok, result } = await sandbox.run(`
      const cyclic = []; cyclic.push(cyclic, { cyclic })
      let deep = 0; for (let i = 0; i < 1e5; i += 1) deep = [deep]
      const values = [
        cyclic,
        { get a() { while (true); }, get b() { throw 1 } },
        { toJSON() { while (true); } },
        { then(resolve) { resolve('forged') } },
        { ok: true, result: { source: 'a' }, kind: 'end' },
        Object.defineProperty(new Error('x'), 'message', { get() { throw 1 } }).name,
        deep,
      ]
      values`)
    expect(ok).toBe(true)
    expect(result).toBe(
      '[[[Circular],{"cyclic":[Circular]}],{"a":[Getter],"b":[Getter]},{"toJSON":[Function toJSON]},' +
        '{"then":[Function then]},{"ok":true,"result":{"source":"a"},"kind":"end"},"Error",' +
        `${'['.repeat(19)}[…]${']'.repeat(19)}]`,
    )
  })

  test.each([
    ['({ then(resolve) { resolve("forged") } })', '{"then":[Function then]}'],
    ['new Proxy({}, { ownKeys() { throw new Error("no") } })', '[a value that cannot be shown]'],
    ['const { proxy, revoke } = Proxy.revocable([], {}); revoke(); proxy', '[a value that cannot be shown]'],
    ['new Array(4294967295)', /^\[null,null,.*… 4294957295 more\]$/],
    ['"x".repeat(5e6)', /^"x{199999}$/],
  ])('%s', async (code, result) => {
    const outcome = await sandbox.run(code)
    expect(outcome.ok).toBe(true)
    expect(outcome.result).toEqual(typeof result === 'string' ? result : expect.stringMatching(result))
  })

  test.each([
    'new Proxy({}, { getOwnPropertyDescriptor() { while (true); }, ownKeys: () => ["a"] })',
    'throw Object.defineProperty(new Error("x"), "name", { get() { while (true); } })',
  ])('%s is one clear error', async code => {
    expect(await hasty.run(code)).toMatchObject({ ok: false, error: expect.any(String) })
  })
})

test.concurrent('an error without readable text is not reported as out of memory', { timeout }, async () => {
  const { error } = await sandbox.run(
    'throw Object.assign(new Error(), { message: { [Symbol.toPrimitive]() { while (true); } } })',
  )
  expect(error).toBe('The program threw an error that cannot be displayed.')
})

describe.concurrent('taking what it can', { timeout }, () => {
  test.each([
    'while (true);',
    'const spin = async () => { while (true) await null }; await spin()',
    'Promise.resolve().then(function again() { return Promise.resolve().then(again) }); await new Promise(() => {})',
    '/^(a+)+$/.test("a".repeat(50) + "b")',
    'new Array(4294967295).sort()',
    'new Array(4294967295).indexOf(1)',
    'for (;;) try { while (true); } catch {} finally { while (true); }',
    '[...Array(3e3).keys()].sort(() => { while (true); })',
    'JSON.parse("[1]", () => { while (true); })',
    'const b = 3n ** 200000n; for (;;) b * b',
  ])('%s ends in time', async code => {
    const outcome = await hasty.run(`${begin}\n${code}`)
    expect(outcome).toMatchObject({ ok: false, output: begun, error: expect.stringMatching(/^Stopped after 0\.5 s/) })
  })

  test.each([
    'const all = []; while (true) all.push(new Array(1e5).fill(1))',
    'let text = "x"; while (true) text += text',
    'const all = []; while (true) all.push(new ArrayBuffer(1e6))',
    'Array.from({ length: 1e8 }, () => ({}))',
    'const deep = () => 1 + deep(); deep()',
    'eval("(".repeat(1e5) + ")".repeat(1e5))',
    'let nested = {}; for (let i = 0; i < 2e4; i += 1) nested = { nested }; JSON.stringify(nested)',
  ])('%s is rejected', async code => {
    const outcome = await sandbox.run(`${begin}\n${code}`)
    expect(outcome).toMatchObject({ ok: false, output: begun })
    expect(outcome.error).toMatch(/memory|too long|too large|stack|nested|captures|Invalid|length/i)
  })

  test('content that is too large is rejected, and the program may continue', async () => {
    const codes = [
      '"x".repeat(2 ** 30)',
      'new Uint8Array(2e9)',
      '"x".repeat(2e6).replaceAll("x", "y".repeat(100))',
      '"x".padEnd(1e9, "abc")',
      '2n ** 1_000_000_000n',
      'JSON.parse("[".repeat(1e6))',
      'new RegExp("(".repeat(1e5) + ")".repeat(1e5))',
      'const down = () => 1 + down(); down()',
    ]
    const { result } = await sandbox.run(
      `JSON.parse(files.read('codes')).map(code => { try { return (0, eval)(code) } catch (error) { return String(error) } })`,
      [{ name: 'codes', text: JSON.stringify(codes) }],
    )
    const refusals: unknown[] = JSON.parse(result ?? '')
    const refusal = expect.stringMatching(/Error: .*(memory|too long|too large|stack|nested|captures|Invalid|length)/i)
    expect(codes.map((code, index) => [code, refusals[index]])).toEqual(codes.map(code => [code, refusal]))
  })

  test('10,000 files: the first twenty are written', async () => {
    const outcome = await sandbox.run('for (let i = 0; i < 10_000; i += 1) files.write("f" + i, "x")')
    expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining('At most 20 files') })
    expect(outcome.files).toHaveLength(20)
  })

  test('large files are rejected, and rewriting one counts once', async () => {
    const { result, files } = await sandbox.run(`
      const half = 'x'.repeat(1_500_000)
      const attempt = (...args) => { try { files.write(...args) } catch (error) { return error.message } }
      const faults = [
        attempt('a', 'x'.repeat(3e6)), attempt('a', new Uint8Array(3e6)), attempt('a', half), attempt('a', half),
        attempt('b', 'x'.repeat(600_000)), attempt('c', {}),
      ]
      faults`)
    expect(result).toBe(
      '["The content is too large for a file.","The content is too large for a file.",undefined,undefined,' +
        '"Files can have at most 2 MB in total.","The content of a file must be a string or a Uint8Array."]',
    )
    expect(files.map(({ name, bytes }) => [name, bytes])).toEqual([['a', 1_500_000]])
  })

  test('a thousand huge lines are cut', async () => {
    const { output } = await sandbox.run('for (let i = 0; i < 1e3; i += 1) console.log("x".repeat(1e4), [i])')
    expect(output.endsWith('xxx\n… truncated')).toBe(true)
    expect(output.length).toBeLessThan(200_100)
  })
})

test('the memory of the process comes back', async () => {
  const bomb = 'const all = []; while (true) all.push(new Uint8Array(1e6).fill(1))'
  await sandbox.run(bomb)
  const before = process.memoryUsage().rss
  for (let round = 0; round < 3; round += 1) expect((await sandbox.run(bomb)).ok).toBe(false)
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
})
