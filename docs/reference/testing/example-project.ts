import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeBlocks } from '../../guide/testing/code-blocks.ts'
import { bundlePackages, testConfig } from '../../guide/testing/prepare-workspace.ts'

const root = join(import.meta.dirname, '../../..')

/** The examples of a page as files of one project, in a folder of its own, with the packages of this checkout. */
export class ExampleProject implements Disposable {
  /** Where `examples` and `node_modules` are. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sibyl-examples-')))

  /** @param markdown Of its blocks those of TypeScript and JSON with a file name are taken. */
  constructor(markdown: string) {
    mkdirSync(join(this.folder, 'node_modules'))
    mkdirSync(join(this.folder, 'examples'))
    for (const [name, owner] of [
      ['@sibyl', 'docs/node_modules'],
      ['zod', 'docs/node_modules'],
      ['vitest', 'node_modules'],
      ['@types', 'node_modules'],
    ] as const) {
      symlinkSync(join(root, owner, name), join(this.folder, 'node_modules', name))
    }
    this.#write('package.json', JSON.stringify({ type: 'module' }))
    for (const { language, info, text } of codeBlocks(markdown)) {
      if ((language === 'ts' || language === 'json') && info) this.#write(`examples/${info}`, text)
    }
  }

  #write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text)
  }

  /** Runs the tests among the files. */
  async runTests(): Promise<{ readonly code: number; readonly stdout: string }> {
    await bundlePackages()
    this.#write('vitest.config.mjs', testConfig('examples/**/*.test.ts'))
    return this.#run('vitest/vitest.mjs', [
      'run',
      '--root',
      this.folder,
      '--config',
      join(this.folder, 'vitest.config.mjs'),
    ])
  }

  /** Loads one of the files. */
  async load<Module>(file: string): Promise<Module> {
    return (await import(join(this.folder, 'examples', file))) as Module
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #run(program: string, args: readonly string[]) {
    return new Promise<{ code: number; stdout: string }>(resolve => {
      const command = [join(root, 'node_modules', program), ...args]
      execFile(process.execPath, command, { cwd: this.folder }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout: stdout + stderr }),
      )
    })
  }
}
